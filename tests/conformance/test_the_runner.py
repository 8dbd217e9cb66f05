"""The runner itself: it reads the folder that it is given, overlooks no key, and shows a line to nobody as a whole."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import left_out
from tests.conformance.cases import HERE, Case, Fragment, compare, folder, load, same
from tests.conformance.runners import RUNNERS
from tests.conformance.tally import Tally

ROOT = Path(__file__).parents[2]


def case(expected: dict[str, Any], area: str = "validate", **more: Any) -> Case:
    return Case(area, "one", more, expected, "because", "some.jsonl", 1)


def test_every_file_with_areas_is_read_and_other_lines_are_not(tmp_path: Path) -> None:
    line = {"area": "loop", "case": "x", "input": {"a": {"$repeat": ["ab", 2]}}, "expected": {"out": []}, "why": "w"}
    (tmp_path / "b.jsonl").write_text(json.dumps(line) + "\n\n" + json.dumps({**line, "case": "y"}))
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "no area"}) + "\n")
    (tmp_path / "c.json").write_text(json.dumps(line))
    read = load(tmp_path)
    assert [(each.id, each.file, each.line) for each in read] == [("loop/x", "b.jsonl", 1), ("loop/y", "b.jsonl", 3)]
    assert read[0].input == {"a": "abab"}


def test_the_folder_is_named_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONFORMANCE_DIR", str(tmp_path))
    assert folder() == tmp_path
    monkeypatch.delenv("CONFORMANCE_DIR")
    assert folder() == HERE


def test_a_key_that_the_runner_does_not_know_fails_the_line() -> None:
    with pytest.raises(AssertionError, match=r"cannot tell \['shape'\]"):
        compare(case({"ok": True, "shape": None}), {"ok": True})


@pytest.mark.parametrize("told", [{"ok": False}, {"ok": 1}, {"ok": None}, {"ok": [True]}])
def test_a_key_that_differs_fails_the_line(told: dict[str, Any]) -> None:
    with pytest.raises(AssertionError, match="validate/one"):
        compare(case({"ok": True}), told)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (1, True),
        (0, False),
        ({"a": 1, "b": 2}, {"a": 1}),
        ({"a": 1}, {"a": 1, "b": None}),
        ([1, 2], [1]),
        ([2, 1], [1, 2]),
        (0.1, 0.1001),
        (None, {}),
        ("", None),
        (Fragment("abc"), "ac"),
        (Fragment("abc"), ""),
    ],
)
def test_nothing_extra_and_nothing_similar_is_equal(told: Any, expected: Any) -> None:
    assert not same(told, expected)


def test_json_forms_of_one_value_are_equal() -> None:
    assert same({"a": (1, 2.0), "b": None}, {"b": None, "a": [1, 2]})
    assert same(Fragment("maxDepth must be 1"), "must be")


def test_the_end_of_the_session_tells_lines_keys_and_what_is_left() -> None:
    tally, line = Tally(), case({"ok": True, "paths": []})
    tally.add(line, compare(line, {"ok": True, "paths": (), "model": "m"}))
    tally.leave(case({}, area="calibrate"), "later")
    assert tally.report()[:3] == ["1 lines with 2 keys compared (validate 1)", "1 lines left", "  1 calibrate: later"]


def test_no_area_is_both_run_and_left_out() -> None:
    assert not RUNNERS.keys() & left_out.AREAS.keys()


def test_no_module_of_the_product_knows_the_lines() -> None:
    """A module that reads a line's name or reason could answer by them."""
    knows = re.compile(r"""CONFORMANCE|conformance|-cases\.jsonl|[\["'(](case|why)["']\]""")
    paths = [path for room in ("policy", "jevsite") for path in (ROOT / room).rglob("*.py")]
    assert len(paths) > 50
    assert [str(path) for path in paths if knows.search(path.read_text(encoding="utf-8"))] == []
