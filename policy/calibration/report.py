"""Everything that a page or a file says about one measured set of one kind, as one record that can be recomputed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from policy.calibration.cuts import Cuts
from policy.calibration.guarantee import Certificate
from policy.calibration.region import Mask
from policy.calibration.reliability import Reliability
from policy.calibration.separation import Separation
from policy.calibration.unseen import Unseen
from policy.calibration.verdicts import Standing, Verdict

GENERATOR = "numpy.random.Generator(PCG64(seed))"
HEAVY = ("grid", "near_mask")
GRID = "all thresholds with two decimals"


@dataclass(frozen=True, slots=True)
class Count:
    """So many cases with this label got this decision."""

    decision: str
    label: str
    cases: int


@dataclass(frozen=True, slots=True)
class Point:
    """One combination of thresholds: how many cases it decides as labelled, on the rows that it may be chosen on.

    `interval` is Wilson's for a combination fixed before the rows were seen. `cost` is None without prices.
    """

    thresholds: Mapping[str, float]
    agreed: int
    cases: int
    interval: tuple[float, float]
    confusion: tuple[Count, ...]
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class AxisReport:
    """One threshold, the others at the proposal.

    `curve` is agreement at `cuts`; `best_range` and `near_range` are projections of the joint sets, `separation` the
    range that this sample does not separate. Where not `identified`, moving it changes no agreement anywhere.
    """

    name: str
    cuts: tuple[float, ...]
    curve: tuple[int, ...]
    identified: bool
    best_range: tuple[float, float]
    near_range: tuple[float, float] | None
    separation: Separation
    polarity: float | None
    positive: int
    negative: int
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class NearSet:
    """How many combinations the sample cannot tell from the proposal, all thresholds moving, at this level."""

    combinations: int
    level: float


@dataclass(frozen=True, slots=True)
class Fine:
    """The best agreement over all break-points (or thresholds with three decimals), and a combination that has it."""

    agreed: int
    combinations: int
    thresholds: Mapping[str, float]
    exact: bool


@dataclass(frozen=True, slots=True)
class Menu:
    """What `confidence` does to menus, per cut: how many cases show all expected tools, mean recall, mean size.

    It never changes what is selected, so it has no agreement. `smallest` is the lowest cut with the best recall; where
    not `identified`, no cut changes any menu.
    """

    cuts: tuple[float, ...]
    complete: tuple[int, ...]
    recall: tuple[float, ...]
    size: tuple[float, ...]
    smallest: float
    identified: bool


@dataclass(frozen=True, slots=True)
class Guarantee:
    """A certificate with what it leaves of the safe calls: one that also stops all of them is a refusal.

    `look` is which look at it this is, from 1: the first has the one-look form, later ones hold at any time,
    along the `path` of the first. `rows` of one family count as one.
    """

    certificate: Certificate
    path: Mapping[str, float]
    safe_allowed: int
    safe: int
    look: int

    @property
    def useful(self) -> bool:
        return self.certificate.holds and self.safe_allowed > 0


@dataclass(frozen=True, slots=True)
class CaseReport:
    """One case: what it measured, what is decided of it now and at the proposal, how near it is to a flip.

    `margin` is the smallest move of all thresholds at once that flips the present decision, infinite where none does.
    """

    id: str
    label: str
    values: Mapping[str, tuple[float, ...]]
    now: str
    proposed: str
    margin: float
    constrains: bool


@dataclass(frozen=True, slots=True)
class Report:
    """What was measured of one kind of decision and what may be said about its thresholds.

    `current` is the profile, `proposal` the deepest combination of the largest piece of the best set, nearest to the
    profile. `unseen` is None where there are too few cases to resample. `grid` and `near_mask` are for heat maps: they
    are left out of the file because the cases give them again.
    """

    kind: str
    cases: tuple[CaseReport, ...]
    failed: int
    objective: str
    axes: tuple[AxisReport, ...]
    current: Point
    proposal: Point
    best_combinations: int
    best_pieces: int
    depth: int
    near: NearSet | None
    unseen: Unseen | None
    guarantees: tuple[Guarantee, ...] = ()
    reliability: Mapping[str, Reliability | None] = field(default_factory=dict)
    fine: Fine | None = None
    menu: Menu | None = None
    prices: tuple[tuple[str, str, float], ...] = ()
    grid: npt.NDArray[np.generic] | None = None
    near_mask: Mask | None = None
    search: str = GRID

    @property
    def verdict(self) -> Verdict:
        """Refused where no threshold may be recommended, ok where all may, provisional between.

        A reason that not all thresholds share names its own.
        """
        standings = {axis.verdict.standing for axis in self.axes}
        told = Counter(reason for axis in self.axes for reason in axis.verdict.reasons)
        shared = [reason for reason, times in told.items() if times == len(self.axes)]
        own = [
            f"{axis.name}: {reason}" for axis in self.axes for reason in axis.verdict.reasons if reason not in shared
        ]
        standing = standings.pop() if len(standings) == 1 else Standing.PROVISIONAL
        return Verdict(standing, (*shared, *own))

    @property
    def recommended(self) -> Mapping[str, float | None]:
        """The proposal's value of each threshold; None where the verdict refuses it, so that the profile's stays."""
        refused = {axis.name for axis in self.axes if axis.verdict.standing is Standing.REFUSED}
        return {name: None if name in refused else value for name, value in self.proposal.thresholds.items()}

    def to_json(self) -> dict[str, Any]:
        """Plain JSON: unknown and infinite are null; every drawn figure names its seed, its draws and the generator."""
        plain: dict[str, Any] = _plain(replace(self, grid=None, near_mask=None))
        return {**{key: value for key, value in plain.items() if key not in HEAVY}, "generator": GENERATOR}


def search(cuts: Cuts) -> str:
    """Which thresholds were tried on every axis, in words."""
    if cuts.steps == 100:
        return GRID
    return f"{len(cuts)} thresholds from {cuts.values[0]:g} to {cuts.values[-1]:g}, as asked for"


def _plain(value: Any) -> Any:
    match value:
        case Enum():
            return value.value
        case bool() | np.bool_():
            return bool(value)
        case float() | np.floating():
            return float(value) if math.isfinite(value) else None
        case np.integer():
            return int(value)
        case Mapping():
            return {str(key): _plain(item) for key, item in value.items()}
        case tuple() | list():
            return [_plain(item) for item in value]
    if is_dataclass(value):
        told = [name for name, each in vars(type(value)).items() if isinstance(each, property)]
        return {name: _plain(getattr(value, name)) for name in (*(each.name for each in fields(value)), *told)}
    return value
