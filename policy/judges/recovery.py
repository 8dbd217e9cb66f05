"""Asking again when the only defect is a total (seed 002): three identical requests at most, nothing normalised."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from policy.engine.answer_checks import CHOICE_BAND, is_number
from policy.engine.contract import Validated, invalid_reply, validate
from policy.engine.failures import Failure, FailureCode, JudgeFailed
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.questions import Choice, Noul, Question, Score
from policy.engine.totals import FLOAT_SLACK
from policy.judges.attempts import AsyncWatchedJudge, Attempt, AttemptStatus, OnAttempt, WatchedJudge, unwatched

POLICY = "probability_sum_only"
MOST_REQUESTS = 3
DEADLINE_S = 45.0
# No time for another request below this.
LEAST_S = 0.05

_TYPES: Mapping[type[Question], str] = {Noul: "noul", Choice: "choice", Score: "score"}


class StopReason(StrEnum):
    """Why no further request was sent."""

    VALID = "valid"
    EXHAUSTED = "exhausted"
    FAILURE = "failure"
    CANCELLED = "cancelled"
    TIMEOUT = "timeout"
    LOCAL_LIMIT = "local_limit"


Matches = Callable[[str], bool]


def any_model(answered: str) -> bool:
    """Every named model will do, as for an alias that moves."""
    return bool(answered)


class RecoveringJudge:
    """Wraps a judge that does not retry by itself; `may_ask_again` is the host's own limit on requests.

    Every physical request is told to `on_attempt` with its verdict and a diagnostic of structure. A failure, or any
    other defect, ends the asking at once.
    """

    tells_attempts = True

    def __init__(
        self,
        judge: WatchedJudge,
        *,
        matches: Matches = any_model,
        may_ask_again: Callable[[], bool] = lambda: True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = judge.name
        self.endpoint = judge.endpoint
        self.model = judge.model
        self._judge = judge
        self._terms = _Terms(matches, may_ask_again, clock)

    def ask(self, request: JudgeRequest, *, timeout_s: float, on_attempt: OnAttempt = unwatched) -> JudgeReply:
        course = _Course(self._terms, request, timeout_s, on_attempt)
        while True:
            reply = self._judge.ask(request, timeout_s=course.left_s(), on_attempt=course.hear)
            if course.is_over(reply):
                return course.reply(reply)

    def close(self) -> None:
        self._judge.close()


class AsyncRecoveringJudge:
    """The same, awaited."""

    tells_attempts = True

    def __init__(
        self,
        judge: AsyncWatchedJudge,
        *,
        matches: Matches = any_model,
        may_ask_again: Callable[[], bool] = lambda: True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = judge.name
        self.endpoint = judge.endpoint
        self.model = judge.model
        self._judge = judge
        self._terms = _Terms(matches, may_ask_again, clock)

    async def ask(self, request: JudgeRequest, *, timeout_s: float, on_attempt: OnAttempt = unwatched) -> JudgeReply:
        course = _Course(self._terms, request, timeout_s, on_attempt)
        while True:
            reply = await self._judge.ask(request, timeout_s=course.left_s(), on_attempt=course.hear)
            if course.is_over(reply):
                return course.reply(reply)

    async def aclose(self) -> None:
        await self._judge.aclose()


@dataclass(frozen=True, slots=True)
class _Terms:
    matches: Matches
    may_ask_again: Callable[[], bool]
    clock: Callable[[], float]


@dataclass(slots=True)
class _Course:
    """One logical question on its way to a valid total, or to its end."""

    terms: _Terms
    request: JudgeRequest
    timeout_s: float
    on_attempt: OnAttempt
    _began: float = field(init=False)
    _asked: int = 0
    _before: int = 0
    _heard: int = 0
    _answered: Attempt | None = None

    def __post_init__(self) -> None:
        self._began = self.terms.clock()

    def left_s(self) -> float:
        return min(self.timeout_s, DEADLINE_S) - (self.terms.clock() - self._began)

    def hear(self, attempt: Attempt) -> None:
        """Number the attempts of the whole call; an answered one waits for its verdict."""
        numbered = replace(attempt, index=self._before + attempt.index)
        self._heard = max(self._heard, numbered.index)
        if attempt.status is AttemptStatus.ANSWERED:
            self._answered = numbered
        else:
            self.on_attempt(numbered)

    def is_over(self, reply: JudgeReply) -> bool:
        """Judge the reply; False asks for the same again, `JudgeFailed` says that this was the last time."""
        self._asked += 1
        self._before = self._heard
        verdict, checked = classify(reply, self.request, self.terms.matches)
        if self._answered is not None:
            told = replace(
                self._answered,
                status=verdict,
                diagnostic=diagnostic(reply.body, self.request, self.terms.matches),
                projection=projection(reply.body, self.request),
            )
            self._answered = None
            self.on_attempt(told)
        if verdict is not AttemptStatus.INVALID_SUM:
            return True
        self._stop_if_over(checked)
        return False

    def reply(self, reply: JudgeReply) -> JudgeReply:
        """The last reply as it came; the time covers all requests."""
        if self._asked == 1:
            return reply
        note = f"asked {self._asked} times: the totals before were not 1"
        latency_ms = (self.terms.clock() - self._began) * 1000
        return replace(reply, latency_ms=latency_ms, notes=(*reply.notes, note))

    def _stop_if_over(self, checked: Validated) -> None:
        wrong = invalid_reply(checked.violations)
        if self._asked >= MOST_REQUESTS:
            said = f"asked {self._asked} times, and the totals stayed wrong: {wrong.message}"
            raise JudgeFailed(Failure(FailureCode.INVALID_RESPONSE, said, wrong.violations))
        if self.left_s() < LEAST_S:
            said = f"no time is left to ask again after a wrong total: {wrong.message}"
            raise JudgeFailed(Failure(FailureCode.TIMEOUT, said, wrong.violations))
        if not self.terms.may_ask_again():
            said = f"the limit on requests does not allow to ask again after a wrong total: {wrong.message}"
            raise JudgeFailed(Failure(FailureCode.INVALID_RESPONSE, said, wrong.violations))


def classify(reply: JudgeReply, request: JudgeRequest, matches: Matches = any_model) -> tuple[AttemptStatus, Validated]:
    """Whether a reply is valid, wrong in nothing but a total, or wrong otherwise."""
    checked = validate(reply.body, request.questions, totals=reply.totals)
    if checked.failure is None:
        return AttemptStatus.VALID, checked
    found = diagnostic(reply.body, request, matches)
    totals = {f"answers.{name}.probabilities" for name in request.questions}
    only_totals = found["modelMatches"] and all(violation.path in totals for violation in checked.violations)
    sound = all(_is_sound(found["questions"][name]) for name in checked.by_question)
    return (AttemptStatus.INVALID_SUM if only_totals and sound else AttemptStatus.INVALID_OTHER), checked


def diagnostic(body: Mapping[str, Any], request: JudgeRequest, matches: Matches = any_model) -> dict[str, Any]:
    """Facts of structure only, question by question: no text, no name and no number that the far side made up."""
    model, answers = body.get("model"), body.get("answers")
    known: Mapping[Any, Any] = answers if isinstance(answers, Mapping) else {}
    return {
        "modelMatches": isinstance(model, str) and matches(model),
        "questions": {name: _facts(question, known.get(name)) for name, question in request.questions.items()},
    }


def projection(body: Mapping[str, Any], request: JudgeRequest) -> dict[str, dict[str, float]]:
    """The probabilities of the labels that were sent, where they are numbers in [0, 1]; nothing else."""
    answers = body.get("answers")
    known: Mapping[Any, Any] = answers if isinstance(answers, Mapping) else {}
    found: dict[str, dict[str, float]] = {}
    for name, question in request.questions.items():
        shares = _shares(known.get(name))
        values = {label: shares.get(label) for label in _labels(question)}
        found[name] = {label: float(value) for label, value in values.items() if value is not None and _unit(value)}
    return found


def stop_reason(attempts: Sequence[Attempt], failure: Failure | None) -> StopReason | None:
    """Why the asking ended, from its attempts and the failure that it ended with; None while one is pending."""
    if not attempts or attempts[-1].status is AttemptStatus.PENDING:
        return None
    last = attempts[-1].status
    if last is AttemptStatus.VALID:
        return StopReason.VALID
    if last is AttemptStatus.CANCELLED:
        return StopReason.CANCELLED
    if last is AttemptStatus.TIMEOUT or (failure is not None and failure.code is FailureCode.TIMEOUT):
        return StopReason.TIMEOUT
    if last is not AttemptStatus.INVALID_SUM:
        return StopReason.FAILURE
    wrong = sum(attempt.status is AttemptStatus.INVALID_SUM for attempt in attempts)
    return StopReason.EXHAUSTED if wrong >= MOST_REQUESTS else StopReason.LOCAL_LIMIT


def _facts(question: Question, answer: Any) -> dict[str, Any]:
    labels = _labels(question)
    given: Mapping[Any, Any] = answer if isinstance(answer, Mapping) else {}
    shares = _shares(answer)
    complete = bool(labels) and all(_unit(shares.get(label)) for label in labels)
    chosen = given.get("choice")
    leads = None
    if isinstance(question, Choice) and complete:
        peak = max(shares[label] for label in labels)
        leads = isinstance(chosen, str) and chosen in labels and shares[chosen] >= peak - CHOICE_BAND - FLOAT_SLACK
    if isinstance(question, Score):
        leads = is_number(given.get("score"), len(labels) - 1)
    return {
        "answerTypeMatches": given.get("type") == _TYPES[type(question)],
        "confidenceValid": isinstance(question, Noul) or _unit(given.get("confidence")),
        "missingOptions": sum(label not in shares for label in labels),
        "unexpectedOptions": sum(label not in labels for label in shares) if labels else 0,
        "probabilitySum": math.fsum(shares[label] for label in labels) if complete else None,
        "choiceInSet": isinstance(chosen, str) and chosen in labels if isinstance(question, Choice) else None,
        "leadingChoice": leads,
    }


def _is_sound(facts: Mapping[str, Any]) -> bool:
    """Whether nothing but the total can be wrong."""
    return (
        facts["answerTypeMatches"]
        and facts["confidenceValid"]
        and facts["missingOptions"] == facts["unexpectedOptions"] == 0
        and facts["probabilitySum"] is not None
        and facts["leadingChoice"] is not False
    )


def _labels(question: Question) -> tuple[str, ...]:
    match question:
        case Choice():
            return tuple(question.criteria)
        case Score():
            return tuple(str(level) for level in range(len(question.levels)))
    return ()


def _shares(answer: Any) -> Mapping[Any, Any]:
    shares = answer.get("probabilities") if isinstance(answer, Mapping) else None
    return shares if isinstance(shares, Mapping) else {}


def _unit(value: Any) -> bool:
    return is_number(value, 1) and not math.isnan(value)
