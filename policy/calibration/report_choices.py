"""The report on kinds that are decided case by case: selections, skills, model routes, and anybody's own rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from policy.calibration.boxes import Case, identified, summed
from policy.calibration.cuts import Cuts, Floats
from policy.calibration.fixture_fields import ROUTES
from policy.calibration.intervals import wilson
from policy.calibration.measured_choices import (
    ROUTE,
    SELECTION,
    SKILL,
    MeasuredRoute,
    MeasuredSelection,
    MeasuredSkill,
    cases,
)
from policy.calibration.near import extent, level_of, near_best_cases
from policy.calibration.region import Mask, Region, best, region
from policy.calibration.reliability import LEAST, Truth, reliability
from policy.calibration.report import AxisReport, CaseReport, Count, Menu, NearSet, Point, Report, search
from policy.calibration.shared import Expansion, expansion
from policy.calibration.tables import TableChoice, coarse, separate_table, table, table_sides
from policy.calibration.unseen import DRAWS, SEED, Unseen, enough, unseen
from policy.calibration.verdicts import judge_sample, polarity
from policy.engine.profile import Thresholds
from policy.engine.selection import Status

NOTHING = "none"
OTHER = "another one"
THE_SKILL, ANOTHER_SKILL, NO_SKILL = "the skill", "another skill", "no skill"
# What can become of a case, in the order in which tables show it; a word that is also a label is right there.
WORDS = {
    "selection": (Status.SELECTED.value, OTHER, Status.ABSTAINED.value),
    "skill": (THE_SKILL, ANOTHER_SKILL, NO_SKILL),
    "model_route": (*ROUTES, NOTHING),
    "rows": ("yes", "no"),
}
MOST_RESAMPLED = 4_000_000

At = tuple[float, ...]
Kind = TypeVar("Kind", MeasuredSelection, MeasuredSkill, MeasuredRoute)


@dataclass(frozen=True, slots=True)
class Judged:
    """One case with its name and what should come of it; `decided` says what does, at thresholds."""

    id: str
    label: str
    case: Case
    decided: Callable[[At], str]


@dataclass(frozen=True, slots=True)
class Choices:
    """Measured cases of one kind over the thresholds `names`; `current` are the profile's, in the same order.

    `stated` are probabilities of one question with whether it was so, where the fixtures say that.
    """

    kind: str
    names: tuple[str, ...]
    judged: tuple[Judged, ...]
    current: At
    failed: int = 0
    groups: npt.NDArray[np.int64] | None = None
    stated: dict[str, tuple[Floats, Truth]] = field(default_factory=dict)
    menus: Callable[[Cuts], Expansion] | None = None


def selections(ids: Sequence[str], measured: Sequence[MeasuredSelection], profile: Thresholds) -> Choices:
    """Tools by `relevance` and `selection`; `confidence` is no matter of agreement but of menus."""

    def told(each: MeasuredSelection, cuts: Thresholds) -> str:
        status = each.decided(cuts)[0].status.value
        return status if each.agrees(cuts) or status != each.status.value else OTHER

    labels = [each.status.value for each in measured]
    found = _choices("selection", SELECTION, ids, labels, measured, told, profile)
    return replace(found, menus=lambda cuts: expansion(measured, cuts, base=profile))


def skills(ids: Sequence[str], measured: Sequence[MeasuredSkill], profile: Thresholds) -> Choices:
    """Skills by `skill`, `selection` and `confidence`; the last two are shared with tools.

    Which skill a case is about stands in its fixture: a table of decisions tells the right one, another one, or none.
    """

    def told(each: MeasuredSkill, cuts: Thresholds) -> str:
        skill = each.decided(cuts)[1]
        return NO_SKILL if skill is None else THE_SKILL if skill == each.expected else ANOTHER_SKILL

    labels = [NO_SKILL if each.expected is None else THE_SKILL for each in measured]
    return _choices("skill", SKILL, ids, labels, measured, told, profile)


def routes(ids: Sequence[str], measured: Sequence[MeasuredRoute], profile: Thresholds) -> Choices:
    """Model routes by `model_route`."""

    def told(each: MeasuredRoute, cuts: Thresholds) -> str:
        return each.decided(cuts)[1] or NOTHING

    return _choices("model_route", ROUTE, ids, [each.expected or NOTHING for each in measured], measured, told, profile)


def rows(ids: Sequence[str], probabilities: Sequence[float], labels: Sequence[bool], *, current: float) -> Choices:
    """Anybody's logged decisions: a probability, whether it was so, and the threshold in use."""

    def one(name: str, stated: float, true: bool) -> Judged:
        case = Case(((stated,),), lambda at: float((stated >= at[0]) == true))
        return Judged(name, "yes" if true else "no", case, lambda at: "yes" if stated >= at[0] else "no")

    judged = tuple(one(*each) for each in zip(ids, probabilities, labels, strict=True))
    stated = {"threshold": (np.asarray(probabilities, dtype=np.float64), np.asarray(labels, dtype=np.bool_))}
    return Choices("rows", ("threshold",), judged, (current,), stated=stated)


def report(choices: Choices, *, cuts: Cuts | None = None, draws: int = DRAWS, seed: int = SEED) -> Report:
    """Sweep all thresholds with two decimals, or the `cuts` given; raises `ValueError` without a measured case."""
    if not choices.judged:
        raise ValueError(
            f"no {choices.kind} case of this set was measured, so nothing can be said about its thresholds"
        )
    return _Work(choices, cuts or Cuts.even(), draws, seed).report()


@dataclass(slots=True)
class _Work:
    choices: Choices
    cuts: Cuts
    draws: int
    seed: int
    axes: list[Cuts] = field(init=False)
    agreed: Floats = field(init=False)
    found: Region = field(init=False)
    near: Mask = field(init=False)

    def __post_init__(self) -> None:
        self.axes = [self.cuts] * len(self.choices.names)
        self.agreed = np.rint(summed((each.case for each in self.choices.judged), self.axes))
        near = tuple(int(np.argmin(np.abs(self.cuts.values - at))) for at in self.choices.current)
        self.found = region(best(self.agreed), prefer=near)
        judged = [each.case for each in self.choices.judged]
        self.near = near_best_cases(judged, self.axes, self.found.deepest, agreed=self.agreed)

    @property
    def proposal(self) -> At:
        return tuple(float(self.cuts.values[place]) for place in self.found.deepest)

    def report(self) -> Report:
        names = self.choices.names
        stated = self.choices.stated.items()
        return Report(
            kind=self.choices.kind,
            cases=tuple(self._cases()),
            failed=self.choices.failed,
            objective="agreement",
            axes=tuple(self._axis(place, name) for place, name in enumerate(names)),
            current=self._point(self.choices.current),
            proposal=self._point(self.proposal),
            best_combinations=self.found.size,
            best_pieces=self.found.pieces,
            depth=self.found.depth,
            near=NearSet(int(self.near.sum()), level_of(len(self.axes))),
            unseen=self._unseen(),
            reliability={
                name: reliability(p, true, draws=self.draws, seed=self.seed) if len(p) >= 2 * LEAST else None
                for name, (p, true) in stated
            },
            menu=self._menu(),
            grid=self.agreed,
            near_mask=self.near,
            search=search(self.cuts),
        )

    def _point(self, at: At) -> Point:
        judged = self.choices.judged
        agreed = sum(each.case.weigh(at) > 0.5 for each in judged)
        counted = Counter((each.decided(at), each.label) for each in judged)
        return Point(
            thresholds=dict(zip(self.choices.names, at, strict=True)),
            agreed=agreed,
            cases=len(judged),
            interval=wilson(agreed / len(judged), len(judged)),
            confusion=tuple(Count(decision, label, number) for (decision, label), number in sorted(counted.items())),
        )

    def _axis(self, place: int, name: str) -> AxisReport:
        """The table along one threshold, every case with the other thresholds at the proposal."""
        line = [each.case.along(place, self.proposal) for each in self.choices.judged]
        right = table(line, [self.cuts])
        positive, negative = table_sides(right, self.cuts)
        apart = separate_table(right, self.cuts, prefer=self.choices.current[place])
        low, high = self.found.ranges[place]
        return AxisReport(
            name=name,
            cuts=tuple(self.cuts.values.tolist()),
            curve=tuple(int(value) for value in right.sum(axis=0)),
            identified=identified(self.agreed, place),
            best_range=(float(self.cuts.values[low]), float(self.cuts.values[high])),
            near_range=extent(self.cuts, self.near, place),
            separation=apart,
            polarity=polarity(positive, negative),
            positive=len(positive),
            negative=len(negative),
            verdict=judge_sample(positive=positive, negative=negative, width=apart.width, rows=len(line)),
        )

    def _cases(self) -> list[CaseReport]:
        inside, second = best(self.agreed), self.agreed == self.agreed.max() - 1
        return [
            CaseReport(
                id=each.id,
                label=each.label,
                values={
                    name: tuple(map(float, values))
                    for name, values in zip(self.choices.names, each.case.values, strict=True)
                },
                now=each.decided(self.choices.current),
                proposed=each.decided(self.proposal),
                margin=margin(each, self.choices.current),
                constrains=self._constrains(each.case, inside, second),
            )
            for each in self.choices.judged
        ]

    def _constrains(self, case: Case, inside: Mask, second: Mask) -> bool:
        """Whether the best set changes without the case (statistics, cases that do not matter)."""
        right = case.on(self.axes) > 0.5
        hits = right[inside]
        return bool(hits.any() and not hits.all()) or bool(hits.all() and not right[second].all())

    def _menu(self) -> Menu | None:
        if self.choices.menus is None:
            return None
        found = self.choices.menus(self.cuts)
        return Menu(
            cuts=tuple(self.cuts.values.tolist()),
            complete=tuple(int(value) for value in np.rint(found.complete)),
            recall=tuple(found.recall.round(9).tolist()),
            size=tuple(found.size.round(9).tolist()),
            smallest=float(self.cuts.values[found.smallest]),
            identified=bool(np.ptp(found.size) > 1e-9),
        )

    def _unseen(self) -> Unseen | None:
        if not enough(len(self.choices.judged), self.choices.groups):
            return None
        judged = [each.case for each in self.choices.judged]
        axes = coarse(judged, len(self.axes))
        if len(judged) * np.prod([len(cuts) for cuts in axes]) > MOST_RESAMPLED:
            axes = [Cuts.even(20)] * len(axes)
        labels = np.unique([each.label for each in self.choices.judged], return_inverse=True)[1].astype(np.int8)
        problem = TableChoice(table(judged, axes), axes, self.choices.current, labels)
        return unseen(problem, groups=self.choices.groups, draws=self.draws, seed=self.seed)


def margin(judged: Judged, current: At) -> float:
    """The smallest move of all thresholds at once that changes the decision; infinite where none in [0, 1] does."""
    spans = [_spans(values, at) for values, at in zip(judged.case.values, current, strict=True)]
    now = judged.decided(current)
    cells = sorted(product(*spans), key=lambda cell: max(away for away, _ in cell))
    for cell in cells:
        if judged.decided(tuple(threshold for _, threshold in cell)) != now:
            return max(away for away, _ in cell)
    return float("inf")


def _spans(values: Sequence[float], current: float) -> list[tuple[float, float]]:
    """Per interval between measured values: how far it is away, and a threshold inside it (its upper end)."""
    ends = sorted({*values, 1.0})
    begins = [0.0, *ends[:-1]]
    return [(max(low - current, current - high, 0.0), high) for low, high in zip(begins, ends, strict=True)]


def _choices(
    kind: str,
    names: tuple[str, ...],
    ids: Sequence[str],
    labels: Sequence[str],
    measured: Sequence[Kind],
    told: Callable[[Kind, Thresholds], str],
    profile: Thresholds,
) -> Choices:
    def bound(each: Kind) -> Callable[[At], str]:
        return lambda at: told(each, replace(profile, **dict(zip(names, at, strict=True))))

    judged = tuple(
        Judged(name, label, case, bound(each))
        for name, label, case, each in zip(ids, labels, cases(measured, names, base=profile), measured, strict=True)
    )
    return Choices(kind, names, judged, tuple(getattr(profile, name) for name in names))
