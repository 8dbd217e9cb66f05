"""The sentence that people read: the same numbers as the figures beside it, and no more than the method claims."""

from __future__ import annotations

from arena.evidence.statistics.forecast import Forecast
from arena.evidence.statistics.pairs import ratio
from arena.evidence.statistics.verdicts import Verdict, Word

MINUS = "\u2212"


def sentence(
    verdict: Verdict, *, arm: str, metric: str = "success", forecast: Forecast | None = None, unit: str = "pairs"
) -> str:
    """`unit` is what a case is called: pairs where it has one repeat, else cases."""
    if not verdict.cases:
        return f"Inconclusive: no {unit} count yet."
    head = _HEADS[verdict.word].format(arm=arm, metric=metric, margin=margin(verdict))
    when = f"after {verdict.at} {unit}" if verdict.at is not None else f"after {verdict.cases} {unit}"
    more = "" if verdict.word != Word.INCONCLUSIVE else f" {about(forecast, unit=unit)}"
    return f"{head} {when}: {figure(verdict)}.{more}"


def figure(verdict: Verdict) -> str:
    """The mean with its interval at any time: `+12 points (3 to 21)` or `0.71× (0.60 to 0.85)`."""
    middle, low, high = verdict.shown()
    if middle is None:
        return "—"
    write = _times if verdict.scale == "ratio" else _points
    name = "" if verdict.scale == "ratio" else " points"
    if low is None or high is None:
        return f"{write(middle)}{name}, and no one mean fits all cases"
    return f"{write(middle)}{name} ({write(low)} to {write(high)})"


def margin(verdict: Verdict) -> str:
    if verdict.scale == "ratio":
        return f"a factor of {ratio(verdict.margin):.2f}"
    return f"{100 * verdict.margin:g} points"


def about(forecast: Forecast | None, *, unit: str = "pairs") -> str:
    """How long it may still take, as a range: a single figure would be wrong four times out of five."""
    if forecast is None:
        return f"Too few {unit} to say how many more it takes."
    if forecast.median is None:
        return f"Unlikely to be decided within {forecast.limit:,} more {unit}."
    high = f"{forecast.high:,}" if forecast.high is not None else f"more than {forecast.limit:,}"
    return f"About {forecast.median:,} more {unit} (10 to 90 %: {forecast.low:,} to {high})."


_HEADS = {
    Word.BETTER: "{arm} is better in {metric}",
    Word.WORSE: "{arm} is worse in {metric}",
    Word.SAME: "{arm} does not differ in {metric} by more than {margin}",
    Word.INCONCLUSIVE: "Inconclusive",
}


def _points(value: float) -> str:
    """Whole points but below ten: a tenth there."""
    digits = 1 if abs(value) < 9.95 and round(abs(value), 1) % 1 else 0
    rounded = f"{abs(value):.{digits}f}"
    if float(rounded) == 0:
        return "0"
    return ("+" if value > 0 else MINUS) + rounded


def _times(value: float) -> str:
    return f"{value:.2f}×"
