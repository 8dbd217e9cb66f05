"""How amounts are written on the usage pages; a dash is unknown, and ≥ says that something unknown is not in it."""

from __future__ import annotations

from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal

from policy.prices import Cost

GAP = "\N{NARROW NO-BREAK SPACE}"
UNKNOWN = "\N{EM DASH}"
AT_LEAST = "\N{GREATER-THAN OR EQUAL TO}"
CENT = Decimal("0.01")


def count(number: int | None, *, at_least: bool = False) -> str:
    """18,412; ≥ 7,002 for a lower bound; a dash where nothing is known."""
    if number is None:
        return UNKNOWN
    return f"{AT_LEAST}{GAP}{number:,}" if at_least else f"{number:,}"


def money(cost: Cost) -> str:
    """$1.23; < $0.01; $0.00 only for truly nothing; ≥ $0.01 where something unknown is not in it.

    A lower bound is cut, never rounded up, and has more digits where cents would say nothing.
    """
    if cost.usd is None:
        return UNKNOWN
    if not cost.unknown:
        return f"<{GAP}$0.01" if 0 < cost.usd < CENT else f"${cost.usd.quantize(CENT, ROUND_HALF_UP):,}"
    if not cost.usd:
        return f"{AT_LEAST}{GAP}$0.00"
    places = CENT if cost.usd >= CENT else Decimal(1).scaleb(cost.usd.adjusted() - 1)
    return f"{AT_LEAST}{GAP}${cost.usd.quantize(places, ROUND_FLOOR):,f}"


def milliseconds(amount: float | None) -> str:
    """251 ms, 1.4 s, < 1 ms; a dash where unknown."""
    if amount is None:
        return UNKNOWN
    if amount >= 999.5:
        return f"{amount / 1000:,.1f}{GAP}s"
    return f"{amount:.0f}{GAP}ms" if amount >= 0.5 else f"<{GAP}1{GAP}ms"


def share(part: Decimal | int, whole: Decimal | int) -> str:
    """92 %; a share that is not the whole is never written as 100 %, nor one above nothing as 0 %."""
    percent = round(100 * part / whole)
    if part != whole and percent == 100:
        return f">{GAP}99{GAP}%"
    return f"<{GAP}1{GAP}%" if part and not percent else f"{percent}{GAP}%"


def plural(number: int, noun: str) -> str:
    return f"{number:,} {noun if number == 1 else noun + 's'}"
