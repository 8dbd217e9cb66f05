"""Stored answers as the numbers that are swept: rows, choices, stated probabilities with what was true."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from policy.calibration.cuts import Floats
from policy.calibration.fixtures import Fixture, Kind
from policy.calibration.measured_choices import Measured, MeasuredRoute, MeasuredSelection, MeasuredSkill
from policy.calibration.measuring import FORWARD, UNASKED, candidates
from policy.calibration.reliability import Truth
from policy.calibration.sweep import LABELS, Rows
from policy.engine.answers import ChoiceAnswer
from policy.engine.assessment.records import Rule
from policy.engine.decisions import Action
from policy.engine.profile import Limits
from policy.engine.selection import CategoryResult, Outcome, Pick, Status
from policy.engine.skill_routing import NONE

VALUES = ("violates_restriction", "missing_information", "matches_task")


@dataclass(frozen=True, slots=True)
class Reading:
    """One measurement of one fixture: `values` as `measuring.measured` gives them, or the code of the failure."""

    fixture: Fixture
    values: Mapping[str, Any] = field(default_factory=dict)
    failure: str = ""
    order: str = FORWARD
    repeat: int = 0

    @property
    def usable(self) -> bool:
        """A selection without a category was decided without a judge, at any thresholds: nothing was measured."""
        return not self.failure and bool(self.values) and self.values.get("categories") != []


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of the fixtures: `failed` and `unasked` ones are in no denominator."""

    measured: int
    failed: int
    unasked: int


@dataclass(frozen=True, slots=True)
class Stated:
    """Probabilities that a judge stated for one question, and whether it was so; `ids` are the fixtures'."""

    stated: Floats
    true: Truth
    ids: tuple[str, ...]


def first(readings: Sequence[Reading], kind: Kind) -> list[Reading]:
    """The readings of a kind that count: the first one of each fixture, its options in their own order."""
    return [each for each in readings if each.fixture.kind is kind and each.order == FORWARD and each.repeat == 0]


def counts(readings: Sequence[Reading]) -> Counts:
    usable = sum(each.usable for each in readings)
    unasked = sum(not each.usable and each.failure in ("", UNASKED) for each in readings)
    return Counts(usable, len(readings) - usable - unasked, unasked)


def assessments(readings: Sequence[Reading]) -> tuple[Rows, list[Reading]]:
    """The rows of the sweep of the three assessment thresholds, and the readings behind them in the same order."""
    used = [each for each in first(readings, Kind.ASSESSMENT) if each.usable]
    values = np.array([[each.values[name] for name in VALUES] for each in used], dtype=np.float64).reshape(-1, 3)
    labels = np.array([LABELS.index(Action(each.fixture.expect["status"])) for each in used], dtype=np.int8)
    return Rows(values[:, 0], values[:, 1], values[:, 2], labels), used


def choices(readings: Sequence[Reading], kind: Kind) -> tuple[list[Measured], list[Reading]]:
    """Selections, skills or model routes for the sweep by boxes, and the readings behind them in the same order."""
    used = [each for each in first(readings, kind) if each.usable]
    return [_AS_CHOICE[kind](each) for each in used], used


def stated(readings: Sequence[Reading]) -> dict[str, Stated]:
    """What was stated and what was true, question by question; rows whose truth the label does not tell are left out.

    A choice counts with the probability of what was chosen, which is true where it is the right one.
    """
    found: dict[str, list[tuple[float, bool, str]]] = {}
    for each in readings:
        if each.usable and each.order == FORWARD and each.repeat == 0:
            for name, share, true in _statements(each):
                found.setdefault(name, []).append((share, true, each.fixture.id))
    return {
        name: Stated(
            np.array([share for share, _, _ in rows], dtype=np.float64),
            np.array([true for _, true, _ in rows], dtype=bool),
            tuple(id for _, _, id in rows),
        )
        for name, rows in found.items()
    }


def numbers(reading: Reading) -> dict[str, float]:
    """Every probability of a reading by the name of its question; of a choice that of what was chosen."""
    values = reading.values
    if reading.fixture.kind is Kind.SELECTION:
        return dict(_of_categories(values["categories"])) if values else {}
    named = {"probability": "pick", **{name: name for name in (*VALUES, "needs_skill", "noul", "score")}}
    return {named[key]: float(value) for key, value in values.items() if key in named and value is not None}


def picked(reading: Reading) -> dict[str, str]:
    """What was chosen, by the name of its question."""
    values = reading.values
    if reading.fixture.kind is Kind.SELECTION:
        return {
            f"pick {each['category']} {place}": pick["choice"]
            for each in values.get("categories", ())
            for place, pick in enumerate(each["picks"], start=1)
        }
    return {"pick": values["choice"]} if "choice" in values else {}


def _of_categories(categories: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, float]]:
    for each in categories:
        if each["relevance"] is not None:
            yield f"relevance {each['category']}", each["relevance"]
        for place, pick in enumerate(each["picks"], start=1):
            yield f"pick {each['category']} {place}", pick["probability"]


def _selection(reading: Reading) -> MeasuredSelection:
    row, wanted = reading.fixture.row, reading.fixture.expect
    tools = candidates(reading.fixture)
    outcome = wanted.get("outcome")
    return MeasuredSelection(
        results=tuple(_category(each) for each in reading.values["categories"]),
        status=Status(wanted["status"]),
        expected=frozenset(wanted.get("selected", ())),
        outcome=None if outcome is None else Outcome(outcome),
        priorities={tool.id: tool.priority for tool in tools if tool.priority is not None},
        cap=row.get("maxSelected", Limits().max_selected_tools),
    )


def _category(wire: Mapping[str, Any]) -> CategoryResult:
    picks = tuple(
        Pick(
            each["choice"],
            each["tool"],
            each["probability"],
            each["confidence"],
            each["probabilities"],
            each["tools"],
        )
        for each in wire["picks"]
    )
    return CategoryResult(wire["category"], wire["relevance"], True, picks)


def _answer(values: Mapping[str, Any]) -> ChoiceAnswer:
    return ChoiceAnswer(values["choice"], values["probabilities"], values["confidence"])


def _skill(reading: Reading) -> MeasuredSkill:
    return MeasuredSkill(reading.values["needs_skill"], _answer(reading.values), reading.fixture.expect.get("skill"))


def _route(reading: Reading) -> MeasuredRoute:
    row = reading.fixture.row
    there = [(each["provider"], each["model"]) for each in row["available"]]
    available = frozenset(
        name
        for name, route in row["routes"].items()
        if route is not None and (route["provider"], route["model"]) in there
    )
    return MeasuredRoute(_answer(reading.values), reading.fixture.expect.get("route"), available)


_AS_CHOICE: Mapping[Kind, Callable[[Reading], Measured]] = {
    Kind.SELECTION: _selection,
    Kind.SKILL: _skill,
    Kind.MODEL_ROUTE: _route,
}


def _statements(reading: Reading) -> Iterator[tuple[str, float, bool]]:
    match reading.fixture.kind:
        case Kind.ASSESSMENT:
            yield from _of_call(reading)
        case Kind.SELECTION:
            yield from _of_selection(reading)
        case Kind.SKILL:
            wanted, values = reading.fixture.expect.get("skill"), reading.values
            yield "needs_skill", values["needs_skill"], wanted is not None
            yield "skill", values["probability"], values["choice"] == (wanted or NONE)
        case Kind.MODEL_ROUTE:
            wanted, values = reading.fixture.expect.get("route"), reading.values
            yield "route", values["probability"], values["choice"] == (wanted or "default")
        case Kind.GENERIC:
            yield from _of_generic(reading)


def _of_call(reading: Reading) -> Iterator[tuple[str, float, bool]]:
    """A denied call says nothing of the other two questions; an ask is about missing information unless told else."""
    violates, missing, matches = (reading.values[name] for name in VALUES)
    label, rule = reading.fixture.expect["status"], reading.fixture.expect.get("rule")
    yield VALUES[0], violates, label == Action.DENY
    if label == Action.ALLOW:
        yield VALUES[1], missing, False
        yield VALUES[2], matches, True
    elif label == Action.ASK:
        if rule == Rule.MISMATCH:
            yield VALUES[2], matches, False
        else:
            yield VALUES[1], missing, True


def _of_selection(reading: Reading) -> Iterator[tuple[str, float, bool]]:
    wanted = set(reading.fixture.expect.get("selected", ()))
    for each in reading.values["categories"]:
        here = {tool for pick in each["picks"] for tool in pick["tools"]} & wanted
        if each["relevance"] is not None:
            yield "relevance", each["relevance"], bool(here)
        for pick in each["picks"]:
            right = pick["tool"] in wanted if pick["tool"] is not None else not wanted & pick["tools"].keys()
            yield "pick", pick["probability"], right


def _of_generic(reading: Reading) -> Iterator[tuple[str, float, bool]]:
    values, label, name = reading.values, reading.fixture.row["label"], reading.fixture.group
    if "noul" in values:
        yield name, values["noul"], bool(label)
    elif "choice" in values:
        yield name, values["probability"], values["choice"] == label
    else:
        level, share = max(values["probabilities"].items(), key=lambda item: item[1])
        yield name, share, int(level) == label
