"""The one chart of the usage page: bars by day, a title that states the finding, the same numbers as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from policy.usage import cells as ledger
from policy.usage import figures
from policy.usage.cells import Cell
from policy.usage.filters import UNITS, Filter

Number = int | Decimal
# How bars differ, by what they say and never by a lane's hue: the script draws each from the tokens of the page.
QUIET, INK, OUTLINED, DOTTED = "quiet", "ink", "outlined", "dotted"
REPORTED_STYLES = (INK, OUTLINED, DOTTED)
NOTHING = {"tokens": "No judge told its tokens in these days", "cost": "Nothing known was spent"}


@dataclass(frozen=True, slots=True)
class Series:
    """One judge, and how its amounts are known; `values` has a number for every day."""

    judge: str
    how: str
    style: str
    values: tuple[Number, ...]

    @property
    def name(self) -> str:
        return f"{self.judge}, {self.how}" if self.how else self.judge


@dataclass(frozen=True, slots=True)
class Chart:
    """`rows` is the table: a day with the numbers of every series as written."""

    title: str
    unit: str
    days: tuple[date, ...]
    series: tuple[Series, ...]
    money: bool

    @property
    def rows(self) -> list[tuple[str, list[str]]]:
        def written(value: Number) -> str:
            return f"${value:f}" if self.money else figures.count(int(value))

        columns = zip(*(each.values for each in self.series), strict=True)
        return [
            (f"{day.day} {day:%b %Y}", [written(value) for value in values])
            for day, values in zip(self.days, columns, strict=True)
        ]

    @property
    def sentence(self) -> str:
        """What the picture shows, for those who do not see it."""
        return f"{self.title}. Bars of {self.unit} for each of {len(self.days)} days; the table below has the numbers."

    def to_json(self) -> dict[str, Any]:
        """For the script that draws it."""
        return {
            "unit": self.unit,
            "money": self.money,
            "days": [day.isoformat() for day in self.days],
            "series": [
                {"name": each.name, "style": each.style, "values": [float(value) for value in each.values]}
                for each in self.series
            ],
        }


def chart(chosen: Filter, found: Sequence[Cell]) -> Chart:
    """Bars of tokens, calls or money; calls need one query of their own."""
    amounts = _calls(chosen) if chosen.unit == "calls" else _sums(chosen.unit, found)
    here = {cell.judge for cell in found if cell.here}
    series = _series(amounts, chosen.days())
    return Chart(
        _finding(chosen.unit, amounts, here), UNITS[chosen.unit], tuple(chosen.days()), series, chosen.unit == "cost"
    )


Sums = dict[tuple[str, str], dict[date, Number]]


def _calls(chosen: Filter) -> Sums:
    sums: Sums = {}
    for (day, judge), number in ledger.calls(chosen, "day", "judge").items():
        sums.setdefault((judge, ""), {})[day] = number
    return sums


def _sums(unit: str, found: Sequence[Cell]) -> Sums:
    sums: Sums = {}
    for cell in found:
        amounts, parts = cell.amounts, dict[str, Number]()
        if unit == "cost":
            parts = {"": cell.cost.usd or Decimal(0)}
        else:
            parts = {"estimated": amounts.estimated, "reported": amounts.input - amounts.estimated}
        for how, number in parts.items():
            if number:
                days = sums.setdefault((cell.judge, how), {})
                days[cell.day] = days.get(cell.day, 0) + number
    return sums


def _series(sums: Sums, days: Sequence[date]) -> tuple[Series, ...]:
    """Estimated amounts first and quiet, then the others by size; what is beyond the last style is one series."""
    ordered = sorted(sums, key=lambda key: (key[1] != "estimated", -sum(sums[key].values()), key))
    left = list(REPORTED_STYLES)
    series = [Series(*key, "", tuple(sums[key].get(day, 0) for day in days)) for key in ordered]
    estimated = [each for each in series if each.how == "estimated"]
    others = [each for each in series if each.how != "estimated"]
    if not estimated and len(others) > 1:
        left.insert(1, QUIET)
    if len(estimated) > 1:
        estimated = [_merged(estimated)]
    if len(others) > len(left):
        others = [*others[: len(left) - 1], _merged(others[len(left) - 1 :])]
    quiet = [Series(each.judge, each.how, QUIET, each.values) for each in estimated]
    return (*quiet, *(Series(each.judge, each.how, left.pop(0), each.values) for each in others))


def _merged(several: Sequence[Series]) -> Series:
    values = tuple(sum(each) for each in zip(*(each.values for each in several), strict=True))
    names = " + ".join(dict.fromkeys(each.judge for each in several))
    return Series(names, several[0].how, "", values)


def _finding(unit: str, sums: Sums, here: set[str]) -> str:
    """What the bars show, in a sentence; only what is known counts."""
    by_judge: dict[str, Number] = {}
    for (judge, _), days in sums.items():
        by_judge[judge] = by_judge.get(judge, 0) + sum(days.values())
    whole = sum(by_judge.values())
    if not whole:
        return NOTHING.get(unit, "Nobody was asked in these days")
    local = sum(number for judge, number in by_judge.items() if judge in here)
    what = {"tokens": "of the known input tokens", "calls": "of the calls", "cost": "of the known cost"}[unit]
    if unit != "cost" and 2 * local > whole:
        most = "All judging ran" if local == whole else "Most judging ran"
        return f"{most} on this machine: {figures.share(local, whole)} {what}"
    first, number = max(by_judge.items(), key=lambda item: (item[1], item[0]))
    if 2 * number > whole:
        return f"{first} has {'all' if number == whole else figures.share(number, whole)} {what}"
    return f"No judge has more than half {what}; {first} has most, {figures.share(number, whole)}"
