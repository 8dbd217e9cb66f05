"""How well raters agree among themselves, and people with the automatic check; blind annotations only."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from arena.annotations.models import Annotation, Verdict
from arena.evidence.statistics import agreement
from arena.evidence.statistics.agreement import Agreement

# A yes or no of the check has nothing to compare with the two in between.
_CLEAR = {Verdict.MEETS.value: True, Verdict.DOES_NOT.value: False}


@dataclass(frozen=True, slots=True)
class Row:
    """One figure for the page; `left_out` says what did not count and why, blank where everything did."""

    title: str
    figure: Agreement
    left_out: str

    @property
    def value(self) -> str:
        return "—" if self.figure.value is None else f"{self.figure.value:.2f}"

    @property
    def interval(self) -> str:
        low, high = self.figure.low, self.figure.high
        return "" if low is None or high is None else f"{low:.2f} to {high:.2f}"


def of_site() -> tuple[Row, Row]:
    """Over every lane that was annotated blind."""
    rows = Annotation.objects.filter(assignment__blind=True).order_by("lane", "assignment")
    said = list(rows.values_list("lane", "assignment__rater", "verdict", "lane__passed"))
    not_blind = Annotation.objects.filter(assignment__blind=False).count()
    return _between(said, not_blind), _with_check(said, not_blind)


def _between(said: list[tuple[int, int, str, bool | None]], not_blind: int) -> Row:
    """Cohen's kappa where two people rated everything, Krippendorff's alpha where there are more."""
    by_lane: dict[int, dict[int, str]] = defaultdict(dict)
    for lane, rater, verdict, _ in said:
        by_lane[lane][rater] = verdict
    shared = [verdicts for verdicts in by_lane.values() if len(verdicts) > 1]
    raters = sorted({rater for verdicts in shared for rater in verdicts})
    if len(raters) == 2:
        figure = agreement.kappa([(each[raters[0]], each[raters[1]]) for each in shared])
    else:
        figure = agreement.alpha([list(each.values()) for each in shared])
    single = len(by_lane) - len(shared)
    return Row("Raters among themselves", figure, _left(not_blind, single, "rated by one person"))


def _with_check(said: list[tuple[int, int, str, bool | None]], not_blind: int) -> Row:
    pairs = [(_CLEAR[verdict], passed) for _, _, verdict, passed in said if verdict in _CLEAR and passed is not None]
    unclear = len(said) - len(pairs)
    figure = agreement.kappa(pairs)
    return Row("People and the automatic check", figure, _left(not_blind, unclear, "partly, cannot tell, or no check"))


def _left(not_blind: int, others: int, why: str) -> str:
    parts = [f"{others:,} {why}"] * bool(others) + [f"{not_blind:,} not blind"] * bool(not_blind)
    return f"left out: {'; '.join(parts)}" if parts else ""
