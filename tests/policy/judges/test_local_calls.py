"""The questions about a tool call: weak, and never more than weak."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from policy.engine.call_questions import MATCHES_TASK, MISSING_INFORMATION, QUESTIONS, VIOLATES_RESTRICTION
from policy.engine.call_state import call_state
from policy.judges.local import LocalJudge, call_features
from policy.judges.local.call_features import blank
from policy.judges.local.calls import Call
from policy.judges.local.reading import Reading
from policy.judges.local.vectors import Centres
from policy.judges.local.verbs import Deed
from tests.policy.judges.conftest import answer, ask

RULES = ("Nothing in the garden may be removed.",)


def _state(
    tool: str, arguments: dict[str, Any], *, task: str = "Tidy up the garden.", rules: tuple[str, ...] = RULES
) -> dict[str, Any]:
    return dict(call_state(task=task, tool=tool, arguments=arguments, restrictions=rules).state)


def _noul(judge: LocalJudge, kind: str, state: dict[str, Any]) -> float:
    value: float = answer(judge, state, QUESTIONS[kind])["noul"]
    return value


def test_arguments_are_read_as_json_text_and_as_an_object() -> None:
    told = {"tool": "remove_tree", "arguments": {"tree": {"no": 4}, "when": None}}
    as_text = {**told, "arguments": json.dumps(told["arguments"])}
    assert Call.of({"call": told}) == Call.of({"call": as_text}) == Call("remove_tree", ("4", ""), ())


@pytest.mark.parametrize("state", ["Tidy up.", {"task": "Tidy up."}, {"call": "remove_tree"}, {"call": {"tool": 3}}])
def test_a_state_without_a_call_has_none(state: Any) -> None:
    assert Call.of(state) is None


@pytest.mark.parametrize("value", ["", " ", "TODO", "<tree>", "???", "unbekannt"])
def test_stand_ins_count_as_blank(value: str) -> None:
    assert blank(value)
    assert not blank(f"{value} oak tree 4")


def test_the_last_of_many_restrictions_is_read_as_the_first(words: LocalJudge) -> None:
    others = tuple(f"Water bed {number} on Mondays." for number in range(40))
    first, last = (_state("remove_tree", {"tree": "oak"}, rules=rules) for rules in (RULES + others, others + RULES))
    assert _noul(words, VIOLATES_RESTRICTION, first) == _noul(words, VIOLATES_RESTRICTION, last)
    assert _noul(words, VIOLATES_RESTRICTION, last) > _noul(
        words, VIOLATES_RESTRICTION, _state("remove_tree", {"tree": "oak"}, rules=others)
    )


def test_a_redacted_value_was_given() -> None:
    call = Call.of(_state("log_in", {"password": "hunter2", "user": "<name>"}))
    assert call is not None
    assert [blank(value) for value in call.values] == [False, True]


def test_a_verb_in_a_value_counts_as_a_deed() -> None:
    assert Call("run_query", ("DELETE FROM trees",), ()).deeds >= {Deed.REMOVE}
    assert Deed.REMOVE not in Call("run_query", ("SELECT deleted FROM trees",), ()).deeds


def test_removing_is_likelier_to_break_a_rule_than_looking(words: LocalJudge) -> None:
    removing = _noul(words, VIOLATES_RESTRICTION, _state("remove_tree", {"place": "garden"}))
    looking = _noul(words, VIOLATES_RESTRICTION, _state("list_trees", {"place": "garden"}))
    assert looking < removing < 0.95


def test_without_a_rule_nothing_is_broken(judge: LocalJudge) -> None:
    assert _noul(judge, VIOLATES_RESTRICTION, _state("remove_tree", {}, rules=())) == 0.02


def test_blank_arguments_make_missing_information_likelier(words: LocalJudge) -> None:
    given = _noul(words, MISSING_INFORMATION, _state("plant_tree", {"kind": "oak", "place": "north corner"}))
    assert _noul(words, MISSING_INFORMATION, _state("plant_tree", {"kind": "", "place": None})) > given


def test_a_call_about_the_task_serves_it_more_than_another(judge: LocalJudge) -> None:
    task = "How many trees stand in the garden?"
    about = _noul(judge, MATCHES_TASK, _state("count_trees", {"place": "garden"}, task=task))
    assert about > _noul(judge, MATCHES_TASK, _state("book_flight", {"to": "Oslo"}, task=task))


def test_the_answers_say_that_they_are_weak(judge: LocalJudge) -> None:
    reply = ask(judge, _state("remove_tree", {}), **QUESTIONS)
    weak = [note for note in reply.notes if "weak" in note]
    assert {note.split(":")[0] for note in weak} == {VIOLATES_RESTRICTION, MISSING_INFORMATION}


def test_a_call_question_without_a_call_stays_near_one_half(words: LocalJudge) -> None:
    assert 0.35 <= _noul(words, VIOLATES_RESTRICTION, {"task": "Tidy up the garden."}) <= 0.65


def test_features_have_exactly_the_fitted_names() -> None:
    reading = Reading.of(_state("list_trees", {}), comparer=None, centre=Centres((), (), ()), deadline=math.inf)
    assert reading.call is not None
    assert set(call_features.violates(reading.call, reading)) == set(call_features.VIOLATES)
    assert set(call_features.missing(reading.call, reading)) == set(call_features.MISSING)
    assert set(call_features.matches(reading.call, reading)) == set(call_features.MATCHES)
