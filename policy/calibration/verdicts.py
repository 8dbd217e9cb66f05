"""Whether a threshold may be recommended from these rows: refused, provisional or ok, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from policy.calibration.cuts import Floats

REFUSED_BELOW, PROVISIONAL_BELOW = 50, 200
SIDE_REFUSED_BELOW, SIDE_PROVISIONAL_BELOW = 15, 50
WIDE_RANGE = 0.25
BACKWARDS, SIGNAL = -2.33, 1.96


class Standing(StrEnum):
    REFUSED = "refused"
    PROVISIONAL = "provisional"
    OK = "ok"


@dataclass(frozen=True, slots=True)
class Verdict:
    """`reasons` say what is missing, each as a sentence with its numbers; empty where the standing is ok."""

    standing: Standing
    reasons: tuple[str, ...] = ()


def judge_sample(*, positive: Floats, negative: Floats, width: float, rows: int | None = None) -> Verdict:
    """What may be said about a threshold between positive and negative rows (measured probabilities of each).

    `width` is the range of thresholds that the sample does not separate, in [0, 1]; `rows` counts all measured rows
    of the kind where some of them are on neither side.
    """
    size = len(positive) + len(negative) if rows is None else rows
    if refused := tuple(_refusals(positive, negative, size)):
        return Verdict(Standing.REFUSED, refused)
    if provisional := tuple(_doubts(positive, negative, size, width)):
        return Verdict(Standing.PROVISIONAL, provisional)
    return Verdict(Standing.OK)


def polarity(positive: Floats, negative: Floats) -> float | None:
    """How clearly positive rows measure higher, as the z of Mann and Whitney; None where one side is empty.

    Ties count half; when every value is the same there is no signal, z 0.
    """
    from scipy import stats

    if not len(positive) or not len(negative):
        return None
    n, m = len(positive), len(negative)
    ranks = stats.rankdata(np.concatenate([positive, negative]))
    above = float(ranks[:n].sum()) - n * (n + 1) / 2
    _, ties = np.unique(ranks, return_counts=True)
    size = n + m
    spread = n * m / 12 * (size + 1 - float((ties.astype(float) ** 3 - ties).sum()) / (size * (size - 1)))
    return 0.0 if spread <= 0 else (above - n * m / 2) / float(np.sqrt(spread))


def _refusals(positive: Floats, negative: Floats, rows: int) -> Iterator[str]:
    rarer = min(len(positive), len(negative))
    if rows < REFUSED_BELOW:
        yield f"{rows} measured rows of {REFUSED_BELOW} that a recommendation needs"
    if rarer < SIDE_REFUSED_BELOW:
        side = "positive" if len(positive) <= len(negative) else "negative"
        yield f"{rarer} {side} rows of {SIDE_REFUSED_BELOW} that each side needs"
    z = polarity(positive, negative)
    if z is not None and z < BACKWARDS:
        yield f"the question reads backwards: positive rows measure lower than negative ones (z = {z:.2f})"
    elif z is not None and z < SIGNAL:
        yield f"no signal: positive and negative rows measure alike (z = {z:.2f})"


def _doubts(positive: Floats, negative: Floats, rows: int, width: float) -> Iterator[str]:
    rarer = min(len(positive), len(negative))
    if rows < PROVISIONAL_BELOW:
        yield f"{rows} measured rows; from {PROVISIONAL_BELOW} on it is no longer provisional"
    if rarer < SIDE_PROVISIONAL_BELOW:
        yield f"{rarer} rows on the rarer side; from {SIDE_PROVISIONAL_BELOW} on it is no longer provisional"
    if width > WIDE_RANGE:
        yield f"the sample cannot separate thresholds over a range of {width:.2f}, more than {WIDE_RANGE}"
