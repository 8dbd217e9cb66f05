"""What the judge was asked and what it answered: the outcome, the nearest categories, every word of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.live import figures, story_routing
from arena.live.story_events import Asked
from arena.live.story_meters import Meter, meter
from arena.live.story_states import State
from arena.models import Arm
from policy.judges import registry

NEAREST = 6
_OUTCOMES = {
    "selected": State("selected", "good", "tools selected", "ok"),
    "needs_clarification": State("needs_clarification", "asking", "needs clarification", "ask"),
    "no_match": State("no_match", "void", "no tool fits", "off"),
    "unavailable": State("unavailable", "bad", "no usable judgment", "bad"),
}
_BASELINES = {"local": "It is a baseline to compare with, not Jev."}
_BLOCKED = "selection.prerequisite-blocked"


@dataclass(frozen=True, slots=True)
class Answer:
    """One validated answer in the order asked: a category with its relevance and, where asked, its pick."""

    category: str
    relevance: str
    relevant: bool
    picks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One request, openable: what was sent, what came back, word for word."""

    number: int
    stage: str
    facts: str
    notes: tuple[str, ...]
    request: str
    reply: str
    failure: str
    digest: str


@dataclass(frozen=True, slots=True)
class JudgeStory:
    """`outcome` is None until decided; `about` says in a sentence what this judge is."""

    name: str
    about: str
    baseline: str
    leaves_machine: bool | None
    outcome: State | None
    rule: str
    reason: str
    matter: str
    meters: tuple[Meter, ...]
    below: str
    question: Meter | None
    routing: story_routing.RoutingStory | None
    took: str
    tokens: str
    sheets: tuple[Sheet, ...]
    answers: tuple[Answer, ...]
    waiting: bool

    @property
    def question_meters(self) -> tuple[Meter, ...]:
        return (self.question,) if self.question else ()


def tell(
    asked: Sequence[Asked], decided: Mapping[str, Any] | None, setup: Mapping[str, Any], *, stopped: bool
) -> JudgeStory | None:
    """The judge's part of a run; None where no lane needed it."""
    if not any(Arm(arm).asks_judge for arm in setup["arms"]):
        return None
    selection = decided["selection"] if decided else None
    thresholds = setup["profile"]["thresholds"]
    categories = _by_relevance(selection)
    cut = thresholds["relevance"]
    about, leaves = _about(setup["judge"])
    return JudgeStory(
        name=setup["judge"],
        about=about,
        baseline=_BASELINES.get(setup["judge"], ""),
        leaves_machine=leaves,
        outcome=_OUTCOMES[decided["outcome"]] if decided else None,
        rule=decided["rule"] if decided else "",
        reason=_reason(decided),
        matter=_matter(selection, cut),
        meters=tuple(meter(row["category"], row["relevance"], cut) for row in categories[:NEAREST]),
        below=_below(categories),
        question=_question(selection, thresholds["askFirst"]),
        routing=story_routing.tell(selection, setup),
        took=figures.seconds(sum(each.latency_s or 0 for each in asked)) if asked else "",
        tokens=_tokens(asked),
        sheets=tuple(_sheet(number, each, stopped) for number, each in enumerate(asked, start=1)),
        answers=tuple(_answer(row) for row in selection.get("categories", ())) if selection else (),
        waiting=decided is None and not stopped,
    )


def _about(name: str) -> tuple[str, bool | None]:
    """What the registry says of this judge; an old run may name one that is gone."""
    try:
        info = registry.info(name)
    except registry.UnknownJudge:
        return "This judge is not installed here any more.", None
    return info.description, info.leaves_machine


def _reason(decided: Mapping[str, Any] | None) -> str:
    if decided is None:
        return ""
    if decided["rule"] == _BLOCKED:
        return "A tool that has to come first is not allowed here, so the whole menu is withheld."
    reason = re.sub(r"\b0\.\d{3}\b", _short, str(decided["selection"]["reason"])).rstrip(".")
    return f"{reason[:1].upper()}{reason[1:]}." if reason else ""


def _short(probability: re.Match[str]) -> str:
    """The engine keeps three decimals; what people read has two."""
    return figures.probability(float(probability[0]))


def _by_relevance(selection: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    rows = [row for row in (selection.get("categories", ()) if selection else ()) if row["relevance"] is not None]
    return sorted(rows, key=lambda row: row["relevance"], reverse=True)


def _matter(selection: Mapping[str, Any] | None, threshold: float) -> str:
    known = _by_relevance(selection)
    if not known:
        return ""
    relevant = sum(row["relevant"] for row in known)
    verb = "matters" if relevant == 1 else "matter"
    noun = figures.plural(len(known), "category", "categories")
    return f"{relevant} of {noun} {verb} at {figures.probability(threshold)} or more."


def _below(categories: Sequence[Mapping[str, Any]]) -> str:
    rest = categories[NEAREST:]
    return f"{len(rest)} more, {figures.probability(rest[0]['relevance'])} or less" if rest else ""


def _question(selection: Mapping[str, Any] | None, threshold: float) -> Meter | None:
    value = selection.get("ask_first") if selection else None
    return None if value is None else meter("ask first", value, threshold)


def _tokens(asked: Sequence[Asked]) -> str:
    """Input tokens of all replies, `≥` while a request has none."""
    replies = [each.reply for each in asked if each.reply is not None]
    counts = [reply["input_tokens"] for reply in replies if reply["input_tokens"] is not None]
    if not counts:
        return f"{figures.UNKNOWN} tokens" if asked else ""
    estimated = any(reply["token_source"] == "estimated" for reply in replies)
    text = figures.count(sum(counts), at_least=len(counts) < len(asked))
    return f"{text} tokens{' est.' if estimated else ''}"


def _sheet(number: int, asked: Asked, stopped: bool) -> Sheet:
    return Sheet(
        number=number,
        stage=asked.stage,
        facts=", ".join(_facts(asked, stopped)),
        notes=tuple((asked.reply or {}).get("notes") or ()),
        request=json.dumps(asked.request, ensure_ascii=False, indent=1),
        reply=str(asked.reply["raw"]) if asked.reply else "",
        failure=_failure(asked),
        digest=asked.digest,
    )


def _facts(asked: Asked, stopped: bool) -> Iterable[str]:
    yield f"{figures.count(asked.bytes)} bytes"
    if asked.reply is None:
        yield "no reply" if asked.ended_at or stopped else "waiting for the reply"
        return
    reply = asked.reply
    source = " est." if reply["token_source"] == "estimated" else ""
    yield f"{figures.count(reply['input_tokens'])} tokens in, {figures.count(reply['output_tokens'])} out{source}"
    yield figures.seconds(reply["latency_ms"] / 1000)
    yield f"model {reply['model']}"


def _failure(asked: Asked) -> str:
    return "" if asked.failure is None else f"{asked.failure['code']}: {asked.failure['message']}"


def _answer(row: Mapping[str, Any]) -> Answer:
    picks = [row["pick"], *row.get("further_picks", ())] if row["pick"] else []
    return Answer(
        category=row["category"],
        relevance=figures.probability(row["relevance"]),
        relevant=row["relevant"],
        picks=tuple(_pick(pick) for pick in picks),
    )


def _pick(pick: Mapping[str, Any]) -> str:
    best = sorted(pick["probabilities"].items(), key=lambda pair: -pair[1])[:3]
    return ", ".join(f"{_label(label)} {figures.probability(value)}" for label, value in best)


def _label(label: str) -> str:
    return "no tool" if label == "__none__" else label
