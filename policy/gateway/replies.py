"""A judge's reply as the vendor's answer: what the contract knows, as published, and nothing repaired."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from typing import Any

from policy.engine.answers import Answer, ChoiceAnswer, NoulAnswer, ScoreAnswer
from policy.engine.contract import validate
from policy.engine.judge import JudgeReply
from policy.gateway.refusals import of_failure
from policy.gateway.requests import WireRequest


def body(reply: JudgeReply, request: WireRequest, *, judge: str) -> dict[str, Any]:
    """The body of a 200; raises `Refusal` 502 where any answer breaks the contract, since all or none are given.

    Token counts that a judge did not report are null, never 0. What the vendor does not know is named `x_…`.
    """
    checked = validate(reply.body, request.questions, totals=reply.totals)
    if checked.failure is not None:
        raise of_failure(checked.failure, judge=judge)
    answers = {name: _answer(answer, request, name) for name, answer in checked.answers.items()}
    usage = {"input_tokens": checked.usage.input_tokens, "output_tokens": checked.usage.output_tokens}
    return {"model": checked.model, "answers": answers, "usage": usage, **_ours(reply, judge)}


def _ours(reply: JudgeReply, judge: str) -> dict[str, Any]:
    """Who answered, whether the tokens are counted or estimated, what was noted, and how old a stored answer is."""
    more: dict[str, Any] = {"x_judge": judge, "x_token_source": reply.token_source}
    if reply.notes:
        more["x_notes"] = list(reply.notes)
    if reply.cached_at is not None:
        more["x_cached_at"] = reply.cached_at.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return more


def _answer(answer: Answer, request: WireRequest, name: str) -> dict[str, Any]:
    match answer:
        case NoulAnswer():
            return {"type": "noul", "noul": answer.noul}
        case ChoiceAnswer():
            return {"type": "choice", "choice": answer.choice, **_shares(answer)}
        case ScoreAnswer():
            legend = {str(level): told for level, told in enumerate(request.levels(name))}
            return {"type": "score", "score": answer.score, "legend": legend, **_shares(answer)}


def _shares(answer: ChoiceAnswer | ScoreAnswer) -> Mapping[str, Any]:
    """As the judge published them: a total of 0.99 is not divided here."""
    published = answer.probabilities if answer.raw_probabilities is None else answer.raw_probabilities
    return {"confidence": answer.confidence, "probabilities": dict(published)}
