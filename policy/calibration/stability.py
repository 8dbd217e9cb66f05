"""How steady answers are: the noise of repeats, and whether another order of the options changes a choice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from policy.calibration.measured import Reading, numbers, picked
from policy.calibration.measuring import FORWARD


@dataclass(frozen=True, slots=True)
class Noise:
    """Of one question: over so many fixtures asked more than once, how far apart the answers lie (highest - lowest)."""

    question: str
    fixtures: int
    mean: float
    most: float


@dataclass(frozen=True, slots=True)
class Turned:
    """Of one order of the options: how many choices were compared with the usual order, and how many are others.

    `mean` is the mean distance between the two probabilities of what was chosen.
    """

    order: str
    compared: int
    changed: int
    mean: float | None
    examples: tuple[str, ...]


def noise(readings: Sequence[Reading]) -> list[Noise]:
    """Per question, the questions in the order of their names; empty where nothing was repeated."""
    values: dict[tuple[str, str], list[float]] = defaultdict(list)
    for each in readings:
        if each.usable and each.order == FORWARD:
            for name, value in numbers(each).items():
                values[name.split(" ")[0], f"{each.fixture.id} {name}"].append(value)
    spreads: dict[str, list[float]] = defaultdict(list)
    for (question, _), found in values.items():
        if len(found) > 1:
            spreads[question].append(max(found) - min(found))
    return [
        Noise(question, len(found), sum(found) / len(found), max(found)) for question, found in sorted(spreads.items())
    ]


def orders(readings: Sequence[Reading], *, examples: int = 5) -> list[Turned]:
    """Per order that was checked; only fixtures that were measured in both orders are compared."""
    usual = {each.fixture.id: each for each in readings if each.usable and each.order == FORWARD and each.repeat == 0}
    turned: dict[str, list[tuple[str, bool, float]]] = defaultdict(list)
    for each in readings:
        if each.usable and each.order != FORWARD and (before := usual.get(each.fixture.id)) is not None:
            shares, now = numbers(before), numbers(each)
            for name, choice in picked(each).items():
                if name in picked(before):
                    changed = choice != picked(before)[name]
                    turned[each.order].append((each.fixture.id, changed, abs(shares[name] - now[name])))
    return [
        Turned(
            order,
            len(found),
            sum(changed for _, changed, _ in found),
            sum(away for _, _, away in found) / len(found) if found else None,
            tuple(dict.fromkeys(id for id, changed, _ in found if changed))[:examples],
        )
        for order, found in sorted(turned.items())
    ]
