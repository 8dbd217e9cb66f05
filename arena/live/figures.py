"""How figures are written on every page: one precision per kind, a true minus sign, a dash for what is unknown.

Numbers and their unit are parted by a narrow no-break space, so a line never breaks between them.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta

GAP = "\N{NARROW NO-BREAK SPACE}"
MINUS = "\N{MINUS SIGN}"
UNKNOWN = "\N{EM DASH}"
AT_LEAST = "\N{GREATER-THAN OR EQUAL TO}"


def count(number: int | None, *, at_least: bool = False) -> str:
    """18,412; a dash where unknown; `≥ 7,002` for a lower bound."""
    if number is None:
        return UNKNOWN
    return f"{AT_LEAST}{GAP}{number:,}" if at_least else f"{number:,}".replace("-", MINUS)


def signed(number: int) -> str:
    """The sign always shown: −13,058, +24, 0."""
    return f"{MINUS if number < 0 else '+' if number else ''}{abs(number):,}"


def share(part: float, whole: float) -> str:
    """A change as a share, sign shown: −71 %; a dash where there is no whole."""
    if not whole:
        return UNKNOWN
    percent = round(100 * part / whole)
    return f"{MINUS if percent < 0 else '+' if percent else ''}{abs(percent)}{GAP}%"


def seconds(amount: float | None) -> str:
    """14.2 s, 0.31 s, 4 ms, 1 m 38 s, 2 h 11 m; a dash where unknown."""
    if amount is None:
        return UNKNOWN
    if amount >= 3600:
        return f"{int(amount // 3600)}{GAP}h {int(amount % 3600 // 60)}{GAP}m"
    if amount >= 60:
        return f"{int(amount // 60)}{GAP}m {int(amount % 60)}{GAP}s"
    if amount >= 9.995:
        return f"{amount:.1f}{GAP}s"
    if amount >= 0.01 or amount == 0:
        return f"{amount:.2f}{GAP}s" if amount else f"0{GAP}s"
    return f"{amount * 1000:.0f}{GAP}ms" if amount >= 0.001 else f"<{GAP}1{GAP}ms"


def money(usd: float) -> str:
    """$1.23, $0.0042, $0.00 only for truly nothing: below a dollar two digits that say something."""
    if usd >= 1 or usd == 0:
        return f"${usd:,.2f}"
    return f"${usd:.{max(2, 1 - math.floor(math.log10(usd)))}f}"


def since_start(amount: float) -> str:
    """A moment on the clock of a run: one decimal, so that a column of them lines up."""
    return f"{amount:.1f}{GAP}s" if amount < 60 else seconds(amount)


def clock(amount: float) -> str:
    """The running clock: 0:21.4, 12:03.0."""
    tenths = int(amount * 10)
    return f"{tenths // 600}:{tenths % 600 // 10:02d}.{tenths % 10}"


def now(amount: float) -> str:
    """The label of the running clock on a ruler: 21.4, from a minute on 1:37."""
    return f"{amount:.1f}" if amount < 60 else f"{int(amount // 60)}:{int(amount % 60):02d}"


def probability(value: float | None) -> str:
    """.58: two decimals, no leading zero; a dash where unknown."""
    return UNKNOWN if value is None else f"{value:.2f}".removeprefix("0")


def plural(number: int, noun: str, many: str = "") -> str:
    """`1 tool`, `3 tools`."""
    return f"{number:,} {noun if number == 1 else many or noun + 's'}"


def digest(text: str) -> str:
    """The first eight characters; the whole stands in the title."""
    return text[:8]


def when(moment: datetime, now: datetime) -> str:
    """`now`, `12 min ago`, `today 14:32`, `yesterday 9:05`, `28 Nov`; both times in the same zone."""
    ago = now - moment
    if ago < timedelta(minutes=1):
        return "now"
    if ago < timedelta(hours=1):
        return f"{int(ago.total_seconds() // 60)}{GAP}min ago"
    days = (now.date() - moment.date()).days
    if days == 0:
        return f"today {moment:%H:%M}"
    if days == 1:
        return f"yesterday {moment:%H:%M}"
    return f"{moment.day} {moment:%b}" if moment.year == now.year else f"{moment.day} {moment:%b %Y}"
