"""The engine once more on answers that are there: no judge is asked, and nothing is guessed."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from policy.engine.answers import Answer
from policy.engine.canonical import canonical_json
from policy.engine.contract import validate
from policy.engine.failures import Failure
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.totals import Totals

Exchanges = Sequence[tuple[JudgeRequest, JudgeReply | Failure]]
Result = TypeVar("Result")


class Unanswered(Exception):
    """The engine asks something that nobody has answered yet."""


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


def _answers(exchanges: Exchanges) -> Iterator[tuple[str, tuple[Any, Any, Totals]]]:
    for request, sent in exchanges:
        answers = sent.body.get("answers") if isinstance(sent, JudgeReply) else None
        for name, question in request.questions.items():
            if isinstance(answers, Mapping) and name in answers and isinstance(sent, JudgeReply):
                yield canonical_json(question.to_wire()), (sent.body.get("model"), answers[name], sent.totals)


def _reply(request: JudgeRequest, known: Mapping[str, tuple[Any, Any, Totals]]) -> JudgeReply:
    found = {name: known.get(canonical_json(question.to_wire())) for name, question in request.questions.items()}
    answers = {name: each[1] for name, each in found.items() if each is not None}
    if len(answers) < len(found):
        raise Unanswered(next(name for name, each in found.items() if each is None))
    models = [each[0] for each in found.values() if each is not None]
    totals = next(each[2] for each in found.values() if each is not None)
    return JudgeReply({"model": models[0], "answers": answers}, b"", latency_ms=0.0, totals=totals)


def measured(exchanges: Exchanges) -> dict[str, Answer]:
    """Every valid answer by the id of its question."""
    found: dict[str, Answer] = {}
    for request, sent in exchanges:
        if isinstance(sent, JudgeReply):
            found.update(validate(sent.body, request.questions, totals=sent.totals).answers)
    return found
