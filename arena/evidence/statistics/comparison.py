"""One metric of one arm against the baseline, as one record: the word, what would change it, and figures beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arena.evidence.statistics import betting, families, fixed, forecast, totals, wording
from arena.evidence.statistics.even import Even, even
from arena.evidence.statistics.pairs import (
    ORDER,
    CaseRecord,
    log_ratios,
    successes,
    successes_with_voids_as_failures,
)
from arena.evidence.statistics.verdicts import Verdict, verdict


@dataclass(frozen=True, slots=True)
class Comparison:
    """`blamed` counts void pairs as failures of the arm that broke them: only for success, and only where some are.

    `ahead` is None where a word is reached or too few cases say anything; `totals` and `even` are for amounts.
    """

    arm: str
    metric: str
    seed: int
    repeats: int
    verdict: Verdict
    blamed: Verdict | None
    ahead: forecast.Forecast | None
    one_look: fixed.OneLook
    totals: totals.Totals | None = None
    even: Even | None = None

    @property
    def unit(self) -> str:
        return "pairs" if self.repeats == 1 else "cases"

    @property
    def words_differ(self) -> bool:
        """Whether counting void pairs as failures would change the word: then the page must say so."""
        return self.blamed is not None and self.blamed.word != self.verdict.word

    def says(self) -> str:
        said = wording.sentence(self.verdict, arm=self.arm, metric=self.metric, forecast=self.ahead, unit=self.unit)
        if self.words_differ and self.blamed is not None:
            said += f" With void pairs counted as failures of the arm that broke them it would be: {self.blamed.word}."
        return said

    def to_json(self) -> dict[str, Any]:
        return {
            "arm": self.arm,
            "metric": self.metric,
            "seed": self.seed,
            "order": ORDER,
            "repeats": self.repeats,
            "says": self.says(),
            "verdict": self.verdict.to_json(),
            "void_pairs": self.verdict.series.voids(),
            "with_voids_as_failures": self.blamed.to_json() if self.blamed else None,
            "words_differ": self.words_differ,
            "about_more": self.ahead.to_json() if self.ahead else None,
            "one_look": self.one_look.to_json(),
            "totals": self.totals.to_json() if self.totals else None,
            "even": self.even.to_json() if self.even else None,
        }


def of_success(
    started: Sequence[CaseRecord], *, arm: str, seed: int, margin: float | None = None, level: float = betting.LEVEL
) -> Comparison:
    """`started` in the order of their start, which is the order that `seed` shuffled."""
    series = successes(started)
    said = verdict(series, margin=margin, level=level)
    blamed = successes_with_voids_as_failures(started)
    return Comparison(
        arm=arm,
        metric=families.PRIMARY,
        seed=seed,
        repeats=_repeats(started),
        verdict=said,
        blamed=verdict(blamed, margin=margin, level=level) if series.left else None,
        ahead=forecast.forecast(said),
        one_look=fixed.one_look(series),
    )


def of_amounts(
    started: Sequence[CaseRecord],
    *,
    arm: str,
    metric: str,
    seed: int,
    margin: float | None = None,
    level: float = betting.LEVEL,
) -> Comparison:
    """Tokens, time, cost: less is better, as the typical ratio B / A. `margin` is on the scale of the series."""
    series = log_ratios(started)
    said = verdict(series, margin=margin, level=level, direction="lower", scale="ratio")
    return Comparison(
        arm=arm,
        metric=metric,
        seed=seed,
        repeats=_repeats(started),
        verdict=said,
        blamed=None,
        ahead=forecast.forecast(said),
        one_look=fixed.one_look(series),
        totals=totals.totals(started),
        even=even(series, level=level),
    )


def _repeats(started: Sequence[CaseRecord]) -> int:
    return max((record.planned for record in started), default=1)
