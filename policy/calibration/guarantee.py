"""What can be promised about unsafe calls: "at most x of them pass", from labelled rows and exact bounds.

One look follows a path that was fixed before the rows were seen (fixed-sequence testing with the binomial). Whoever
labels on and looks again needs the any-time form: a bound that holds once does not hold at every look.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from policy.calibration.cuts import Cuts, Floats

Form = Literal["one look", "any time"]
MOST_ROWS = 10_000_000
MOST_LOG = 690.0


@dataclass(frozen=True, slots=True)
class Look:
    """Which look at a guarantee this is, from 1, and the path that the first one fixed: the two thresholds held."""

    number: int
    missing: float
    match: float

    @property
    def form(self) -> Form:
        return "one look" if self.number == 1 else "any time"


@dataclass(frozen=True, slots=True)
class Certificate:
    """The highest cut for which at most `bound` of the unsafe calls pass, with `confidence`; None where none does.

    `rows` unsafe rows were measured, `passed` of them get through at the cut (at the lowest one where none holds);
    `needed` is the number of rows that would do for so many passes.
    """

    form: Form
    bound: float
    confidence: float
    threshold: float | None
    passed: int
    rows: int
    needed: int

    @property
    def holds(self) -> bool:
        return self.threshold is not None

    @property
    def missing(self) -> int:
        """Labels of unsafe calls still to come, if none of them passes."""
        return max(self.needed - self.rows, 0)


def certify(scores: Floats, cuts: Cuts, *, bound: float, form: Form, confidence: float = 0.95) -> Certificate:
    """Walk the cuts upwards from the one that stops most, as long as the promise holds.

    `scores` has one value per unsafe row: it is stopped at every cut that it reaches; a row that another rule stops
    at all of them counts as 1. A failed measurement is no row: it never passes, so leaving it out is the safe side.
    """
    passes = len(scores) - np.cumsum(np.bincount(cuts.reached(scores), minlength=len(cuts) + 1)[::-1])[::-1][1:]
    sure = _FORMS[form](passes, len(scores), bound, confidence)
    held = int(np.argmin(sure)) if not sure.all() else len(sure)
    passed = int(passes[max(held - 1, 0)])
    return Certificate(
        form=form,
        bound=bound,
        confidence=confidence,
        threshold=float(cuts.values[held - 1]) if held else None,
        passed=passed,
        rows=len(scores),
        needed=rows_needed(passed, bound, form=form, confidence=confidence),
    )


def rows_needed(passed: int, bound: float, *, form: Form, confidence: float = 0.95) -> int:
    """The smallest number of unsafe rows that certifies the bound when `passed` of them get through."""
    low, high = passed, passed + 1
    while not _holds(passed, high, bound, form, confidence):
        low, high = high, high * 2
        if high > MOST_ROWS:
            raise ValueError(f"no number of rows up to {MOST_ROWS} certifies a bound of {bound}")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _holds(passed, middle, bound, form, confidence) else (middle, high)
    return high


def upper_bound(passed: int, rows: int, *, confidence: float = 0.95) -> float:
    """The one-sided Clopper-Pearson bound on the share that passes."""
    from scipy import stats

    return 1.0 if passed >= rows else float(stats.beta.ppf(confidence, passed + 1, rows - passed))


def evidence(passed: int, rows: int, bound: float) -> float:
    """Wealth of a bet against "more than `bound` pass" after any number of looks (statistics, any-time form).

    Half is staked on "none ever passes", half spread evenly over all rates below the bound. At most 1e300.
    """
    from scipy import special, stats

    none = -rows * math.log1p(-bound) if passed == 0 else -math.inf
    spread = (
        float(special.betaln(passed + 1, rows - passed + 1))
        + float(stats.beta.logcdf(bound, passed + 1, rows - passed + 1))
        - passed * math.log(bound)
        - (rows - passed) * math.log1p(-bound)
        - math.log(bound)
    )
    return 0.5 * math.exp(min(none, MOST_LOG)) + 0.5 * math.exp(min(spread, MOST_LOG))


def families(scores: Floats, groups: npt.NDArray[np.int64]) -> Floats:
    """One score per family of near-duplicates: it passes where any of its members does."""
    _, member = np.unique(groups, return_inverse=True)
    lowest = np.full(int(member.max(initial=-1)) + 1, np.inf)
    np.minimum.at(lowest, member, scores)
    return lowest


def half(name: str) -> bool:
    """Whether a case belongs to the half that certifies; the other half may choose the other thresholds."""
    return hashlib.sha256(name.encode()).digest()[0] % 2 == 0


def _one_look(passes: npt.NDArray[np.int64], rows: int, bound: float, confidence: float) -> npt.NDArray[np.bool_]:
    from scipy import special

    if not rows:
        return np.zeros(len(passes), dtype=bool)
    sure: npt.NDArray[np.bool_] = special.bdtr(passes, rows, bound) <= 1 - confidence
    return sure


def _any_time(passes: npt.NDArray[np.int64], rows: int, bound: float, confidence: float) -> npt.NDArray[np.bool_]:
    enough = {int(passed): evidence(int(passed), rows, bound) >= 1 / (1 - confidence) for passed in np.unique(passes)}
    return np.array([rows > 0 and enough[int(passed)] for passed in passes], dtype=bool)


_FORMS: dict[Form, Callable[[npt.NDArray[np.int64], int, float, float], npt.NDArray[np.bool_]]] = {
    "one look": _one_look,
    "any time": _any_time,
}


def _holds(passed: int, rows: int, bound: float, form: Form, confidence: float) -> bool:
    return bool(_FORMS[form](np.array([passed]), rows, bound, confidence)[0])
