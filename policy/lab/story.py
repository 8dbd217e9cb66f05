"""One judgment as the lab tells it: the decision, the answers, the rules, every word that was sent and came back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from policy.engine.breakpoints import Breakpoints, measured, told
from policy.engine.contract import validate
from policy.engine.failures import Failure
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.mode import Mode
from policy.engine.questions import Question
from policy.engine.selection import Selection
from policy.judges import registry
from policy.judges.registry import JudgeInfo
from policy.lab import groups, looks, rules
from policy.lab.cuts import Cuts, word
from policy.lab.functions import Function, Inputs
from policy.lab.groups import Group
from policy.lab.rules import RuleLine
from policy.services.asking import Judgment

BASELINES = {"local": "It is a baseline to compare with, not Jev."}
# What a judge cannot read of one function's questions; its card speaks of tools and calls.
BLIND = {
    ("local", "model"): "It compares the task with what is said of a route and knows nothing of the models.",
    ("local", "skill"): "Whether a skill is needed it cannot read: that answer stays near one half.",
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """One request, word for word, with what came back."""

    number: int
    stage: str
    size: int
    digest: str
    request: str
    reply: str = ""
    reply_size: int = 0
    failure: str = ""
    broken: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Story:
    """`flips` is None where no threshold can change anything; `data` feeds the script that decides again."""

    look: looks.Look
    headline: str
    says: str
    rule: RuleLine
    chosen: tuple[Mapping[str, Any], ...]
    more: tuple[Mapping[str, Any], ...]
    target: str
    mode: str
    failure: str
    losses: tuple[str, ...]
    judge: JudgeInfo
    caveat: str
    model: str
    profile: str
    latency_ms: float | None
    tokens: int | None
    groups: tuple[Group, ...]
    rules: tuple[RuleLine, ...]
    sheets: tuple[Sheet, ...]
    flips: Breakpoints | None
    data: Mapping[str, Any] | None


def tell(function: Function, judgment: Judgment[Any], inputs: Inputs, mode: Mode) -> Story:
    """The whole story of a judgment that was made, or made again from the ledger."""
    result, thresholds = judgment.result, judgment.profile.thresholds
    flips = function.flips(result, inputs, judgment.exchanges, profile=judgment.profile, mode=mode)
    decided = told(result)
    answers = measured(judgment.exchanges)
    listed = rules.of(function.key, result, decided, answers, thresholds)
    deciding = _deciding(listed, looks.of(decided))
    said = headline(deciding, result.failure)
    usage = result.diagnostics.usage
    known = [count for count in (usage.input_tokens, usage.output_tokens) if count is not None]
    return Story(
        look=looks.of(decided),
        headline=said,
        says="" if said == deciding.says else deciding.says,
        rule=deciding,
        chosen=tuple(decided.get("selected", ())),
        more=tuple(decided.get("expand", ())),
        target=target(decided),
        mode=_mode(mode, decided),
        failure=_failure(result.failure),
        losses=tuple(_losses(result)),
        judge=registry.info(judgment.judge),
        caveat=caveat(judgment.judge, function.key),
        model=", ".join(result.diagnostics.models),
        profile=f"{judgment.profile.name} {judgment.profile.version}",
        latency_ms=result.diagnostics.latency_ms if judgment.exchanges else None,
        tokens=sum(known) if len(known) == 2 and judgment.exchanges else None,
        groups=tuple(_groups(function, judgment, Cuts(thresholds, flips, function.key))),
        rules=listed,
        sheets=tuple(_sheet(number, *each) for number, each in enumerate(judgment.exchanges, start=1)),
        flips=flips,
        data=None if flips is None else _data(function, flips, listed, mode),
    )


def caveat(judge: str, function: str) -> str:
    """What must be said beside the answers of this judge; empty where there is nothing."""
    return " ".join(filter(None, (BASELINES.get(judge), BLIND.get((judge, function)))))


def headline(rule: RuleLine, failure: Failure | None) -> str:
    """What was measured against what, in a line; the failure where there is no measurement."""
    if failure is not None:
        return f"{failure.code.value}: {failure.message}"
    if rule.measured is None or not rule.cut:
        return rule.says
    return f"{rule.what} {rule.value}, threshold {rule.threshold}"


def target(decided: Mapping[str, Any]) -> str:
    """What a route leads to: a model, a skill, or nothing."""
    if model := decided.get("target"):
        return f"{model['provider']}/{model['model']}"
    return str(decided.get("skill") or "")


def _deciding(listed: tuple[RuleLine, ...], look: looks.Look) -> RuleLine:
    """The rule behind the decision: the first that says the same; an allow without a rule has one of its own."""
    fired = [rule for rule in listed if rule.result is not None]
    allowed = RuleLine("", "No rule fires.")
    return next((rule for rule in fired if rule.result == look), fired[0] if fired else allowed)


def _mode(mode: Mode, decided: Mapping[str, Any]) -> str:
    if mode is Mode.OFF:
        return "off: no judge was asked"
    if mode is Mode.SHADOW:
        return "shadow: a host records it and obeys nothing"
    return "enforce: a host obeys it" if decided.get("applied") else "enforce: a host keeps what it has"


def _failure(failure: Failure | None) -> str:
    return "" if failure is None else f"{failure.code.value}: {failure.message}"


def _losses(result: Any) -> Iterator[str]:
    for place, lost in result.diagnostics.loss.items():
        yield f"{place} lost {lost:,} characters"
    for loss in getattr(result, "losses", ()):
        yield f"{loss}"


def _groups(function: Function, judgment: Judgment[Any], cuts: Cuts) -> Iterator[Group]:
    questions: dict[str, Question] = {}
    broken: dict[str, str] = {}
    for request, sent in judgment.exchanges:
        questions.update(request.questions)
        if isinstance(sent, JudgeReply):
            broken.update(groups.invalid(validate(sent.body, request.questions, totals=sent.totals).by_question))
    if isinstance(judgment.result, Selection) and not broken:
        yield from groups.of_selection(judgment.result, cuts)
    else:
        yield from groups.of_answers(questions, measured(judgment.exchanges), cuts, broken)


def _sheet(number: int, request: JudgeRequest, sent: JudgeReply | Failure) -> Sheet:
    sheet = Sheet(
        number=number,
        stage=request.stage,
        size=len(request.encoded()),
        digest=request.digest,
        request=json.dumps(request.to_wire(), indent=2, ensure_ascii=False),
    )
    if isinstance(sent, Failure):
        return replace(sheet, failure=_failure(sent))
    broken = validate(sent.body, request.questions, totals=sent.totals).violations
    return replace(
        sheet,
        reply=sent.raw.decode(errors="replace"),
        reply_size=len(sent.raw),
        broken=tuple(f"{each.path or 'reply'}: {each.message}" for each in broken),
    )


def _data(function: Function, flips: Breakpoints, listed: tuple[RuleLine, ...], mode: Mode) -> dict[str, Any]:
    """Everything that the script needs to decide again: tables of the engine, and how each decision is told."""
    tables = [table.to_json() for table in flips.tables]
    for table in tables:
        for decision in table["decisions"]:
            decision.update(
                look=looks.key_of(decision), word=word(decision), target=target(decision), mode=_mode(mode, decision)
            )
    base = {axis.name: getattr(flips.base, axis.name) for table in flips.tables for axis in table.axes}
    return {
        "function": function.key,
        "base": base,
        "tables": tables,
        "rules": rules.to_json(listed),
        "looks": looks.to_json(),
        "unmeasured": looks.UNMEASURED.to_json(),
    }
