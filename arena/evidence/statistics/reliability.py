"""How reliable an arm is over the repeats of a case: passing once in k, passing all of k, and the noise of repeats."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from arena.evidence.statistics.fixed import t_interval

Form = Literal["pass@k", "pass^k"]
FORMULAS: Mapping[Form, str] = {"pass@k": "1 - C(n-c, k) / C(n, k)", "pass^k": "C(c, k) / C(n, k)"}


@dataclass(frozen=True, slots=True)
class Reliability:
    """The mean over the cases with at least k independent repeats, `of` cases in all; t interval over cases."""

    form: Form
    k: int
    mean: float | None
    interval: tuple[float, float] | None
    cases: int
    of: int
    values: Mapping[str, float]

    def says(self) -> str:
        return f"{self.cases} of {self.of} cases have at least {self.k} independent repeats"

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "formula": FORMULAS[self.form], "looks": "one"}


def at_least_once(passed: int, repeats: int, k: int) -> float:
    """pass@k of one case: the chance that one of k repeats passes, drawn from those that were made. Unbiased."""
    _fits(passed, repeats, k)
    return 1 - math.comb(repeats - passed, k) / math.comb(repeats, k)


def every_time(passed: int, repeats: int, k: int) -> float:
    """pass^k of one case: the chance that all of k repeats pass. The plug-in (c/n)^k would be too high."""
    _fits(passed, repeats, k)
    return math.comb(passed, k) / math.comb(repeats, k)


def reliability(form: Form, outcomes: Mapping[str, Sequence[bool]], k: int) -> Reliability:
    """`outcomes` has the independent repeats of each case: an answer from a cache or a recording is not another one.

    A case with fewer than k leaves the figure and is counted; k is never lowered.
    """
    of_case = at_least_once if form == "pass@k" else every_time
    values = {case: of_case(sum(passed), len(passed), k) for case, passed in outcomes.items() if len(passed) >= k}
    return Reliability(
        form=form,
        k=k,
        mean=math.fsum(values.values()) / len(values) if values else None,
        interval=t_interval(tuple(values.values())),
        cases=len(values),
        of=len(outcomes),
        values=values,
    )


def difference(a: Reliability, b: Reliability) -> tuple[float | None, tuple[float, float] | None]:
    """Mean and t interval of B minus A over the cases that both have."""
    both = tuple(b.values[case] - a.values[case] for case in b.values if case in a.values)
    return (math.fsum(both) / len(both) if both else None), t_interval(both)


@dataclass(frozen=True, slots=True)
class Noise:
    """How far two lanes of one arm on one case lie apart by themselves, in the unit of the values.

    `spread` is the standard deviation of one repeat within its case, pooled; `floor` the difference of two single
    lanes that repeats alone exceed in about one of twenty pairs.
    """

    spread: float
    floor: float
    repeats: int
    cases: int

    def floor_of_means(self, repeats: int) -> float:
        """The same for two means of so many repeats."""
        return self.floor / math.sqrt(repeats)


def noise(values: Mapping[str, Sequence[float]]) -> Noise | None:
    """From the repeats of each case; None where no case has two."""
    from scipy import stats

    repeated = [numbers for numbers in values.values() if len(numbers) > 1]
    if not repeated:
        return None
    means = [math.fsum(numbers) / len(numbers) for numbers in repeated]
    squares = math.fsum((value - mean) ** 2 for numbers, mean in zip(repeated, means, strict=True) for value in numbers)
    free = sum(map(len, repeated)) - len(repeated)
    spread = math.sqrt(squares / free)
    floor = float(stats.t.ppf(0.975, free)) * math.sqrt(2) * spread
    return Noise(spread, floor, sum(map(len, repeated)), len(repeated))


def _fits(passed: int, repeats: int, k: int) -> None:
    if not (0 <= passed <= repeats and 1 <= k <= repeats):
        raise ValueError(f"{passed} of {repeats} repeats passed with k = {k}: passed and k are at most the repeats")
