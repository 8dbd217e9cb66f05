"""Checks that people write: exact, contains, pattern in bounded time, a path of JSON."""

from __future__ import annotations

import time
from typing import Any

import pytest

from arena.cases import specs
from arena.evidence import check_kinds, patterns
from arena.evidence.lane import CallRecord, LaneEnding, LaneEvidence
from arena.worlds.world import World


def left(answer: str, *results: Any) -> LaneEvidence:
    calls = tuple(CallRecord("read", {}, True, content=result) for result in results)
    world = World({})
    return LaneEvidence(LaneEnding.ANSWERED, answer, world, world, calls)


def test_exact_is_exact_but_for_spaces() -> None:
    spec = specs.AnswerIs("It is  12.")
    assert check_kinds.answer_is(spec, left(" It is 12.\n"))[0]
    assert not check_kinds.answer_is(spec, left("It is 12"))[0]


def test_contains_says_what_is_missing() -> None:
    passed, got = check_kinds.answer_contains(specs.AnswerContains(("tot", "sum")), left("total"))
    assert (passed, got) == (False, "missing: sum")


def test_a_pattern_is_found_or_not() -> None:
    assert check_kinds.answer_matches(specs.AnswerMatches(r"\b\d+ EUR\b"), left("It costs 12 EUR."))[0]
    assert not check_kinds.answer_matches(specs.AnswerMatches(r"^\d"), left("It"))[0]


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"((a{1,1000}){1,1000}){1,1000}$"])
def test_a_pattern_without_end_is_not_found_and_says_so(pattern: str) -> None:
    began = time.monotonic()
    passed, got = check_kinds.answer_matches(specs.AnswerMatches(pattern), left("a" * 40 + "!"))
    assert not passed
    assert "pattern" in got
    assert time.monotonic() - began < 10 * patterns.WITHIN_S


@pytest.mark.parametrize(
    ("path", "equals", "passed"),
    [
        ("$.items[1].name", "b", True),
        ("$.items[*].name", "a", True),
        ("$.items[*].name", "c", False),
        ("$.n", 2, True),
        ("$.n", True, False),
        ("$.n.more", None, False),
        ("$", None, True),
    ],
)
def test_a_path_leads_to_a_value(path: str, equals: Any, passed: bool) -> None:
    document = '{"items": [{"name": "a"}, {"name": "b"}], "n": 2}'
    for source, evidence in (("answer", left(f"```json\n{document}\n```")), ("result", left("", {"text": document}))):
        spec = specs.JsonPath(path, source, equals)  # type: ignore[arg-type]
        assert check_kinds.json_path(spec, evidence)[0] == passed


@pytest.mark.parametrize(
    "spec",
    [
        specs.AnswerIs("x"),
        specs.AnswerContains(("x", "y")),
        specs.AnswerMatches("x+"),
        specs.JsonPath("$.a[0]", "result", False),
        specs.Rubric("Is it kind?"),
    ],
)
def test_every_kind_is_read_back_as_it_was_written(spec: specs.CheckSpec) -> None:
    assert specs.read(specs.to_json(spec), "checks[0]") == spec
    assert spec.title
