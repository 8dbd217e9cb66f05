"""The look is held by its files: contrast of every token, own icons only, nothing inline, nothing from elsewhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from django.conf import settings

from jevsite.management.commands.vendor import differences

ROOT = Path(settings.BASE_DIR)
TOKENS = (ROOT / "static/css/tokens.css").read_text()
SHEETS = sorted((ROOT / "static/css").glob("*.css"))
SCRIPTS = sorted((ROOT / "static/js").glob("*.js"))
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
GROUNDS = ("bg", "panel", "raise")
TEXTS = ("ink", "ink-2", "ink-3", "a", "b", "ok", "bad", "ask")
MARKS = ("edge", "a-mark", "b-mark")
ON_THEIR_GROUND = [
    ("on-a", "a"),
    ("on-b", "b"),
    ("ok", "ok-soft"),
    ("bad", "bad-soft"),
    ("ask", "ask-soft"),
    ("ink", "add-soft"),
    ("ink-2", "del-soft"),
    ("add", "add-soft"),
    ("del", "del-soft"),
    ("bg", "ink"),
]


def tokens(selector: str) -> dict[str, str]:
    block = TOKENS.split(selector + " {", 1)[1].split("}", 1)[0]
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))


DARK = tokens(":root")
LIGHT = DARK | tokens(':root[data-theme="light"]')
THEMES = pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])


def luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, two: str) -> float:
    light, dark = sorted((luminance(one), luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@THEMES
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("text", TEXTS)
def test_every_text_has_four_and_a_half_to_one(theme: dict[str, str], ground: str, text: str) -> None:
    assert contrast(theme[text], theme[ground]) >= 4.5


@THEMES
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("mark", MARKS)
def test_every_mark_has_three_to_one(theme: dict[str, str], ground: str, mark: str) -> None:
    assert contrast(theme[mark], theme[ground]) >= 3


@THEMES
@pytest.mark.parametrize(("text", "ground"), ON_THEIR_GROUND)
def test_text_on_a_coloured_ground_can_be_read(theme: dict[str, str], text: str, ground: str) -> None:
    assert contrast(theme[text], theme[ground]) >= 4.5


@THEMES
@pytest.mark.parametrize("mark", ["quiet", "bad-mark", "ask-mark"])
def test_quiet_marks_stand_out_from_a_panel(theme: dict[str, str], mark: str) -> None:
    assert contrast(theme[mark], theme["panel"]) >= 3


def test_light_is_the_same_whether_chosen_or_followed() -> None:
    assert tokens(':root:not([data-theme="dark"])') == tokens(':root[data-theme="light"]')


def test_every_token_that_is_used_is_defined() -> None:
    css = "".join(sheet.read_text() for sheet in SHEETS)
    inline = set(re.findall(r"--([\w-]+): ", "".join(file.read_text() for file in TEMPLATES)))
    used = set(re.findall(r"var\(--([\w-]+)", css))
    assert used <= set(re.findall(r"--([\w-]+): ", css)) | inline


def test_no_text_is_smaller_than_fourteen_pixels() -> None:
    sizes = re.findall(r"(?:font-size: |font: [\w ]*?)(\d+)px", "".join(sheet.read_text() for sheet in SHEETS))
    assert sizes
    assert min(int(size) for size in sizes if size != "0") >= 14


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_a_template_runs_no_inline_code_and_trusts_no_text(template: Path) -> None:
    text = template.read_text()
    assert not re.search(r"\|\s*safe|autoescape|mark_safe|javascript:|hx-on|\son\w+=|hx-vals=.js", text)
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", text))
    assert text.count("\n") <= 150


def test_nothing_comes_from_another_host() -> None:
    for file in [*TEMPLATES, *SHEETS, *SCRIPTS]:
        assert not re.search(r"https?://|//[a-z]+\.", file.read_text().replace("// ", "")), file.name


def test_scripts_evaluate_no_text() -> None:
    for file in SCRIPTS:
        assert not re.search(r"\beval\(|new Function|innerHTML|insertAdjacentHTML|document\.write", file.read_text())


def test_every_icon_that_is_named_is_in_the_sprite() -> None:
    sprite = set(re.findall(r'id="([\w-]+)"', (ROOT / "static/icons.svg").read_text()))
    markup = "".join(file.read_text() for file in TEMPLATES)
    told = "".join(file.read_text() for file in (ROOT / "arena/live").glob("story*.py"))
    named = set(re.findall(r'{% icon "([\w-]+)"', markup)) | set(re.findall(r'State\("[\w-]+", "([\w-]+)"', told))
    assert named <= sprite


def test_the_browser_files_of_others_are_as_pinned() -> None:
    assert differences(tomllib.loads((ROOT / "static/vendor.toml").read_text()), ROOT / "static/vendor") == []


def test_a_changed_browser_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "htmx.js").write_text("changed")
    (tmp_path / "stray.js").write_text("")
    pins = {"file": [{"to": "htmx.js", "sha256": "0"}, {"to": "font.woff2", "sha256": "1"}], "made": []}
    assert differences(pins, tmp_path) == [
        "font.woff2 is missing; run manage.py vendor.",
        "htmx.js has other bytes than vendor.toml says; run manage.py vendor.",
        "stray.js is not in vendor.toml; pin it or delete it.",
    ]


def test_the_vendored_htmx_is_the_version_that_its_name_says() -> None:
    assert "4.0.1" in (ROOT / "static/vendor/htmx-4.0.1.min.js").read_text()[:4000]
