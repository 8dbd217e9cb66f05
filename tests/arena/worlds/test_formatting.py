from __future__ import annotations

from arena.worlds.formatting import formatted, settings

CONFIG = "[*]\nindent_style = space\nindent_size = 2\n[*.py]\nindent_size = 4\n# [*.ts]\n"
RULES = {
    "indent_style": "space",
    "indent_size": "2",
    "trim_trailing_whitespace": "true",
    "insert_final_newline": "true",
}


def test_later_sections_win_where_they_hold() -> None:
    assert settings(CONFIG, "src/a.ts")["indent_size"] == "2"
    assert settings(CONFIG, "scripts/a.py") == {"indent_style": "space", "indent_size": "4"}


def test_a_string_over_several_lines_keeps_its_blanks() -> None:
    text = "const a = `x  \n\ty  \n`;  \n"
    assert formatted(text, "a.ts", RULES) == "const a = `x  \n\ty  \n`;\n"


def test_without_settings_nothing_changes() -> None:
    assert formatted("a  \n\tb", "a.ts", {}) == "a  \n\tb"


def test_an_empty_file_stays_empty() -> None:
    assert formatted("", "a.ts", RULES) == ""
