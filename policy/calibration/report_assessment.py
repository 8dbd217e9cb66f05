"""The report on measured assessments: the three thresholds of a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from policy.calibration import stream
from policy.calibration.boxes import identified
from policy.calibration.choosing import AssessmentChoice
from policy.calibration.constraining import constrains
from policy.calibration.cuts import Cuts, Floats
from policy.calibration.guarantee import Look, certify, families
from policy.calibration.held import EQUAL, THRESHOLDS, Prices, Threshold, held, sides
from policy.calibration.intervals import wilson
from policy.calibration.margins import margins
from policy.calibration.near import JOINT_LEVEL, extent, near_best
from policy.calibration.region import Cell, Mask, Region, best, region
from policy.calibration.reliability import LEAST, Reliability, Truth, reliability
from policy.calibration.report import AxisReport, CaseReport, Count, Fine, Guarantee, NearSet, Point, Report, search
from policy.calibration.separation import separate
from policy.calibration.sweep import ALLOW, DENY, LABELS, Axes, Rows, Sweep, decided, sweep
from policy.calibration.unseen import DRAWS, SEED, Unseen, enough, unseen
from policy.calibration.verdicts import judge_sample, polarity
from policy.engine.profile import Thresholds

BOUNDS = (0.10, 0.05, 0.02, 0.01)
QUESTION = "violates_restriction"
MOST_FINE_ROWS = 20_000


@dataclass(frozen=True, slots=True)
class Measured:
    """Measured assessments: `ids` in the order of the rows, `groups` the family of near-duplicates of each row.

    `truths` are further questions whose truth the fixtures state: probabilities, and whether it was so. `look` is
    which look at a guarantee this is (None: the first, along the profile's own path); `failed` measurements are counted
    and in no denominator.
    """

    rows: Rows
    ids: tuple[str, ...]
    groups: npt.NDArray[np.int64] | None = None
    failed: int = 0
    look: Look | None = None
    truths: Mapping[str, tuple[Floats, Truth]] = field(default_factory=dict)


def report(
    measured: Measured,
    profile: Thresholds,
    *,
    prices: Prices | None = None,
    bounds: Sequence[float] = BOUNDS,
    cuts: Cuts | None = None,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Report:
    """Sweep all thresholds with two decimals, or the `cuts` given; by agreement, or by cost where there are `prices`.

    Raises `ValueError` without a measured row.
    """
    if not len(measured.rows):
        raise ValueError("no assessment of this set was measured, so nothing can be said about its thresholds")
    return _Work(measured, profile, prices, cuts or Cuts.even(), draws, seed).report(bounds)


@dataclass(slots=True)
class _Work:
    measured: Measured
    profile: Thresholds
    prices: Prices | None
    cuts: Cuts
    draws: int
    seed: int
    axes: Axes = field(init=False)
    swept: Sweep = field(init=False)
    agreed: npt.NDArray[np.int32] = field(init=False)
    found: Region = field(init=False)
    near: Mask | None = field(init=False)

    def __post_init__(self) -> None:
        self.axes = Axes(self.cuts, self.cuts, self.cuts)
        self.swept = sweep(self.measured.rows, self.axes)
        self.agreed = self.swept.agreement()
        inside = best(self.agreed) if self.prices is None else best(-np.round(self.swept.cost(self.prices), 9))
        self.found = region(inside, prefer=_cell(self.cuts, self.current))
        self.near = None
        if self.prices is None:
            self.near = near_best(self.measured.rows, self.axes, self.found.deepest, agreed=self.agreed)

    @property
    def current(self) -> tuple[float, float, float]:
        return self.profile.restriction, self.profile.missing_information, self.profile.task_match

    @property
    def proposal(self) -> tuple[float, float, float]:
        r, m, t = (float(self.cuts.values[place]) for place in self.found.deepest)
        return r, m, t

    def report(self, bounds: Sequence[float]) -> Report:
        prices = () if self.prices is None else self.prices.items()
        return Report(
            kind="assessment",
            cases=tuple(self._cases()),
            failed=self.measured.failed,
            objective="agreement" if self.prices is None else "cost",
            axes=tuple(self._axis(place, name) for place, name in enumerate(THRESHOLDS)),
            current=self._point(self.current),
            proposal=self._point(self.proposal),
            best_combinations=self.found.size,
            best_pieces=self.found.pieces,
            depth=self.found.depth,
            near=None if self.near is None else NearSet(int(self.near.sum()), JOINT_LEVEL),
            unseen=self._unseen(),
            guarantees=tuple(self._guarantee(bound) for bound in bounds),
            reliability={name: self._reliable(*truth) for name, truth in self._truths().items()},
            fine=self._fine(),
            prices=tuple((action.value, label.value, price) for (action, label), price in prices),
            grid=self.agreed,
            near_mask=self.near,
            search=search(self.cuts),
        )

    def _point(self, at: tuple[float, float, float]) -> Point:
        rows = self.measured.rows
        told = _decided(rows, at)
        agreed = int((told == rows.labels).sum())
        counts = np.zeros((len(LABELS), len(LABELS)), dtype=np.int64)
        np.add.at(counts, (told, rows.labels), 1)
        cost = None
        if self.prices is not None:
            cost = sum(
                price * int(counts[LABELS.index(action), LABELS.index(label)])
                for (action, label), price in self.prices.items()
            )
        return Point(
            thresholds=dict(zip(THRESHOLDS, at, strict=True)),
            agreed=agreed,
            cases=len(rows),
            interval=wilson(agreed / len(rows), len(rows)),
            confusion=tuple(
                Count(LABELS[action].value, LABELS[label].value, int(counts[action, label]))
                for action in range(3)
                for label in range(len(LABELS))
            ),
            cost=cost,
        )

    def _axis(self, place: int, name: Threshold) -> AxisReport:
        at = dict(zip(("restriction", "missing", "match"), self.proposal, strict=True))
        axis = held(self.measured.rows, name, **at, prices=self.prices or EQUAL)
        positive, negative = sides(axis)
        apart = separate(axis, self.cuts, prefer=self.current[place])
        line = tuple(slice(None) if other == place else cell for other, cell in enumerate(self.found.deepest))
        return AxisReport(
            name=name,
            cuts=tuple(self.cuts.values.tolist()),
            curve=tuple(int(value) for value in self.agreed[line]),
            identified=identified(self.agreed, place),
            best_range=_between(self.cuts, self.found.ranges[place]),
            near_range=None if self.near is None else extent(self.cuts, self.near, place),
            separation=apart,
            polarity=polarity(positive, negative),
            positive=len(positive),
            negative=len(negative),
            verdict=judge_sample(positive=positive, negative=negative, width=apart.width, rows=len(self.measured.rows)),
        )

    def _cases(self) -> list[CaseReport]:
        rows = self.measured.rows
        now, then = _decided(rows, self.current), _decided(rows, self.proposal)
        moves = margins(rows, restriction=self.current[0], missing=self.current[1], match=self.current[2])
        holds = constrains(rows, self.axes, self.agreed)
        columns = (rows.violates, rows.missing, rows.matches)
        return [
            CaseReport(
                id=name,
                label=LABELS[rows.labels[row]].value,
                values={cut: (float(column[row]),) for cut, column in zip(THRESHOLDS, columns, strict=True)},
                now=LABELS[now[row]].value,
                proposed=LABELS[then[row]].value,
                margin=float(moves[row]),
                constrains=bool(holds[row]),
            )
            for row, name in enumerate(self.measured.ids)
        ]

    def _guarantee(self, bound: float) -> Guarantee:
        """Along the path that the first look fixed: its two other thresholds, restriction upwards from 0."""
        rows, look = self.measured.rows, self.measured.look or Look(1, *self.current[1:])
        missing, match = look.missing, look.match
        unsafe, safe = rows.labels == DENY, rows.labels == ALLOW
        scores = np.where((rows.missing >= missing) | (rows.matches < match), 1.0, rows.violates)
        groups = np.arange(len(rows)) if self.measured.groups is None else self.measured.groups
        found = certify(families(scores[unsafe], groups[unsafe]), self.cuts, bound=bound, form=look.form)
        passes = 0 if found.threshold is None else int((scores[safe] < found.threshold).sum())
        path = {"missing_information": missing, "task_match": match}
        return Guarantee(found, path, passes, int(safe.sum()), look.number)

    def _unseen(self) -> Unseen | None:
        """Of thresholds chosen by agreement, whatever the objective of the proposal."""
        if not enough(len(self.measured.rows), self.measured.groups):
            return None
        problem = AssessmentChoice(self.measured.rows, self.current)
        return unseen(problem, groups=self.measured.groups, draws=self.draws, seed=self.seed)

    def _truths(self) -> dict[str, tuple[Floats, Truth]]:
        rows = self.measured.rows
        return {QUESTION: (rows.violates, rows.labels == DENY), **self.measured.truths}

    def _reliable(self, stated: Floats, true: Truth) -> Reliability | None:
        return reliability(stated, true, draws=self.draws, seed=self.seed) if len(stated) >= 2 * LEAST else None

    def _fine(self) -> Fine | None:
        """None where the measured values have two decimals (nothing finer exists), or for very many rows."""
        rows = self.measured.rows
        columns = (rows.violates, rows.missing, rows.matches)
        if len(rows) > MOST_FINE_ROWS or all(np.array_equal(np.round(each, 2), each) for each in columns):
            return None
        axes = stream.fine_axes(rows)
        cuts = (axes.restriction, axes.missing, axes.match)
        near = tuple(int(np.argmin(np.abs(one.values - at))) for one, at in zip(cuts, self.current, strict=True))
        found = stream.best(rows, axes, prefer=near)
        place = found.first if found.region is None else found.region.deepest
        at = {str(name): float(one.values[cell]) for name, one, cell in zip(THRESHOLDS, cuts, place, strict=True)}
        return Fine(found.agreed, found.combinations, at, all(one.steps is None for one in cuts))


def _decided(rows: Rows, at: tuple[float, float, float]) -> npt.NDArray[np.int8]:
    return decided(rows, restriction=at[0], missing=at[1], match=at[2])


def _cell(cuts: Cuts, at: Sequence[float]) -> Cell:
    return tuple(int(np.argmin(np.abs(cuts.values - value))) for value in at)


def _between(cuts: Cuts, ends: tuple[int, int]) -> tuple[float, float]:
    return float(cuts.values[ends[0]]), float(cuts.values[ends[1]])
