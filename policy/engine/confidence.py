"""The official confidence of a distribution, computed by us beside the one that a judge reports.

Servers report five different quantities under the one name; these are the formulas of the vendor's own adapter.
"""

from __future__ import annotations

from collections.abc import Mapping

from policy.engine.answers import Answer, ChoiceAnswer, NoulAnswer


def computed(answer: Answer) -> float | None:
    """The confidence in [0, 1] by the official formula; None for a noul, which has none.

    Computed from the published probabilities, which are rounded: it may differ from an honest report by 0.02.
    """
    match answer:
        case NoulAnswer():
            return None
        case ChoiceAnswer():
            return of_choice(answer.probabilities)
    return of_score(answer.probabilities)


def of_choice(probabilities: Mapping[str, float]) -> float:
    """How far the peak stands above an even spread: `(max - 1/n) / (1 - 1/n)`, and 1 for a single label."""
    even = 1 / len(probabilities)
    if even == 1:
        return 1.0
    return _clamped((max(probabilities.values()) - even) / (1 - even))


def of_score(probabilities: Mapping[str, float]) -> float:
    """How close the levels lie to the most probable one, against the mean distance from the middle of the rubric.

    `1 - sum(p_i * |i - mode|) / D` with `D` the mean of `|i - (n-1)/2|`, not below 0, and 1 for a single level.
    """
    count = len(probabilities)
    if count == 1:
        return 1.0
    shares = [probabilities[str(level)] for level in range(count)]
    mode = shares.index(max(shares))
    spread = sum(abs(level - (count - 1) / 2) for level in range(count)) / count
    return _clamped(1 - sum(share * abs(level - mode) for level, share in enumerate(shares)) / spread)


def _clamped(value: float) -> float:
    return min(max(value, 0.0), 1.0)
