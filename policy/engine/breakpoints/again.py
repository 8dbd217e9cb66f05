"""The engine once more on answers that are there: no judge is asked, and nothing is guessed."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from policy.engine.answers import Answer
from policy.engine.canonical import canonical_json
from policy.engine.contract import validate
from policy.engine.failures import Failure
from policy.engine.judge import JudgeReply, JudgeRequest

Exchanges = Sequence[tuple[JudgeRequest, JudgeReply | Failure]]
Result = TypeVar("Result")


class Unanswered(Exception):
    """The engine asks something that nobody has answered yet."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What a reply says to one question; an answer that it leaves out stays left out."""

    reply: JudgeReply
    given: bool
    answer: Any


def again(
    steps: Generator[JudgeRequest, JudgeReply | Failure, Result],
    exchanges: Exchanges,
) -> Result:
    """Run a generator of the engine on answers that are there; raises `Unanswered` where it asks for more.

    Answers are found by their question, not by their request: other thresholds batch the same questions otherwise.
    """
    known = dict(_answers(exchanges))
    try:
        request = next(steps)
        while True:
            request = steps.send(_reply(request, known))
    except StopIteration as end:
        result: Result = end.value
        return result


def _answers(exchanges: Exchanges) -> Iterator[tuple[str, _Known]]:
    for request, sent in exchanges:
        if isinstance(sent, Failure):
            continue
        answers = sent.body.get("answers") if isinstance(sent.body, Mapping) else None
        given = answers if isinstance(answers, Mapping) else {}
        for name, question in request.questions.items():
            yield canonical_json(question.to_wire()), _Known(sent, name in given, given.get(name))


def _reply(request: JudgeRequest, known: Mapping[str, _Known]) -> JudgeReply:
    found = {name: known.get(canonical_json(question.to_wire())) for name, question in request.questions.items()}
    if unasked := next((name for name, each in found.items() if each is None), None):
        raise Unanswered(unasked)
    answers = {name: each.answer for name, each in found.items() if each is not None and each.given}
    first = next(each.reply for each in found.values() if each is not None)
    model = first.body.get("model") if isinstance(first.body, Mapping) else None
    return JudgeReply({"model": model, "answers": answers}, b"", latency_ms=0.0, totals=first.totals)


def measured(exchanges: Exchanges) -> dict[str, Answer]:
    """Every valid answer by the id of its question."""
    found: dict[str, Answer] = {}
    for request, sent in exchanges:
        if isinstance(sent, JudgeReply):
            found.update(validate(sent.body, request.questions, totals=sent.totals).answers)
    return found
