"""The break-points of the functions that ask once: their generator is run again in every cell."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from policy.engine.answers import Answer, ChoiceAnswer, NoulAnswer
from policy.engine.breakpoints.again import Exchanges, Unanswered, again, measured
from policy.engine.breakpoints.tables import Axis, Breakpoints, Decided, breakpoints
from policy.engine.call_questions import MATCHES_TASK, MISSING_INFORMATION, VIOLATES_RESTRICTION
from policy.engine.failures import Failure
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.profile import Profile, Thresholds


class Result(Protocol):
    """What every function of the engine returns."""

    @property
    def failure(self) -> Failure | None: ...

    def decision_json(self) -> dict[str, Any]: ...


Kind = TypeVar("Kind", bound=Result)
Begin = Callable[[Profile], Generator[JudgeRequest, JudgeReply | Failure, Kind]]

# Questions by the threshold that their answer is compared with (seed 000, Tool-call assessment, Skill routing).
_NOULS = {
    "restriction": VIOLATES_RESTRICTION,
    "missing_information": MISSING_INFORMATION,
    "task_match": MATCHES_TASK,
    "skill": "needs_skill",
}
_SHARES = {"selection": "skill", "model_route": "route"}
_CONFIDENCES = {"confidence": "skill"}
_KEYS = ("status", "outcome", "rule", "applied", "selected", "expand", "route", "target", "skill")


def of_steps(begin: Begin[Kind], exchanges: Exchanges, *, names: Sequence[str], profile: Profile) -> Breakpoints | None:
    """Every decision that other thresholds make of the same answers; None where there is no usable answer.

    `begin` starts the function under a profile; `names` are the thresholds that it reads.
    """
    answers = measured(exchanges)
    try:
        usable = again(begin(profile), exchanges).failure is None
    except Unanswered:
        return None
    axes = tuple(Axis.of(name, _values(name, answers)) for name in names)
    if not usable or not any(axis.points for axis in axes):
        return None

    def decide(cuts: Thresholds) -> Decided | None:
        try:
            return told(again(begin(replace(profile, thresholds=cuts)), exchanges))
        except Unanswered:
            return None

    return breakpoints(axes, decide, base=profile.thresholds)


def told(result: Result) -> dict[str, Any]:
    """What of a result depends on thresholds, without sentences that quote them."""
    decided = result.decision_json()
    kept = {key: decided[key] for key in _KEYS if key in decided}
    fired = [{"action": each["action"], "rule": each["rule"]} for each in decided.get("decisions", ())]
    return {**kept, "decisions": fired} if "decisions" in decided else kept


def _values(name: str, answers: dict[str, Answer]) -> list[float | None]:
    noul, share, confidence = (answers.get(names.get(name, "")) for names in (_NOULS, _SHARES, _CONFIDENCES))
    return [
        noul.noul if isinstance(noul, NoulAnswer) else None,
        share.probabilities[share.choice] if isinstance(share, ChoiceAnswer) else None,
        confidence.confidence if isinstance(confidence, ChoiceAnswer) else None,
    ]
