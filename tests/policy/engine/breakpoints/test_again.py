"""The engine once more on answers that are there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from policy.engine.breakpoints import Unanswered, again, told
from policy.engine.profile import Profile, Thresholds
from policy.engine.receipts import SelectionCall
from policy.judges.scripted import Script
from tests.policy.engine.doubles import tools
from tests.policy.engine.selection.test_properties import played

CALL = SelectionCall(task="t", candidates=tuple(tools(net="dig ping", disk="du df")), profile=Profile())
ANSWERS = Script({"rel_net": {"noul": 0.9}, "rel_disk": {"noul": 0.1}, "pick_net": {"choice": "dig"}})


def test_the_same_thresholds_decide_the_same() -> None:
    selection, recorder = played(CALL, lambda request, number: ANSWERS)
    assert told(again(CALL.steps(), recorder.exchanges)) == told(selection)


def test_a_question_that_nobody_was_asked_is_not_answered_by_a_guess() -> None:
    _, recorder = played(CALL, lambda request, number: ANSWERS)
    lower = replace(CALL, profile=Profile(thresholds=Thresholds(relevance=0.1)))
    with pytest.raises(Unanswered, match="pick_disk"):
        again(lower.steps(), recorder.exchanges)


def test_an_answer_that_the_judge_left_out_stays_left_out() -> None:
    left_out = Script({"rel_net": {"noul": 0.9}, "rel_disk": {"omit": True}})
    selection, recorder = played(CALL, lambda request, number: left_out)
    assert selection.failure is not None
    assert again(CALL.steps(), recorder.exchanges).failure == selection.failure
