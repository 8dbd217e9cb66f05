"""`manage.py judge-quality`: files in, one report out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from policy.judges import quality, registry
from policy.judges.local import LocalJudge
from policy.judges.quality import BrokenCases

TOOLS = [{"id": "water_plants", "category": "garden", "description": "Switch the sprinkler on."}]
SELECTION: dict[str, Any] = {
    "id": "s",
    "lang": "en",
    "task": "Sprinkle the lawn.",
    "tools": TOOLS,
    "acceptable": ["water_plants"],
}
CALL: dict[str, Any] = {
    "id": "c",
    "kind": "missing_information",
    "task": "Sprinkle the lawn.",
    "restrictions": [],
    "tool": "water_plants",
    "arguments": {"minutes": None},
    "required": ["minutes"],
    "label": 1,
}


def _file(folder: Path, *rows: dict[str, Any] | str) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows) + "\n")
    return path


def test_a_report_has_every_figure_for_the_judge_and_each_variant(tmp_path: Path, words: LocalJudge) -> None:
    cases = quality.read(_file(tmp_path, SELECTION, {**SELECTION, "acceptable": [], "lang": "de"}, CALL))
    found = quality.report(words, [cases], variants={"again": words})
    assert (found["n"], found["top1"]["value"], found["top1"]["n"]) == (3, 1.0, 1)
    assert set(found["by_language"]) == {"de", "en"}
    assert set(found["by_menu_size"]) == {"1"}
    again = found["variants"]["again"]
    assert again == {name: found[name] for name in again}


def test_the_check_of_the_schema_is_counted_beside_the_judge(tmp_path: Path, words: LocalJudge) -> None:
    cases = quality.read(_file(tmp_path, CALL, {**CALL, "arguments": {"minutes": 5}, "label": 0}))
    found = quality.report(words, [cases], variants={})["host_check"]
    assert (found["found"]["value"], found["false_alarms"]["value"]) == (1.0, 0.0)


def test_the_pairs_add_the_figure_of_asking_first_and_nothing_else(tmp_path: Path, words: LocalJudge) -> None:
    cases = quality.read(_file(tmp_path, SELECTION))
    (tmp_path / "pairs").mkdir()
    pairs = quality.read(
        _file(tmp_path / "pairs", {"id": "p", "clear": "Set the sprinkler to 12 minutes.", "vague": "Fix it."})
    )
    found = quality.report(words, [cases], variants={}, vague=pairs)
    assert (found["n"], found["auc"]["ask_first"]["value"], found["brier"]["n"]) == (1, 1.0, 1)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("{", "line 2 is not JSON"),
        ("[]", "line 2 is no JSON object"),
        ({"id": "x"}, 'line 2: field "tools" is missing'),
        ({**SELECTION, "task": " "}, 'line 2: field "task" is missing or no text'),
        ({**SELECTION, "tools": [{"id": 3}]}, 'line 2: field "tools" holds a tool without'),
        (SELECTION, "line 2 repeats line 1"),
        ({**SELECTION, "tools": TOOLS * 2}, 'line 2: field "tools" holds water_plants twice'),
        ({**SELECTION, "acceptable": ["mow"]}, 'line 2: field "acceptable" names mow'),
        ({**CALL, "kind": "mood"}, "line 2: field \"kind\" is 'mood'; use one of matches_task"),
        ({**CALL, "label": "yes"}, 'line 2: field "label" is not 0 or 1'),
        ({**CALL, "arguments": "{}"}, 'line 2: field "arguments" is no object'),
        ({**CALL, "restrictions": [3]}, 'line 2: field "restrictions" holds something other than text'),
    ],
)
def test_a_line_that_cannot_be_used_is_named_with_its_field(
    tmp_path: Path, row: dict[str, Any] | str, said: str
) -> None:
    with pytest.raises(BrokenCases, match=said):
        quality.read(_file(tmp_path, SELECTION, row))


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_a_file_without_cases_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(BrokenCases, match="has no cases"):
        quality.read(_file(tmp_path, content))


@pytest.mark.parametrize(("name", "judge"), [("missing.jsonl", "local"), ("cases.jsonl", "oracle")])
def test_a_missing_file_or_an_unknown_judge_ends_with_two(tmp_path: Path, name: str, judge: str) -> None:
    _file(tmp_path, SELECTION)
    with pytest.raises(CommandError) as raised:
        call_command("judge-quality", str(tmp_path / name), judge=judge)
    assert raised.value.returncode == 2


def test_the_command_prints_one_json_object_or_a_table(
    tmp_path: Path, words: LocalJudge, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(registry, "get", lambda name, cache_dir: words)
    monkeypatch.setattr(registry, "variants", lambda name, cache_dir: {"lexical only": words})
    path = _file(tmp_path, SELECTION)
    call_command("judge-quality", str(path), "--json", output=tmp_path / "out.json")
    assert json.loads(capsys.readouterr().out) == json.loads((tmp_path / "out.json").read_text())
    call_command("judge-quality", str(path))
    table = capsys.readouterr().out
    assert "right tool first" in table
    assert "lexical only" in table
    assert "language en (n=1)" in table


def test_the_variants_of_the_local_judge_say_what_each_part_adds() -> None:
    assert {"lexical only", "constants at 1"} <= set(registry.variants("local"))
    assert registry.variants("scripted") == {}
