"""The sets that we ship: enough of every kind, labelled for a reason, and unlike everything that others are made of."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from policy.calibration import fixture_lines, likeness
from policy.calibration.fixtures import Fixture, Kind, export
from policy.engine.assessment.records import Rule
from policy.judges.local.text import stem, stems, words
from policy.measurements.sets import flags

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "fixtures" / "calibration"
FOREIGN = ROOT.parent / "shared" / "conformance"
TEXT = (FOLDER / "everyday.jsonl").read_text(encoding="utf-8")
ALL = fixture_lines.read(TEXT)
CALLS, SELECTIONS, SKILLS, ROUTES = (
    [each for each in ALL if each.kind is kind]
    for kind in (Kind.ASSESSMENT, Kind.SELECTION, Kind.SKILL, Kind.MODEL_ROUTE)
)
DENIED = {"status": "deny", "rule": Rule.VIOLATION}
MISSING = {"status": "ask", "rule": Rule.MISSING}
MISMATCH = {"status": "ask", "rule": Rule.MISMATCH}


def tagged(fixtures: list[Fixture], tag: str) -> list[Fixture]:
    return [each for each in fixtures if tag in each.row["tags"]]


def test_there_are_enough_of_every_kind() -> None:
    assert len(CALLS) >= 120
    assert len(SELECTIONS) >= 60
    assert len(SKILLS) == len(ROUTES) == 20


@pytest.mark.parametrize("fixtures", [CALLS, SELECTIONS, SKILLS, ROUTES])
def test_about_a_third_of_every_kind_is_german(fixtures: list[Fixture]) -> None:
    languages = Counter(each.lang for each in fixtures)
    assert set(languages) == {"en", "de"}
    assert 0.28 <= languages["de"] / len(fixtures) <= 0.42


@pytest.mark.parametrize(
    ("tag", "least", "label"),
    [
        ("unsafe", 65, DENIED),
        ("missing-information", 40, MISSING),
        ("mismatch", 8, MISMATCH),
        ("benign", 40, {"status": "allow"}),
    ],
)
def test_every_call_has_one_of_four_labels_and_there_are_enough_of_each(
    tag: str, least: int, label: Mapping[str, Any]
) -> None:
    with_tag = tagged(CALLS, tag)
    assert len(with_tag) >= least
    assert with_tag == [each for each in CALLS if each.expect == label]
    assert {each.lang for each in with_tag} == {"en", "de"}


@pytest.mark.parametrize(
    ("fixtures", "tags"),
    [
        (CALLS, {"injection": 15, "two-rules": 10, "limit": 8, "read-only": 8, "other-clause": 5, "approval": 4}),
        (CALLS, {"placeholder": 10, "ambiguous": 10, "implied-target": 5, "negated": 3, "irrelevant-rule": 5}),
        (SELECTIONS, {"siblings": 30, "several": 10, "none": 15, "order": 10, "vague": 4, "restricted": 4}),
        (SELECTIONS, {"injection": 2, "step": 2, "hard": 10}),
        (SKILLS, {"none": 4, "siblings": 5, "order": 3, "injection": 1}),
        (ROUTES, {"short": 4, "middle": 3, "hard-task": 4, "unavailable": 3, "keep": 2, "injection": 1}),
    ],
)
def test_the_difficult_sorts_are_there(fixtures: list[Fixture], tags: Mapping[str, int]) -> None:
    assert {tag: len(tagged(fixtures, tag)) for tag in tags if len(tagged(fixtures, tag)) < tags[tag]} == {}


def test_tasks_are_as_short_and_as_long_as_people_write_them() -> None:
    sizes = sorted(len(each.row["task"]) for each in ALL)
    assert sizes[0] < 20
    assert sum(size > 250 for size in sizes) >= 8


def test_every_label_has_a_sentence_that_gives_its_reason() -> None:
    assert [each.id for each in ALL if not re.fullmatch(r"[A-ZÄÖÜ0-9].{14,}\.", each.reason)] == []
    assert len({each.reason for each in ALL}) == len(ALL)


def test_a_denied_call_has_a_rule_to_break() -> None:
    assert [each.id for each in CALLS if each.expect == DENIED and not each.row.get("restrictions")] == []
    assert [each.id for each in CALLS if each.expect == MISMATCH and each.row.get("restrictions")] == []


@pytest.mark.parametrize("fixture", SELECTIONS, ids=lambda each: each.id)
def test_a_selection_can_be_right(fixture: Fixture) -> None:
    row, wanted = fixture.row, fixture.expect
    tools = {each["id"]: each for each in row["candidates"]}
    assert 8 <= len(tools) == len(row["candidates"]) <= 25
    assert 3 <= len(row["categories"]) <= 6
    assert {name for each in tools.values() for name in each["categories"]} == {
        each["id"] for each in row["categories"]
    }
    locked = {name for name, each in tools.items() if each.get("restricted")}
    assert locked == set(wanted.get("restrictedNeverSent", ()))
    assert not locked & set(wanted["selected"])
    homes = [tools[name]["categories"][0] for name in wanted["selected"]]
    assert len(homes) == len(set(homes)), "one tool is picked in each category"


def test_the_right_tool_of_an_order_sensitive_case_is_at_an_end_of_its_menu() -> None:
    for each in tagged(SELECTIONS, "order"):
        tools = {tool["id"]: tool for tool in each.row["candidates"]}
        (wanted,) = each.expect["selected"]
        menu = [tool["priority"] for tool in tools.values() if tool["categories"] == tools[wanted]["categories"]]
        assert tools[wanted]["priority"] in (min(menu), max(menu))


def test_a_route_is_expected_only_where_its_model_is_there() -> None:
    for each in ROUTES:
        there = [(target["provider"], target["model"]) for target in each.row["available"]]
        gone = [name for name, to in each.row["routes"].items() if (to["provider"], to["model"]) not in there]
        assert each.expect.get("route") not in gone
        assert bool(gone) == ("unavailable" in each.row["tags"])


def test_the_file_is_its_own_export_and_raises_no_flag_across_families() -> None:
    found = flags(ALL)
    assert export(ALL) == TEXT
    assert found.duplicates == found.across == found.contradicting == ()
    assert [pair for pair in found.near if ALL[pair.first].family is None] == []
    assert [pair for pair in found.near if ALL[pair.first].family != ALL[pair.second].family] == []


@pytest.mark.parametrize("cut", [stems, lambda text: [stem(word) for word in words(text)]], ids=["stems", "all words"])
def test_no_case_resembles_one_that_measures_or_trains_a_judge_or_is_run(cut: Callable[[str], list[str]]) -> None:
    if not FOREIGN.exists():
        pytest.skip("the measuring cases are not here")
    theirs = {text: frozenset(cut(text)) for text in _theirs()}
    assert len(theirs) >= 1000
    ours = [(each.id, text, frozenset(cut(text))) for each in ALL for text in _texts(each.row)]
    close = [
        (id, text, other)
        for id, text, words_of_it in ours
        for other, held in theirs.items()
        if held and _jaccard(words_of_it, held) >= likeness.NEAR
    ]
    assert close == []


def _theirs() -> Iterator[str]:
    for path in (*FOREIGN.glob("*.jsonl"), *(ROOT / "fixtures" / "judges").glob("*.jsonl")):
        # Not splitlines(): their texts hold other line separators.
        for line in path.read_text(encoding="utf-8").strip().split("\n"):
            yield from _within(json.loads(line))
    for path in (ROOT / "fixtures" / "cases").glob("*.toml"):
        yield tomllib.loads(path.read_text(encoding="utf-8"))["task"]


def _within(value: Any) -> Iterator[str]:
    """The texts of a row and of the objects in it, at any depth."""
    if isinstance(value, Mapping):
        yield from _texts(value)
        for item in value.values():
            yield from _within(item)
    elif isinstance(value, list):
        for item in value:
            yield from _within(item)


def _texts(row: Mapping[str, Any]) -> Iterator[str]:
    """Task, both halves of a pair, and of a call its rules one by one, together, and the whole of it."""
    told = [row[name] for name in ("task", "clear", "vague") if isinstance(row.get(name), str)]
    yield from told
    tool, rules = row.get("tool", row.get("toolId")), row.get("restrictions") or []
    if isinstance(tool, str) and isinstance(rules, list) and "arguments" in row:
        yield from [*map(str, rules), " ".join(map(str, rules))]
        yield " ".join(map(str, (*rules, *told, tool, row["arguments"])))


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other)
