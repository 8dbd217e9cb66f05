"""Running text taken apart: sentences, word stems, sums of money, shares, dates and spans of time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from arena.worlds import records

_END = re.compile(r"(?<=[.!?])\s+")
_DAY_OF_MONTH = re.compile(r"(?<!\d)\d{1,2}\.$")
_STEM_CHARS = 6
_SHORT_WORD = 3

_ENGLISH = "january february march april may june july august september october november december"
_GERMAN = "januar februar märz april mai juni juli august september oktober november dezember"
_MONTHS = {name: number for names in (_ENGLISH, _GERMAN) for number, name in enumerate(names.split(), start=1)}
_DATE = re.compile(
    rf"\b(?P<day>\d{{1,2}})\.? (?P<month>{'|'.join(_MONTHS)})\b(?:,? (?P<year>\d{{4}}))?"
    r"|\b(?P<iso>\d{4}-\d\d-\d\d)\b",
    re.IGNORECASE,
)
_COUNT = r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|zwei|drei|vier|fünf|zehn)"
_PERIOD = re.compile(
    rf"\b{_COUNT} (?:full |working |weiteren )?"
    r"(?:hour|day|night|week|month|year|minute|Stunde|Tag|Werktag|Woche|Monat|Jahr)\w*",
    re.IGNORECASE,
)
_FIGURE = re.compile(rf"\b\d[\d.,]* EUR\b|\b{_COUNT} (?:percent|pieces)\b|\b\d+ ?%", re.IGNORECASE)


def sentences(text: str) -> list[str]:
    """The sentences in order; the full stop of a German date ends none."""
    joined: list[str] = []
    for part in _END.split(text.strip()):
        if joined and _DAY_OF_MONTH.search(joined[-1]):
            joined[-1] = f"{joined[-1]} {part}"
        else:
            joined.append(part)
    return joined


def stems(text: str) -> set[str]:
    """Words cut to their first letters, so that `refund` meets `refunds`; short ones are left out."""
    return {word[:_STEM_CHARS] for word in records.words(text) if len(word) >= _SHORT_WORD}


def periods(text: str) -> list[str]:
    """Spans of time as they are written, like `30 days` or `two working days`."""
    return [found.group() for found in _PERIOD.finditer(text)]


def figures(text: str) -> list[str]:
    """Sums, shares, pieces and spans of time as they are written, in no order of sense."""
    return [found.group() for found in _FIGURE.finditer(text)] + periods(text)


def dates(text: str, written_on: date) -> Iterator[tuple[str, date]]:
    """Dates with their words; one without a year is taken as the nearest to `written_on`."""
    for found in _DATE.finditer(text):
        day = _day(found, written_on)
        if day is not None:
            yield found.group(), day


def _day(found: re.Match[str], written_on: date) -> date | None:
    try:
        if found["iso"]:
            return date.fromisoformat(found["iso"])
        month = _MONTHS[found["month"].lower()]
        if found["year"]:
            return date(int(found["year"]), month, int(found["day"]))
        years = (written_on.year - 1, written_on.year, written_on.year + 1)
        return min((date(year, month, int(found["day"])) for year in years), key=lambda day: abs(day - written_on))
    except ValueError:
        return None
