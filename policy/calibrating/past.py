"""Decisions of the past with their stored answers: other thresholds decide them again, and nobody is asked.

Judging knows no runs: whoever keeps decisions registers a source when the site starts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice
from typing import Any

from django.urls import reverse

from policy.engine.answers import NoulAnswer
from policy.engine.breakpoints import Axis, Breakpoints, breakpoints
from policy.engine.contract import validate
from policy.engine.profile import Profile, Thresholds
from policy.engine.questions import Noul
from policy.engine.totals import Totals
from policy.judges.registry import UnknownJudge
from policy.measurements.answers import ORIGIN as MEASURED
from policy.models import LedgerEntry
from policy.services import judges

MOST = 2_000
CALL = {
    "restriction": "violates_restriction",
    "missing_information": "missing_information",
    "task_match": "matches_task",
}
UNKNOWN = "not measured"
IN_FORCE_UNKNOWN = "unknown, the judge's own of today"
"""The ledger keeps no profile."""


@dataclass(frozen=True, slots=True)
class Past:
    """One decision: what it was about, where it can be read, and where it flips.

    `flips.base` are the thresholds under which it was made. `profile` names them as name@version; empty where nobody
    kept them, and the base is then the judge's own of today.
    """

    kind: str
    title: str
    address: str
    judge: str
    at: datetime
    flips: Breakpoints
    profile: str = ""

    @property
    def was(self) -> str:
        return word(self.flips.at(self.flips.base))

    def to_json(self) -> dict[str, Any]:
        """For the page: words instead of whole decisions, each once."""
        words: dict[str, int] = {}
        axes = [axis for table in self.flips.tables for axis in table.axes]
        tables = [
            {
                "axes": [{"name": axis.name, "points": list(axis.points)} for axis in table.axes],
                "cells": [
                    None if place is None else words.setdefault(word(table.decisions[place]), len(words))
                    for place in table.cells
                ],
            }
            for table in self.flips.tables
        ]
        return {
            "kind": self.kind,
            "title": self.title,
            "address": self.address,
            "judge": self.judge,
            "at": self.at.astimezone(UTC).isoformat(),
            "was": self.was,
            "profile": self.profile or IN_FORCE_UNKNOWN,
            "base": {axis.name: getattr(self.flips.base, axis.name) for axis in axes},
            "tables": tables,
            "words": list(words),
        }


Source = Callable[[], Iterator[Past]]


@dataclass(slots=True)
class _Sources:
    known: list[Source] = field(default_factory=list)


_sources = _Sources()


def register(source: Source) -> None:
    """Offer the decisions of this source, the newest first."""
    if source not in _sources.known:
        _sources.known.append(source)


def decisions(*, most: int = MOST) -> list[Past]:
    """The newest decisions of every source, at most so many of each."""
    found = [past for source in (*_sources.known, assessments) for past in islice(source(), most)]
    return sorted(found, key=lambda past: past.at, reverse=True)


def assessments() -> Iterator[Past]:
    """Every assessed call of the ledger that was answered in full; measurements are no decisions."""
    rows = LedgerEntry.objects.filter(
        status=LedgerEntry.Status.ANSWERED,
        pruned_at=None,
        # A text column: the name of the question is looked for as it is written, and read for certain below.
        request__contains=f'"{CALL["restriction"]}"',
    )
    for row in rows.exclude(origin=MEASURED).order_by("-id").iterator(chunk_size=200):
        values = _values(row)
        if values is not None:
            # The ledger keeps no profile: the base is the judge's own of today.
            flips = _assessed(values, _base(row.judge))
            yield Past("call", _title(row), reverse("policy:usage-request", args=[row.pk]), row.judge, row.at, flips)


def word(decided: Mapping[str, Any] | None) -> str:
    """A decision in words that differ where the decisions do: the action, or what is selected."""
    if decided is None:
        return UNKNOWN
    chosen = sorted(each["id"] for each in decided.get("selected", ()))
    if chosen:
        return f"selected {', '.join(chosen)}"
    return str(decided.get("outcome") or decided["status"]).replace("_", " ")


def _assessed(values: Mapping[str, float], base: Thresholds) -> Breakpoints:
    def decide(cuts: Thresholds) -> dict[str, str]:
        if values["restriction"] >= cuts.restriction:
            return {"status": "deny"}
        asks = values["missing_information"] >= cuts.missing_information or values["task_match"] < cuts.task_match
        return {"status": "ask" if asks else "allow"}

    axes = [Axis.of(name, [values[name]]) for name in CALL]
    return breakpoints(axes, decide, base=base)


@lru_cache(64)
def _base(judge: str) -> Thresholds:
    try:
        return judges.profile(judge).thresholds
    except UnknownJudge:
        return Profile().thresholds


def _values(row: LedgerEntry) -> dict[str, float] | None:
    """The three answers; None where one is missing or no answer of this wire."""
    try:
        body = json.loads(row.body or row.raw_reply)
    except ValueError:
        return None
    questions = {question: Noul("true", "false") for question in CALL.values()}
    answers = validate(body, questions, totals=Totals(row.totals or Totals.STRICT)).answers
    found = {name: answers.get(question) for name, question in CALL.items()}
    values = {name: answer.noul for name, answer in found.items() if isinstance(answer, NoulAnswer)}
    return values if len(values) == len(CALL) else None


def _title(row: LedgerEntry) -> str:
    state = row.request.get("state")
    call = state.get("call") if isinstance(state, Mapping) else None
    if not isinstance(state, Mapping) or not isinstance(call, Mapping):
        return f"request {row.pk}"
    return " · ".join(str(each)[:120] for each in (state.get("task"), call.get("tool")) if each)
