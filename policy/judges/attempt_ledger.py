"""All physical requests of one logical call as a document, its totals, and a strict reading of such a document."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from policy.engine.failures import Failure
from policy.engine.judge import JudgeRequest
from policy.engine.questions import Choice, Question, Score
from policy.engine.totals import Totals, in_band
from policy.judges.attempts import Attempt, AttemptStatus
from policy.judges.recovery import DEADLINE_S, MOST_REQUESTS, POLICY, StopReason, stop_reason

VERSION = 1
NO_RECOVERY = "none"
SUM_SLACK = 1e-9

# What may stand before another request: a wrong total under recovery, a failure that may pass under retries.
_BEFORE = {
    POLICY: {AttemptStatus.INVALID_SUM},
    NO_RECOVERY: {AttemptStatus.HTTP_ERROR, AttemptStatus.TRANSPORT_ERROR, AttemptStatus.TIMEOUT},
}
_READ = {AttemptStatus.VALID, AttemptStatus.INVALID_SUM, AttemptStatus.INVALID_OTHER}


class InvalidLedger(ValueError):
    """A document that does not agree with itself; the message names the place."""


@dataclass(frozen=True, slots=True)
class CallTotals:
    """What a call took. A sum is None as soon as one attempt does not know its part; `known_*` add what is reported.

    `complete` is false while a request is under way: the figures are lower bounds then. Times in milliseconds.
    """

    requests: int
    retries: int
    complete: bool
    input_tokens: int | None
    output_tokens: int | None
    known_input_tokens: int
    known_output_tokens: int
    unknown_attempts: int
    retry_latency_ms: float | None


@dataclass(slots=True)
class AttemptLedger:
    """Hears the attempts of one call: give `hear` to a judge as `on_attempt`, then `end` what it ended with.

    `retries` are the judge's own where there is no recovery.
    """

    request: JudgeRequest
    recovery: str = NO_RECOVERY
    retries: int = 0
    totals: Totals = Totals.STRICT
    timeout_ms: int = int(DEADLINE_S * 1000)
    attempts: list[Attempt] = field(default_factory=list)
    failure: Failure | None = None

    def hear(self, attempt: Attempt) -> None:
        """A request that was sent, or the end of it, which takes the place of the first."""
        if self.attempts and self.attempts[-1].index == attempt.index:
            self.attempts[-1] = attempt
        else:
            self.attempts.append(attempt)

    def end(self, failure: Failure | None = None) -> None:
        self.failure = failure

    @property
    def complete(self) -> bool:
        return bool(self.attempts) and self.attempts[-1].status is not AttemptStatus.PENDING

    def call_totals(self) -> CallTotals:
        """Every attempt counts, whatever came of it: unknown is not free."""
        inputs = [attempt.input_tokens for attempt in self.attempts]
        outputs = [attempt.output_tokens for attempt in self.attempts]
        waits = [attempt.latency_ms for attempt in self.attempts[1:]]
        return CallTotals(
            requests=len(self.attempts),
            retries=max(len(self.attempts) - 1, 0),
            complete=self.complete,
            input_tokens=_sum(inputs),
            output_tokens=_sum(outputs),
            known_input_tokens=sum(count for count in inputs if count is not None),
            known_output_tokens=sum(count for count in outputs if count is not None),
            unknown_attempts=sum(None in pair for pair in zip(inputs, outputs, strict=True)),
            retry_latency_ms=None if None in waits else math.fsum(wait for wait in waits if wait is not None),
        )

    def to_json(self) -> dict[str, Any]:
        """Facts only: no text of the far side, no key, no state."""
        stopped = stop_reason(self.attempts, self.failure)
        returned = self.attempts[-1].index if stopped is StopReason.VALID else None
        return {
            "version": VERSION,
            "recovery": self.recovery,
            "maxAttempts": MOST_REQUESTS if self.recovery == POLICY else 1 + self.retries,
            "timeoutMs": self.timeout_ms,
            "totals": self.totals.value,
            "optionIds": {name: list(labels) for name, each in self.request.questions.items() if (labels := _of(each))},
            "complete": self.complete,
            "attempts": [_attempt_json(attempt) for attempt in self.attempts],
            "returnedAttempt": returned,
            "stopReason": stopped.value if stopped else None,
        }


def check(document: Any) -> None:
    """Raise `InvalidLedger` for a ledger whose order, bytes, totals or verdicts do not agree."""
    try:
        _check(document)
    except (AttributeError, KeyError, TypeError) as error:
        raise InvalidLedger(f"a part of the ledger has the wrong type: {type(error).__name__}") from None


def _check(document: Any) -> None:
    if not isinstance(document, Mapping) or document.get("version") != VERSION:
        raise InvalidLedger(f"a ledger is an object with version {VERSION}")
    recovery, most = document.get("recovery"), document.get("maxAttempts")
    if (
        recovery not in _BEFORE
        or not isinstance(most, int)
        or most < 1
        or (recovery == POLICY and most != MOST_REQUESTS)
    ):
        raise InvalidLedger("recovery and maxAttempts do not belong together")
    attempts, options = document.get("attempts"), document.get("optionIds")
    if not isinstance(attempts, list) or not isinstance(options, Mapping):
        raise InvalidLedger("attempts must be a list and optionIds an object")
    try:
        totals = Totals(document["totals"])
        statuses = [AttemptStatus(attempt["status"]) for attempt in attempts]
    except ValueError:
        raise InvalidLedger("totals or the status of an attempt is unknown") from None
    _check_order(attempts, statuses, most=most, before=_BEFORE[recovery])
    for place, (attempt, status) in enumerate(zip(attempts, statuses, strict=True), start=1):
        if status in _READ:
            _check_verdict(attempt, status, options, totals, f"attempt {place}")
    complete = bool(statuses) and statuses[-1] is not AttemptStatus.PENDING
    if document.get("complete") is not complete:
        raise InvalidLedger("complete must say whether the last attempt has ended")
    _check_end(document, statuses)


def _check_order(
    attempts: Sequence[Any], statuses: Sequence[AttemptStatus], *, most: int, before: set[AttemptStatus]
) -> None:
    """Only what the policy names is asked for again, with the same bytes; only the last may be under way."""
    if [attempt.get("index") for attempt in attempts] != list(range(1, len(attempts) + 1)):
        raise InvalidLedger("attempts must be numbered from 1")
    asked = [status for status in statuses if status is not AttemptStatus.REDIRECTED]
    if len(asked) > most:
        raise InvalidLedger(f"more than {most} requests")
    if not before.issuperset(asked[:-1]):
        raise InvalidLedger("a request follows one that was the last")
    if len({attempt.get("requestBytes") for attempt in attempts}) > 1:
        raise InvalidLedger("the requests are not of the same size")


def _check_verdict(
    attempt: Mapping[str, Any], status: AttemptStatus, options: Mapping[str, Any], totals: Totals, where: str
) -> None:
    diagnostic, projection = attempt.get("diagnostic"), attempt.get("projection")
    facts = diagnostic.get("questions") if isinstance(diagnostic, Mapping) else None
    if not isinstance(facts, Mapping) or not isinstance(projection, Mapping) or not options.keys() <= facts.keys():
        raise InvalidLedger(f"{where} has no diagnostic of its questions")
    wrong = 0
    for name, labels in options.items():
        told, shares = facts[name].get("probabilitySum"), projection.get(name)
        if not isinstance(shares, Mapping) or not shares.keys() <= set(labels):
            raise InvalidLedger(f"{where} projects options of {name} that were not sent")
        if told is not None and abs(math.fsum(shares.values()) - told) > SUM_SLACK:
            raise InvalidLedger(f"{where} adds up {name} to another total than it says")
        wrong += told is not None and not in_band(told, len(labels), totals)
    if status is AttemptStatus.VALID and (wrong or any(facts[name]["probabilitySum"] is None for name in options)):
        raise InvalidLedger(f"{where} is said to be valid, and a total is not")
    if status is AttemptStatus.INVALID_SUM and not wrong:
        raise InvalidLedger(f"{where} is said to have a wrong total, and none is")


def _check_end(document: Mapping[str, Any], statuses: Sequence[AttemptStatus]) -> None:
    valid = bool(statuses) and statuses[-1] is AttemptStatus.VALID
    stopped = document.get("stopReason")
    if document.get("returnedAttempt") != (len(statuses) if valid else None):
        raise InvalidLedger("returnedAttempt must be the valid one")
    if stopped is None and document["complete"]:
        raise InvalidLedger("a ledger that is complete says why it stopped")
    if stopped is not None and (stopped not in list(StopReason) or not document["complete"]):
        raise InvalidLedger("stopReason is unknown, or a request is still under way")
    if (stopped == StopReason.VALID.value) is not valid:
        raise InvalidLedger("stopReason is valid exactly where the last reply is")


def _attempt_json(attempt: Attempt) -> dict[str, Any]:
    return {
        "index": attempt.index,
        "status": attempt.status.value,
        "requestBytes": attempt.request_bytes,
        "responseBytes": attempt.response_bytes,
        "inputTokens": attempt.input_tokens,
        "outputTokens": attempt.output_tokens,
        "latencyMs": attempt.latency_ms,
        "httpStatus": attempt.http_status,
        "diagnostic": attempt.diagnostic,
        "projection": attempt.projection,
    }


def _of(question: Question) -> Sequence[str]:
    """The options that a question was sent with; a noul has none."""
    match question:
        case Choice():
            return list(question.criteria)
        case Score():
            return [str(level) for level in range(len(question.levels))]
    return ()


def _sum(counts: Sequence[int | None]) -> int | None:
    return None if None in counts else sum(count for count in counts if count is not None)
