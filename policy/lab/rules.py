"""The rules of each function with the value that each measured, its threshold, and which of them decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from policy.engine import arguments, assessment
from policy.engine.answers import Answer, NoulAnswer
from policy.engine.call_questions import MATCHES_TASK, MISSING_INFORMATION, VIOLATES_RESTRICTION
from policy.engine.profile import Thresholds
from policy.judge_card import number
from policy.lab import looks

Decided = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One line of the table. `measured` is None where nothing was; `cut` names the threshold, `below` its side.

    `unused` is true where the answer was there and the judgment failed: no part of such a reply decides anything.
    """

    id: str
    says: str
    what: str = ""
    measured: float | None = None
    cut: str = ""
    below: bool = False
    result: looks.Look | None = None
    threshold: str = ""
    margin: str = ""
    value: str = ""
    unused: bool = False

    @property
    def sign(self) -> str:
        return "<" if self.below else "≥"


def of(
    function: str, result: Any, decided: Decided, answers: Mapping[str, Answer], thresholds: Thresholds
) -> tuple[RuleLine, ...]:
    """Every rule in the order in which the engine looks at it; one that fired and is not listed comes first."""
    fired = fired_by(decided)
    reasons = {each["rule"]: each["reason"] for each in result.decision_json().get("decisions", ())}
    listed = tuple(_call(answers) if function == "call" else _LISTED[function](result))
    known = {rule.id for rule in listed}
    local = tuple(RuleLine(rule, _SAYS.get(rule, "")) for rule in fired if rule not in known)
    told = (_reasoned(rule, reasons.get(rule.id)) for rule in (*local, *listed))
    failed = result.failure is not None
    return tuple(
        replace(_filled(rule, fired.get(rule.id), thresholds), unused=failed and bool(rule.cut)) for rule in told
    )


def fired_by(decided: Decided) -> dict[str, looks.Look]:
    """The rules that decided, and what each decided."""
    if "decisions" in decided:
        return {each["rule"]: looks.of({"status": each["action"]}) for each in decided["decisions"]}
    return {decided["rule"]: looks.of(decided)}


def to_json(rules: tuple[RuleLine, ...]) -> list[dict[str, Any]]:
    """What the script needs to say which rule decides under moved thresholds."""
    keys = ("id", "says", "what", "measured", "cut", "below")
    return [{key: value for key, value in asdict(rule).items() if key in keys} for rule in rules]


def _reasoned(rule: RuleLine, reason: str | None) -> RuleLine:
    """A rule that needs no judge says what it found; the others say it by their numbers."""
    if reason is None or rule.cut or rule.id == assessment.Rule.CLEAR:
        return rule
    return replace(rule, says=f"{reason[:1].upper()}{reason[1:]}.")


def _filled(rule: RuleLine, result: looks.Look | None, thresholds: Thresholds) -> RuleLine:
    if not rule.cut:
        return replace(rule, result=result, value=number(rule.measured))
    cut = getattr(thresholds, rule.cut)
    margin = None if rule.measured is None else rule.measured - cut
    return replace(rule, result=result, value=number(rule.measured), threshold=number(cut), margin=signed(margin))


def signed(value: float | None) -> str:
    """The distance to a threshold, sign always shown: +.41, −.26; empty where there is none."""
    if value is None:
        return ""
    return f"{'−' if value < 0 else '+'}{number(abs(value))}"


def _call(answers: Mapping[str, Answer]) -> Iterator[RuleLine]:
    yield RuleLine(arguments.RULE, _SAYS[arguments.RULE])
    for rule, question, cut in (
        ("assessment.restriction-violation", VIOLATES_RESTRICTION, "restriction"),
        ("assessment.missing-information", MISSING_INFORMATION, "missing_information"),
        ("assessment.task-mismatch", MATCHES_TASK, "task_match"),
    ):
        answer = answers.get(question)
        measured = answer.noul if isinstance(answer, NoulAnswer) else None
        yield RuleLine(rule, _SAYS[rule], question, measured, cut, below=cut == "task_match")
    yield RuleLine(assessment.Rule.CLEAR.value, "No rule against the call fires.")


def _select(result: Any) -> Iterator[RuleLine]:
    relevance = max((each.relevance for each in result.categories if each.relevance is not None), default=None)
    shares = [pick.probability for each in result.categories for pick in each.picks if pick.tool is not None]
    best = max(shares, default=None)
    for rule, what, measured, cut, below in (
        ("selection.ask-first", "ask_first", result.ask_first, "ask_first", False),
        ("selection.no-relevant-category", "best relevance", relevance, "relevance", True),
        ("selection.selected", "best pick", best, "selection", False),
        ("selection.weak-winner", "best pick", best, "selection", True),
        ("selection.cap", "", None, "", False),
        ("selection.none-fits", "", None, "", False),
    ):
        yield RuleLine(rule, _SAYS[rule], what, measured, cut, below)


def _model(result: Any) -> Iterator[RuleLine]:
    share = None if result.choice in (None, "default") else result.probability
    yield RuleLine("model.kept", _SAYS["model.kept"])
    yield RuleLine("model.below-threshold", _SAYS["model.below-threshold"], "probability", share, "model_route", True)
    yield RuleLine("model.not-available", _SAYS["model.not-available"])
    yield RuleLine("model.routed", _SAYS["model.routed"], "probability", share, "model_route")


def _skill(result: Any) -> Iterator[RuleLine]:
    chosen = result.choice not in (None, "__none__")
    share, sure = (result.probability, result.confidence) if chosen else (None, None)
    yield RuleLine("skill.none", _SAYS["skill.none"])
    yield RuleLine("skill.not-needed", _SAYS["skill.not-needed"], "needs_skill", result.needs_skill, "skill", True)
    yield RuleLine("skill.below-threshold", _SAYS["skill.below-threshold"], "probability", share, "selection", True)
    yield RuleLine("skill.unsure", _SAYS["skill.unsure"], "confidence", sure, "confidence", True)
    yield RuleLine("skill.selected", _SAYS["skill.selected"])


_LISTED = {"select": _select, "model": _model, "skill": _skill}
_SAYS = {
    "assessment.restriction-violation": "The call likely contradicts a restriction that was stated.",
    "assessment.missing-information": "Something that the call needs is likely missing.",
    "assessment.task-mismatch": "The call likely does not serve the task.",
    "assessment.incomplete-input": "The call does not fit the bounds, so it was not sent: a part is never judged.",
    "assessment.failure.ask": "There is no usable assessment, so a person is asked.",
    "assessment.failure.hold": "There is no usable assessment, so the call is held.",
    arguments.RULE: "Something that the tool's schema requires is not given.",
    "selection.ask-first": "The task leaves something open, so a question comes first.",
    "selection.no-relevant-category": "No category is relevant.",
    "selection.selected": "At least one pick is strong enough.",
    "selection.weak-winner": "The best fit is too weak, so a person is asked.",
    "selection.cap": "A tool was picked, but the cap leaves room for none.",
    "selection.none-fits": "In every relevant category no tool fits.",
    "selection.no-candidates": "There is no tool that may be offered.",
    "selection.failure": "There is no usable judgment, so no menu.",
    "selection.off": "The mode is off, so no judge was asked.",
    "model.kept": "The judge would keep the model in force.",
    "model.below-threshold": "The route is too weak, so the model in force stays.",
    "model.not-available": "The route leads to a model that is not available now.",
    "model.routed": "The route is strong enough and its model is available.",
    "model.no-routes": "No route has a model.",
    "model.failure": "There is no usable judgment, so the model in force stays.",
    "model.off": "The mode is off, so no judge was asked.",
    "skill.none": "The judge chose none of the skills.",
    "skill.not-needed": "The turn likely needs no skill.",
    "skill.below-threshold": "The best skill fits too weakly.",
    "skill.unsure": "The judge is not sure enough of its choice.",
    "skill.selected": "A skill is needed, fits, and the judge is sure enough.",
    "skill.no-skills": "There is no skill that may be offered.",
    "skill.failure": "There is no usable judgment, so no skill.",
    "skill.off": "The mode is off, so no judge was asked.",
}
