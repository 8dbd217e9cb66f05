"""What each threshold of one question buys: hits and false alarms, precision, and risk against coverage."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from policy.calibration.cuts import Floats

Truth = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Hits:
    """Per measured value, highest first, the rows that reach it: `hits` are so, `alarms` are not.

    `positive` and `negative` count all rows. Shares of an empty side are NaN: nothing is known of them.
    """

    thresholds: Floats
    hits: Numbers
    alarms: Numbers
    positive: int
    negative: int

    @property
    def recall(self) -> Floats:
        """The share of the positive rows that reach the threshold (the y of a ROC curve)."""
        return _share(self.hits, self.positive)

    @property
    def alarm_rate(self) -> Floats:
        """The share of the negative rows that reach it (the x of a ROC curve)."""
        return _share(self.alarms, self.negative)

    @property
    def precision(self) -> Floats:
        """The share of the rows that reach it which are positive."""
        shares: Floats = self.hits / (self.hits + self.alarms)
        return shares

    @property
    def area(self) -> float | None:
        """The chance that a positive row measures higher than a negative one, ties half; None where a side is empty."""
        if not self.positive or not self.negative:
            return None
        x, y = np.append(0, self.alarms), np.append(0, self.hits)
        return float(np.trapezoid(y, x) / (self.positive * self.negative))


@dataclass(frozen=True, slots=True)
class Risk:
    """Per confidence, highest first: the share of rows handled from there on, and how many of these are wrong."""

    thresholds: Floats
    coverage: Floats
    risk: Floats


def hits(stated: Floats, true: Truth) -> Hits:
    """Every threshold that the measured values can tell apart."""
    values, reached, right = _cumulated(stated, true)
    positive = int(true.sum())
    return Hits(values, right, reached - right, positive, len(true) - positive)


def risk(confidence: Floats, correct: Truth) -> Risk:
    """Handling only the surest rows: how many, and how often wrongly."""
    values, reached, right = _cumulated(confidence, correct)
    return Risk(values, reached / max(len(correct), 1), (reached - right) / reached)


def _cumulated(values: Floats, true: Truth) -> tuple[Floats, Numbers, Numbers]:
    rising, place = np.unique(values, return_inverse=True)
    reached = np.bincount(place, minlength=len(rising))[::-1].cumsum()
    right = np.bincount(place[true], minlength=len(rising))[::-1].cumsum()
    return rising[::-1], reached, right


def _share(counts: Numbers, total: int) -> Floats:
    return counts / total if total else np.full(len(counts), np.nan)
