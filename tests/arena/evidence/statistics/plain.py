"""The same figures once more, in plain Python from what a document says: no line of the product, no numpy but to draw.

Slow and simple on purpose. `check(document)` compares every figure of a comparison's JSON to 1e-9.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

TOLERANCE = 1e-9


@cache
def nodes(number: int) -> list[tuple[float, float]]:
    """Gauss-Legendre on (0, 1): Newton's steps on the polynomial, weights that sum to 1."""
    found = []
    for place in range(1, number + 1):
        x = math.cos(math.pi * (place - 0.25) / (number + 0.5))
        for _ in range(100):
            before, value = 1.0, x
            for degree in range(2, number + 1):
                before, value = value, ((2 * degree - 1) * x * value - (degree - 1) * before) / degree
            slope = number * (x * value - before) / (x * x - 1)
            x -= value / slope
            if abs(value / slope) < 1e-16:
                break
        found.append(((1 + x) / 2, 1 / ((1 - x * x) * slope * slope)))
    return found


def wealth(values: Sequence[float], mean: float, number: int, sides: str = "ab") -> list[float]:
    """After each value, the mean over the stakes of what they have become; `a` bets above, `b` below."""
    stakes = []
    if "a" in sides:
        stakes += [(u / (1 + mean), weight / len(sides)) for u, weight in nodes(number)]
    if "b" in sides:
        stakes += [(-u / (1 - mean), weight / len(sides)) for u, weight in nodes(number)]
    grown, path = [1.0] * len(stakes), []
    for value in values:
        grown = [money * (1 + stake * (value - mean)) for money, (stake, _) in zip(grown, stakes, strict=True)]
        path.append(math.fsum(money * weight for money, (_, weight) in zip(grown, stakes, strict=True)))
    return path


def bisected(falls: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that is above 0 at `low` and below it at `high` crosses."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if falls(middle) > 0 else (low, middle)
    return (low + high) / 2


def check_verdict(document: dict[str, Any]) -> None:
    inputs = document["inputs"]
    values, level, margin, number = inputs["values"], inputs["level"], inputs["margin"], inputs["nodes"]
    zero, above, below = (wealth(values, mean, number) for mean in (0.0, margin, -margin))
    same = [min(both) for both in zip(above, below, strict=True)]
    mean = sum(values) / len(values) if values else None
    near(document["mean"], mean)
    near(document["p"], 1 / max([1.0, *zero]))
    near(document["p_same"], 1 / max([1.0, *same]))
    word, at = "inconclusive", None
    for look in range(len(values)):
        if zero[look] >= 1 / level:
            ahead = sum(values[: look + 1]) > 0
            word, at = ("better" if ahead == (inputs["direction"] == "higher") else "worse"), look + 1
        elif same[look] >= 1 / level:
            word, at = "no difference within the margin", look + 1
        if at:
            break
    assert (document["word"], document["at"], document["cases"]) == (word, at, len(values))
    if document["low"] is not None:
        check_interval(document, values, level, number)
    if inputs["scale"] == "ratio":
        for shown, value in zip(document["ratio"], (document["mean"], document["low"], document["high"]), strict=True):
            near(shown, inputs["most_ratio"] ** value)


def check_interval(document: dict[str, Any], values: Sequence[float], level: float, number: int) -> None:
    def over(mean: float) -> float:
        return max(wealth(values, mean, number), default=0.0) - 1 / level

    middle = (document["low"] + document["high"]) / 2
    assert over(middle) < 0
    edge = 1e-9
    near(document["low"], -1.0 if over(-1 + edge) < 0 else bisected(over, -1 + edge, middle))
    near(document["high"], 1.0 if over(1 - edge) < 0 else bisected(lambda mean: -over(mean), middle, 1 - edge))


def check_one_look(document: dict[str, Any], values: Sequence[float]) -> None:
    wins, losses = sum(value > 0 for value in values), sum(value < 0 for value in values)
    assert (document["wins"], document["losses"], document["ties"]) == (wins, losses, len(values) - wins - losses)
    decided = wins + losses
    tail = sum(math.comb(decided, one) for one in range(min(wins, losses) + 1))
    near(document["p"], min(1.0, 2 * tail / 2**decided))
    if document["t"] is not None:
        n, mean = len(values), sum(values) / len(values)
        error = math.sqrt(sum((value - mean) ** 2 for value in values) / (n - 1) / n)
        half = student(0.975, n - 1) * error
        near(document["t"][0], mean - half)
        near(document["t"][1], mean + half)
    if document["bootstrap"] is not None:
        check_bootstrap(document, values)


def check_bootstrap(document: dict[str, Any], values: Sequence[float]) -> None:
    import numpy as np

    rng, means = np.random.Generator(np.random.PCG64(document["seed"])), []
    for _ in range(document["draws"]):
        drawn = [values[place] for place in rng.integers(0, len(values), len(values)).tolist()]
        means.append(sum(drawn) / len(drawn))
    means.sort()
    for end, share in zip(document["bootstrap"], (0.025, 0.975), strict=True):
        near(end, means[math.ceil(share * document["draws"]) - 1])


def check_totals(document: dict[str, Any]) -> None:
    a, b = document["a"], document["b"]
    near(document["ratio"], sum(b) / sum(a))
    if document["low"] is None:
        assert document["reason"]
        return
    n = len(a)
    for end in (document["low"], document["high"]):
        gaps = [y - end * x for x, y in zip(a, b, strict=True)]
        mean = sum(gaps) / n
        error = math.sqrt(sum((gap - mean) ** 2 for gap in gaps) / (n - 1) / n)
        assert math.isclose(abs(mean), student(0.975, n - 1) * error, rel_tol=1e-7)


def check_even(document: dict[str, Any], values: Sequence[float], level: float) -> None:
    """Each end lies where the signs first leave a point standing, seen from outside."""
    ranked = sorted(values)
    near(document["at"], (ranked[(len(ranked) - 1) // 2] + ranked[len(ranked) // 2]) / 2)

    def stands(point: float) -> bool:
        wins = losses = 0
        for value in values:
            wins, losses = wins + (value > point), losses + (value < point)
            if 2 ** (wins + losses) / ((wins + losses + 1) * math.comb(wins + losses, wins)) >= 1 / level:
                return False
        return True

    for end, outwards in ((document["low"], -1e-7), (document["high"], 1e-7)):
        assert stands(end) or stands(end - outwards)
        assert abs(end) == 1 or not stands(end + outwards)


def check_forecast(document: dict[str, Any], inputs: dict[str, Any]) -> None:
    """The futures drawn again as the document says; how each ends is computed here."""
    import numpy as np

    values, bar = inputs["values"], 1 / inputs["level"]
    rng, futures = np.random.Generator(np.random.PCG64(document["seed"])), document["futures"]
    if set(values) <= {-1.0, 0.0, 1.0}:
        seen = [-1.0, 0.0, 1.0]
        lost, equal, won = (values.count(value) for value in seen)
        wins = rng.beta(won + 1, lost + 1, size=futures)
        apart = rng.beta(won + lost + 1, equal + 1, size=futures)
        shares = np.stack([apart * (1 - wins), 1 - apart, apart * wins], axis=1)
    else:
        seen = sorted(set(values))
        shares = rng.dirichlet([float(values.count(value)) for value in seen], size=futures)
    counts = np.array([[values.count(value) for value in seen]] * futures)
    margins = (inputs["margin"], -inputs["margin"])
    ends, alive, before = [math.inf] * futures, list(range(futures)), 0
    for look in document["looks"]:
        counts[alive] += rng.multinomial(look - before, shares[alive])
        before, still = look, []
        three = [of_counts(seen, counts[alive], mean, inputs["nodes"]) >= bar for mean in (0.0, *margins)]
        for future, differs, above, below in zip(alive, *three, strict=True):
            if differs or (above and below):
                ends[future] = look
            else:
                still.append(future)
        alive = still
        if not alive:
            break
    ends.sort()
    near(document["ended"], sum(end <= document["limit"] for end in ends) / futures)
    for name, share in (("low", 0.1), ("median", 0.5), ("high", 0.9)):
        end = ends[math.ceil(share * futures) - 1]
        assert document[name] == (None if math.isinf(end) else end)


def of_counts(seen: Sequence[float], counts: Any, mean: float, number: int) -> Any:
    """The wealth of many futures at once, one a line of `counts`: plain loops take minutes here."""
    import numpy as np

    stakes = [(side * u / (1 + side * mean), weight / 2) for side in (1, -1) for u, weight in nodes(number)]
    grown = [[math.log(1 + stake * (value - mean)) for stake, _ in stakes] for value in seen]
    return np.exp(counts @ np.array(grown)) @ np.array([weight for _, weight in stakes])


def student(share: float, free: int) -> float:
    """The quantile of Student's t by bisection on its distribution, which Simpson's rule integrates."""
    scale = math.exp(math.lgamma((free + 1) / 2) - math.lgamma(free / 2)) / math.sqrt(free * math.pi)

    def mass(end: float) -> float:
        # With x = sqrt(free) tan(angle) the density is a power of a cosine: smooth on a short range.
        last, steps = math.atan(end / math.sqrt(free)), 400
        width = last / steps
        heights = [math.cos(width * step) ** (free - 1) for step in range(steps + 1)]
        inner = heights[0] + heights[-1] + 4 * sum(heights[1:-1:2]) + 2 * sum(heights[2:-1:2])
        return scale * math.sqrt(free) * inner * width / 3

    return bisected(lambda end: share - 0.5 - mass(end), 0.0, 1_000.0)


def near(found: float | None, expected: float | None) -> None:
    if found is None or expected is None:
        assert found is expected
        return
    assert math.isclose(found, expected, rel_tol=TOLERANCE, abs_tol=TOLERANCE), f"{found} is not {expected}"


def check(document: dict[str, Any]) -> None:
    """Every figure of one comparison's document."""
    check_verdict(document["verdict"])
    inputs = document["verdict"]["inputs"]
    check_one_look(document["one_look"], inputs["values"])
    if document["with_voids_as_failures"]:
        check_verdict(document["with_voids_as_failures"])
        differ = document["with_voids_as_failures"]["word"] != document["verdict"]["word"]
        assert document["words_differ"] == differ
    if document["about_more"]:
        check_forecast(document["about_more"], inputs)
    if document["totals"]:
        check_totals(document["totals"])
    if document["even"]:
        check_even(document["even"], inputs["values"], inputs["level"])
