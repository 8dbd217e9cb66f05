"""Between a routing and a judge: its request as a choice, the validated answer as evidence."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

from policy.engine.answers import ChoiceAnswer
from policy.engine.failures import Failure, FailureCode
from policy.engine.journal import Asked, Inquiry, Journal
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.routing.questions import QUESTION_ID, RoutingRequest

STAGE = "route"

Result = TypeVar("Result")
Routed = Generator[RoutingRequest, object, Result]
Steps = Generator[JudgeRequest, JudgeReply | Failure, Result]


def judged(routing: Routed[Result], journal: Journal) -> Steps[Result]:
    """Drive a routing or a preparation with a judge.

    The answer has passed the reply contract before it is evidence: a total inside the band was divided on a copy, and
    the copy is what routing sees. A reply without a usable answer is bad evidence; any other failure stays a failure.
    """
    try:
        request = next(routing)
        while True:
            inquiry = Inquiry(STAGE, {QUESTION_ID: request.question()}, (STAGE,))
            asked = yield from journal.ask(request.state(), [inquiry])
            request = routing.send(_told(asked, journal))
    except StopIteration as end:
        result: Result = end.value
        return result


def _told(asked: Asked, journal: Journal) -> Failure | dict[str, Any] | None:
    if asked.failure is not None:
        return None if asked.failure.code is FailureCode.INVALID_RESPONSE else asked.failure
    answer = asked.answers[QUESTION_ID]
    if not isinstance(answer, ChoiceAnswer):
        return None
    return {
        "model": journal.notes[-1].model,
        "choice": answer.choice,
        "confidence": answer.confidence,
        "probabilities": dict(answer.probabilities),
    }
