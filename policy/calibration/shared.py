"""Thresholds that two kinds of decision share: one value must serve both.

`selection` is read by tools and skills, `confidence` by the expansion of menus and by skills.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from policy.calibration.boxes import summed
from policy.calibration.cuts import Cuts, Floats
from policy.calibration.measured_choices import MeasuredSelection, weighed
from policy.engine.profile import Thresholds


@dataclass(frozen=True, slots=True)
class Shared:
    """The places at which a shared threshold does best for all kinds.

    `joint` says that every kind is at its best there (the intersection of their regions); otherwise the places have
    the highest summed agreement, and `lost` says how much each kind gives up there.
    """

    joint: bool
    places: tuple[int, ...]
    lost: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Expansion:
    """What the threshold `confidence` does to menus, per cut: it never changes what is selected.

    `complete` counts the cases whose expected tools are all visible; `recall` and `size` are means over cases.
    """

    cuts: Cuts
    complete: Floats
    recall: Floats
    size: Floats

    @property
    def smallest(self) -> int:
        """The lowest cut with the best recall: it shows the fewest tools of all that have it."""
        return int(np.argmax(self.recall >= self.recall.max() - 1e-12))


def along(figures: npt.NDArray[np.generic], axis: int) -> Floats:
    """The best that each place of one axis can do, the other thresholds free."""
    others = tuple(other for other in range(figures.ndim) if other != axis)
    free: Floats = np.asarray(figures, dtype=np.float64).max(axis=others)
    return free


def share(*kinds: Floats) -> Shared:
    """One value for several kinds, from the best that each of them can do at each place."""
    figures: Sequence[Floats] = kinds
    best = np.logical_and.reduce([each == each.max() for each in figures])
    joint = bool(best.any())
    if not joint:
        total = np.sum(figures, axis=0)
        best = total == total.max()
    places = tuple(int(place) for place in np.flatnonzero(best))
    return Shared(joint, places, tuple(float(each.max() - each[places[0]]) for each in figures))


@dataclass(frozen=True, slots=True)
class Settled:
    """Both shared thresholds; `confidence` is settled with `selection` at the place `at`."""

    selection: Shared
    at: int
    confidence: Shared


def settle(tools: Floats, skills: Floats, complete: Floats, *, prefer: int) -> Settled:
    """From agreement of tools (relevance, selection), of skills (skill, selection, confidence) and complete menus.

    All on the same cuts; `prefer` is the place of the present `selection`, the nearest one of several is settled on.
    """
    selection = share(along(tools, 1), along(skills, 1))
    at = min(selection.places, key=lambda place: abs(place - prefer))
    return Settled(selection, at, share(complete, along(skills[:, at], 1)))


def expansion(measured: Sequence[MeasuredSelection], cuts: Cuts, *, base: Thresholds) -> Expansion:
    """Recall and size of the visible menu at every cut of `confidence`, the other thresholds at `base`.

    Raises `ValueError` where nothing was measured.
    """
    if not measured:
        raise ValueError("without a measured selection nothing is known of menus")

    def over(figure: str) -> Floats:
        return summed(weighed(measured, FIGURES[figure], ("confidence",), base=base), [cuts])

    return Expansion(cuts, over("complete"), over("recall") / len(measured), over("size") / len(measured))


FIGURES = {
    "complete": lambda each, cuts: float(each.expected <= each.visible(cuts)),
    "recall": lambda each, cuts: each.recall(cuts),
    "size": lambda each, cuts: float(len(each.visible(cuts))),
}
