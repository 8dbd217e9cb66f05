"""Gates for CI: clauses such as `cost<=-20%,success>=-10pp@95`, each shown, refuted or undecided.

A gate passes where every clause is shown, each at its own confidence: together they cannot promise less. It fails where
some clause is refuted, for which the level is divided by the clauses. Anything else is undecided, and is no pass.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

import numpy as np

from arena.errors import Invalid
from arena.evidence.statistics import betting
from arena.evidence.statistics.families import PRIMARY
from arena.evidence.statistics.pairs import MOST_RATIO, Series

EXAMPLE = "cost<=-20%,success>=-10pp@95"
CONFIDENCE = 95.0
_CLAUSE = re.compile(r"(?P<metric>[a-z_]+)(?P<sign><=|>=)(?P<bound>[+-]?\d+(?:\.\d+)?)(?P<unit>%|pp)")
_EXITS = {"shown": 0, "refuted": 1, "undecided": 2}


class State(StrEnum):
    SHOWN = "shown"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Clause:
    """`bound` in percentage points of success, or in percent of change of the typical ratio B / A."""

    metric: str
    sign: Literal["<=", ">="]
    bound: float
    unit: Literal["%", "pp"]

    @property
    def mean(self) -> float:
        """The bound on the scale of the series, in (-1, 1)."""
        return self.bound / 100 if self.unit == "pp" else math.log1p(self.bound / 100) / math.log(MOST_RATIO)

    def __str__(self) -> str:
        return f"{self.metric}{self.sign}{self.bound:g}{self.unit}"


@dataclass(frozen=True, slots=True)
class Gate:
    clauses: tuple[Clause, ...]
    confidence: float = CONFIDENCE

    @property
    def level(self) -> float:
        return (100 - self.confidence) / 100

    def __str__(self) -> str:
        return ",".join(map(str, self.clauses)) + f"@{self.confidence:g}"


@dataclass(frozen=True, slots=True)
class ClauseResult:
    """`p_for` and `p_against` hold at any time; the state that was reached first, after `at` cases, stands."""

    clause: Clause
    state: State
    at: int | None
    p_for: float
    p_against: float
    series: Series

    def to_json(self) -> dict[str, Any]:
        return {
            "clause": str(self.clause),
            "bound_on_scale": self.clause.mean,
            "state": self.state.value,
            "at": self.at,
            "p_for": self.p_for,
            "p_against": self.p_against,
            "inputs": self.series.to_json(),
        }


@dataclass(frozen=True, slots=True)
class GateResult:
    gate: Gate
    clauses: tuple[ClauseResult, ...]

    @property
    def state(self) -> State:
        states = {result.state for result in self.clauses}
        if State.REFUTED in states:
            return State.REFUTED
        return State.UNDECIDED if State.UNDECIDED in states else State.SHOWN

    @property
    def exit_code(self) -> int:
        """0 where every clause is shown, 1 where some clause is refuted, else 2."""
        return _EXITS[self.state.value]

    def to_json(self) -> dict[str, Any]:
        return {
            "gate": str(self.gate),
            "level_to_show": self.gate.level,
            "level_to_refute": self.gate.level / len(self.gate.clauses),
            "most_ratio": MOST_RATIO,
            "nodes": betting.NODES,
            "state": self.state.value,
            "exit_code": self.exit_code,
            "clauses": [result.to_json() for result in self.clauses],
        }


def parse(text: str, *, metrics: tuple[str, ...]) -> Gate:
    """Clauses with commas between them and one confidence for all at the end; `metrics` are the allowed names."""
    body, at, given = "".join(text.split()).partition("@")
    if not body:
        raise Invalid(f"The gate is empty. Write clauses such as {EXAMPLE}.")
    confidence = _confidence(given) if at else CONFIDENCE
    clauses = tuple(_clause(part, metrics) for part in body.split(","))
    doubles = [str(clause) for place, clause in enumerate(clauses) if clause in clauses[:place]]
    if doubles:
        raise Invalid(f"The clause {doubles[0]!r} stands twice in the gate. Leave one of them out.")
    return Gate(clauses, confidence)


def decide(gate: Gate, series: Mapping[str, Series]) -> GateResult:
    """`series` by metric: differences for success, clipped log ratios for all others."""
    return GateResult(gate, tuple(_decide(clause, series[clause.metric], gate) for clause in gate.clauses))


def _decide(clause: Clause, series: Series, gate: Gate) -> ClauseResult:
    values = np.array(series.values, dtype=np.float64)
    above = betting.log_wealth(values, clause.mean, side="above")
    below = betting.log_wealth(values, clause.mean, side="below")
    pro, contra = (above, below) if clause.sign == ">=" else (below, above)
    shown = betting.reached(pro, gate.level)
    refuted = betting.reached(contra, gate.level / len(gate.clauses))
    state, at = State.UNDECIDED, None
    if shown is not None and (refuted is None or shown <= refuted):
        state, at = State.SHOWN, shown
    elif refuted is not None:
        state, at = State.REFUTED, refuted
    return ClauseResult(clause, state, at, betting.chance(pro), betting.chance(contra), series)


def _confidence(given: str) -> float:
    try:
        value = float(given)
    except ValueError:
        value = math.nan
    if not 50 <= value < 100:
        raise Invalid(
            f"The gate's confidence {'@' + given!r} is not a number from 50 to below 100. "
            f"It stands once, at the end, for all clauses: {EXAMPLE}."
        )
    return value


def _clause(part: str, metrics: tuple[str, ...]) -> Clause:
    found = _CLAUSE.fullmatch(part)
    if found is None:
        raise Invalid(f"The clause {part!r} cannot be read. Write a metric, <= or >=, a number and % or pp: {EXAMPLE}.")
    metric, bound = found["metric"], float(found["bound"])
    if metric not in metrics:
        raise Invalid(f"The clause {part!r} names no metric of a gate. Allowed: {', '.join(sorted(metrics))}.")
    unit: Literal["%", "pp"] = "pp" if metric == PRIMARY else "%"
    if found["unit"] != unit:
        mend = f"{found['sign'].join((metric, found['bound']))}{unit}"
        raise Invalid(f"The clause {part!r} has the wrong unit: {metric} is compared in {_UNITS[unit]}. Write {mend}.")
    low, high = (-100.0, 100.0) if unit == "pp" else (100 / MOST_RATIO - 100, 100 * MOST_RATIO - 100)
    if not low < bound < high:
        raise Invalid(
            f"The bound of {part!r} cannot be decided: "
            f"it must lie between {low:+g}{unit} and {high:+g}{unit}, both left out."
        )
    sign: Literal["<=", ">="] = "<=" if found["sign"] == "<=" else ">="
    return Clause(metric, sign, bound, unit)


_UNITS = {"pp": "percentage points", "%": "percent of the baseline"}
