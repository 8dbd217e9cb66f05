"""Whatever is asked and whatever comes back: no exception, no permission from a failure, nothing that was not offered.

Shrunk examples are printed by hypothesis; `--hypothesis-seed` repeats a run.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from policy.engine import contract
from policy.engine.answer_checks import AnswerCheck, check_answer
from policy.engine.answers import ChoiceAnswer
from policy.engine.failures import Failure, FailureCode, JudgeFailed
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.profile import InvalidConfig
from policy.engine.questions import Choice, Noul
from policy.engine.routing import RoutingRefused
from tests.policy.engine import recorded
from tests.policy.engine.attempts import ATTEMPTS, Attempt
from tests.policy.engine.doubles import awaiting, drive
from tests.policy.engine.functions import favourable_reply
from tests.policy.engine.mutations import CHANGES, EDITS, JSON, Change, changed, edited
from tests.policy.engine.oracle import surely_broken, surely_broken_reply
from tests.policy.engine.recorded import Recorded

EXAMPLES = 5000
MADE = [favourable_reply(JudgeRequest({}, {"go": Noul("?"), "tool": Choice("?", dict.fromkeys("abc"))}, "test"))]
FUZZ = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


@dataclass
class Hostile:
    """A judge that would grant everything, were it not for what happens to its replies on the way.

    The first calls are answered soundly, and the caller may await. `broken` tells whether an answer that counts cannot
    be valid.
    """

    changes: Sequence[Change] = ()
    edits: Sequence[tuple[int, str]] = ()
    raw: Any = None
    sound_calls: int = 0
    awaited: bool = False
    optional: frozenset[str] = frozenset()
    name: str = "hostile"
    broken: bool = False
    told: list[tuple[Any, str]] = field(default_factory=list)
    calls: int = 0

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        self.calls += 1
        body = favourable_reply(request)
        if self.calls > self.sound_calls:
            body = self._spoiled(body)
        counted = {name: each for name, each in request.questions.items() if name not in self.optional}
        self.broken |= surely_broken_reply(counted, body)
        self.told.append((body, repr(body)))
        return JudgeReply(body, b"{}", latency_ms=1.0)

    def _spoiled(self, body: Any) -> Any:
        if self.raw is not None:
            return copy.deepcopy(self.raw)
        try:
            return edited(changed(body, self.changes), self.edits) if self.edits else changed(body, self.changes)
        except ValueError:
            self.broken = True
            raise JudgeFailed(Failure(FailureCode.INVALID_RESPONSE, "no JSON")) from None


WHEN = {"sound_calls": st.sampled_from((0, 1)), "awaited": st.sampled_from((*[False] * 19, True))}
SPOILING = st.builds(Hostile, changes=CHANGES, **WHEN)
MANGLING = st.builds(Hostile, edits=EDITS, **WHEN)
BABBLING = st.builds(Hostile, raw=JSON, **WHEN)
JUDGES = st.sampled_from((SPOILING, SPOILING, SPOILING, MANGLING, BABBLING)).flatmap(lambda kind: kind)


def holds(attempt: Attempt, judge: Hostile) -> None:
    """Run the call and check everything that must hold whatever came."""
    judge.optional = attempt.optional
    before = repr(attempt.arguments)
    try:
        steps = attempt.steps()
    except (InvalidConfig, RoutingRefused):  # a host's own setting, refused by name before anything is asked
        return
    with awaiting() if judge.awaited else nullcontext():
        result = drive(steps, judge, budget_ms=600_000)
    granted = attempt.granted(result)
    assert result.failure is None or result.failure.code is not FailureCode.UNKNOWN, "the test's own judge broke"
    assert attempt.within(result), "something was granted that was not on offer"
    assert not (granted and result.failure is not None), "a failure became a permission"
    assert not (granted and judge.broken), "an answer that cannot be valid became a permission"
    assert not judge.broken or result.failure is not None, "an answer that cannot be valid was taken"
    assert repr(attempt.arguments) == before, "the input was written to"
    assert all(repr(body) == text for body, text in judge.told), "the reply was written to"
    assert judge.calls or not granted, "something was granted without a question"
    json.dumps(result.to_json(), allow_nan=False, ensure_ascii=False).encode()


@FUZZ
@given(ATTEMPTS, JUDGES)
def test_no_reply_and_no_request_breaks_the_engine_or_gets_more_than_it_may(attempt: Attempt, judge: Hostile) -> None:
    holds(attempt, judge)


@settings(FUZZ, max_examples=200)
@given(ATTEMPTS)
def test_the_judge_of_the_fuzz_grants_something_where_nothing_is_spoiled(attempt: Attempt) -> None:
    """Otherwise the test above would hold of an engine that refuses everything."""
    judge = Hostile()
    holds(attempt, judge)
    if attempt.likely and judge.calls:
        assert attempt.granted(drive(attempt.steps(), Hostile(), budget_ms=600_000))


@settings(FUZZ, max_examples=1500)
@given(st.sampled_from(recorded.replies() or MADE), CHANGES)
def test_no_mutated_recorded_reply_breaks_validation(reply: dict[str, Any], changes: list[Change]) -> None:
    questions = {name: Recorded("", answer).question for name, answer in reply["answers"].items()}
    body = changed(copy.deepcopy(reply), changes)
    before = repr(body)
    checked = contract.validate(body, questions)
    assert repr(body) == before
    assert not any(surely_broken(questions[name], body["answers"][name]) for name in checked.answers)
    assert contract.validate(checked.to_json(), questions).answers == checked.answers


def careless(path: str, question: Any, answer: Any, **more: Any) -> AnswerCheck:
    """The check of one answer with a hole in it: a label that was never sent is as good as any other."""
    found = check_answer(path, question, answer, **more)
    wrong = {violation.path for violation in found.violations}
    if not isinstance(question, Choice) or wrong != {f"{path}.choice"} or not isinstance(answer.get("choice"), str):
        return found
    shares = {**answer["probabilities"], answer["choice"]: 0.9}
    return AnswerCheck(ChoiceAnswer(answer["choice"], shares, answer["confidence"]))


def test_a_planted_fault_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that takes an unknown label does not get through the fuzz."""
    monkeypatch.setattr(contract, "check_answer", careless)
    hunt = settings(FUZZ, database=None, phases=[Phase.generate], report_multiple_bugs=False, print_blob=False)
    # A label that was never offered is found by the oracle, or by the code that looks it up.
    with pytest.raises((AssertionError, ValueError, KeyError)):
        hunt(given(ATTEMPTS, JUDGES)(holds))()
