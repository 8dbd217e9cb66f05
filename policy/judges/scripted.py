"""A judge that answers from a script: for tests, for demonstrations of a rule, never an opinion of its own."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from policy.engine.failures import Failure, FailureCode, JudgeFailed
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.questions import Choice, Noul, Question, Score
from policy.engine.selection.questions import ASK_FIRST

MODEL = "mock/jev-synthetic"
MOST_KEPT = 1000

_encode = json.JSONEncoder().encode
_NOTHING: Mapping[str, Any] = {}
_SPEC_KEYS = {"noul", "choice", "score", "omit", "wrongType"}
_WORDS = {"choice": "label", "score": "number"}
_EXAMPLES = {"choice": '"a label"', "score": "1.5"}


@dataclass(frozen=True, slots=True)
class Script:
    """What to answer: a spec per question id, or an error instead of answers.

    A spec is `{"noul": p}`, `{"choice": label}`, `{"choice": {"choice", "confidence", "probabilities"}}`,
    `{"score": value}`, `{"score": {"score", "confidence", "probabilities"}}`, `{"omit": true}` or
    `{"wrongType": true}`. Questions without a spec get noul 0.5, the first label at 0.9, score 0.
    """

    answers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    model: str = MODEL
    usage: Mapping[str, Any] | None = field(default_factory=lambda: {"input_tokens": 0, "output_tokens": 0})
    error: Failure | None = None


def unusable(answers: Mapping[str, Any]) -> str:
    """What cannot be played of a script, in a sentence with a mend; empty where all of it can."""
    for name, spec in answers.items():
        if not isinstance(spec, Mapping):
            return f'The script of {name} is no object; write {{"noul": 0.2}}.'
        if unknown := sorted(spec.keys() - _SPEC_KEYS):
            return f"The script of {name} has no key {unknown[0]}; use {', '.join(sorted(_SPEC_KEYS))}."
        for kind, takes in (("choice", str), ("score", int | float)):
            given = spec.get(kind)
            told: Mapping[str, Any] = given if isinstance(given, Mapping) else {kind: given}
            if given is not None and not isinstance(told.get(kind), takes):
                return f'The {kind} that {name} is to give is no {_WORDS[kind]}; write {{"{kind}": {_EXAMPLES[kind]}}}.'
            if not isinstance(told.get("confidence", 1), int | float):
                return f"The confidence that {name} is to give is no number; write one from 0 to 1."
            if not isinstance(told.get("probabilities", {}), Mapping):
                return f"The probabilities that {name} is to give are no object; write a number for every label."
    return ""


class ScriptedJudge:
    """Plays one script, or the one that `script_for(request, call)` returns (calls count from 0).

    `requests` are the last ones that came: a site asks one judge for as long as it lives.
    """

    name = "scripted"

    def __init__(
        self,
        script: Script | None = None,
        *,
        script_for: Callable[[JudgeRequest, int], Script | None] | None = None,
        pause_s: float = 0.0,
    ) -> None:
        self.script = script or Script()
        self.script_for = script_for
        self.pause_s = pause_s
        self.requests: list[JudgeRequest] = []
        self._calls = 0

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        """Answer after the pause; a pause beyond `timeout_s` is a time-out, a scripted error is raised."""
        own = self.script_for(request, self._calls) if self.script_for else None
        script = own or self.script
        self._calls += 1
        self.requests.append(request)
        del self.requests[:-MOST_KEPT]
        if self.pause_s:
            time.sleep(min(self.pause_s, timeout_s))
        if self.pause_s >= timeout_s:
            raise JudgeFailed(Failure(FailureCode.TIMEOUT, "the script pauses longer than the time that is left"))
        if script.error is not None:
            raise JudgeFailed(script.error)
        body: dict[str, Any] = {"model": script.model, "answers": _answers(request, script)}
        if script.usage is not None:
            body["usage"] = dict(script.usage)
        return JudgeReply(body, _encode(body).encode(), latency_ms=self.pause_s * 1000)


def _answers(request: JudgeRequest, script: Script) -> dict[str, Any]:
    answers: dict[str, Any] = {}
    for name, question in request.questions.items():
        spec = script.answers.get(name, _NOTHING)
        if not spec.get("omit"):
            answers[name] = _answer(name, question, spec)
    return answers


def _answer(name: str, question: Question, spec: Mapping[str, Any]) -> dict[str, Any]:
    if not _SPEC_KEYS.issuperset(spec):
        unknown = min(spec.keys() - _SPEC_KEYS)
        raise ValueError(f"the script of {name} has no key {unknown}; known keys are {', '.join(sorted(_SPEC_KEYS))}")
    match question:
        case Noul():
            answer: dict[str, Any] = {"type": "noul", "noul": spec.get("noul", 0.0 if name == ASK_FIRST else 0.5)}
        case Choice():
            answer = _choice(question, spec.get("choice"))
        case Score():
            answer = _score(question, spec.get("score", 0))
    if spec.get("wrongType"):
        answer["type"] = "score" if answer["type"] != "score" else "noul"
    return answer


def _choice(question: Choice, spec: Any) -> dict[str, Any]:
    labels = list(question.criteria)
    given: Mapping[str, Any] = spec if isinstance(spec, Mapping) else {"choice": labels[0] if spec is None else spec}
    confidence = given.get("confidence", 0.9)
    probabilities = given.get("probabilities") or _spread(labels, given["choice"], confidence)
    return {
        "type": "choice",
        "choice": given["choice"],
        "confidence": confidence,
        "probabilities": dict(probabilities),
    }


def _spread(labels: list[str], chosen: str, confidence: float) -> dict[str, float]:
    """The confidence on the label and the rest in equal parts of six decimals; the residue goes to the label."""
    if len(labels) == 1:
        return {labels[0]: 1}
    spread = dict.fromkeys(labels, round((1 - confidence) / (len(labels) - 1), 6))
    if chosen in spread:
        spread[chosen] = confidence
        spread[chosen] = round(confidence + 1 - sum(spread.values()), 6)
    return spread


def _score(question: Score, spec: Any) -> dict[str, Any]:
    given = spec if isinstance(spec, Mapping) else {"score": spec}
    levels = range(len(question.levels))
    nearest = min(max(int(given["score"] + 0.5), 0), levels[-1])
    return {
        "type": "score",
        "score": given["score"],
        "confidence": given.get("confidence", 1),
        "legend": {str(level): question.levels[level] for level in levels},
        "probabilities": dict(
            given.get("probabilities") or {str(level): int(level == nearest) for level in levels},
        ),
    }
