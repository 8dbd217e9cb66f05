"""The usage page as values: six figures, one table that sums to them, and what stands below it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from policy.prices import Cost
from policy.usage import cells as ledger
from policy.usage import figures
from policy.usage.cells import Amounts, Cell
from policy.usage.filters import Filter, origin_word

NOT_KNOWN = "no model known"
SHARED = "A call with requests in two rows is counted in each, so this column adds up to more than its sum."


@dataclass(frozen=True, slots=True)
class Kpi:
    value: str
    label: str
    note: str


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the table: figures as written, the last one says what is not in them."""

    label: str
    detail: str
    calls: str
    requests: str
    retries: str
    input: str
    output: str
    cost: str
    half: str
    unknown: str


@dataclass(frozen=True, slots=True)
class Summary:
    kpis: tuple[Kpi, ...]
    lines: tuple[Line, ...]
    total: Line
    notes: tuple[str, ...]


_LABELS: dict[str, Callable[[Any], str]] = {
    "judge": str,
    "model": lambda model: model or NOT_KNOWN,
    "day": lambda day: f"{day.day} {day:%b %Y}",
    "origin": origin_word,
}
HEADS = {"judge": "Judge, answering model", "model": "Answering model, judge", "day": "Day, UTC", "origin": "Asked by"}


def summary(chosen: Filter, found: Sequence[Cell]) -> Summary:
    """Four queries beside the one for the cells: calls by group and in all, percentiles by group and of HTTP judges."""
    by = chosen.by
    calls, all_calls = ledger.calls(chosen, by), ledger.all_calls(chosen)
    halves, remote = ledger.latencies(chosen, by), ledger.remote_latencies(chosen)
    lines = tuple(
        _line(
            label=_LABELS[by](key),
            detail=_detail(by, group),
            calls=calls.get((key,), 0),
            half=halves.get(key, {}).get(50),
            group=group,
        )
        for key, group in _groups(by, found)
    )
    whole = _line(label="all", detail="", calls=all_calls, half=None, group=found)
    return Summary(
        _kpis(found, all_calls, remote),
        lines,
        whole,
        tuple(_notes(found, split=sum(calls.values()) > all_calls)),
    )


def _groups(by: str, found: Iterable[Cell]) -> list[tuple[Any, list[Cell]]]:
    """Days newest first, everything else by what it was asked most."""
    groups: dict[Any, list[Cell]] = {}
    for cell in found:
        groups.setdefault(getattr(cell, by), []).append(cell)
    if by == "day":
        return sorted(groups.items(), reverse=True)

    def weight(item: tuple[str, list[Cell]]) -> tuple[int, str]:
        return -sum(cell.amounts.requests + cell.amounts.stored for cell in item[1]), item[0]

    return sorted(groups.items(), key=weight)


def _detail(by: str, group: Iterable[Cell]) -> str:
    names = {"judge": "model", "model": "judge"}.get(by)
    if names is None:
        return ""
    known = sorted({getattr(cell, names) for cell in group if cell.amounts.answered or by == "model"} - {""})
    return ", ".join(known[:3]) + (f" and {len(known) - 3} more" if len(known) > 3 else "")


def _line(*, label: str, detail: str, calls: int, half: float | None, group: Sequence[Cell]) -> Line:
    amounts, cost = ledger.total(group)
    return Line(
        label=label,
        detail=detail,
        calls=figures.count(calls),
        requests=figures.count(amounts.requests),
        retries=figures.count(amounts.retries),
        input=tokens(amounts.input, amounts.input_told, amounts.input_unknown),
        output=tokens(amounts.output, amounts.output_told, amounts.output_unknown),
        cost=figures.money(cost),
        half="" if label == "all" else figures.milliseconds(half),
        unknown=_unknown(amounts, group),
    )


def tokens(known: int, told: int, unknown: int) -> str:
    """A sum of tokens; a dash where no request told its own."""
    return figures.count(known if told else None, at_least=unknown > 0)


def _unknown(amounts: Amounts, group: Iterable[Cell]) -> str:
    """What is not in the figures of a row, in words."""
    parts = []
    if amounts.input_unknown:
        failed = min(amounts.input_unknown, amounts.failed)
        if failed:
            parts.append(f"{figures.plural(failed, 'failed request')} without usage")
        if amounts.input_unknown > failed:
            parts.append(f"{figures.plural(amounts.input_unknown - failed, 'request')} without usage")
    if amounts.input_told and not amounts.output_told:
        parts.append("output never told")
    unpriced = sorted({cell.model or NOT_KNOWN for cell in group if not cell.source and cell.amounts.input_told})
    if unpriced:
        parts.append(f"no price of {', '.join(unpriced[:2])}{' and others' if len(unpriced) > 2 else ''}")
    if parts:
        return ", ".join(parts)
    if not amounts.requests:
        return "nothing was asked"
    return "none, all estimated" if amounts.estimated and amounts.estimated == amounts.input else "none"


def _kpis(found: Sequence[Cell], calls: int, remote: dict[int, float]) -> tuple[Kpi, ...]:
    amounts, cost = ledger.total(found)
    unknown_in, unknown_out = amounts.input_unknown, amounts.output_unknown
    return (
        Kpi(figures.count(calls), "logical calls", figures.plural(amounts.requests, "physical request")),
        Kpi(figures.count(amounts.retries), "retries", f"{amounts.wrong_totals:,} for a wrong total"),
        Kpi(
            tokens(amounts.input, amounts.input_told, unknown_in),
            "input tokens",
            f"{amounts.estimated:,} of them estimated" if amounts.estimated else _missing(unknown_in, "reported"),
        ),
        Kpi(tokens(amounts.output, amounts.output_told, unknown_out), "output tokens", _missing(unknown_out, "known")),
        Kpi(figures.money(cost), "known cost", _missing(cost.unknown, "known")),
        Kpi(
            figures.milliseconds(remote.get(50)),
            "p50, HTTP judges",
            f"p95 {figures.milliseconds(remote[95])}" if remote else "no HTTP judge answered",
        ),
    )


def _missing(requests: int, otherwise: str) -> str:
    return f"{figures.plural(requests, 'request')} unknown" if requests else f"all {otherwise}"


def _notes(found: Sequence[Cell], *, split: bool) -> Iterable[str]:
    yield "Agents are counted on their own tab and never added in here."
    stored = sum(cell.amounts.stored for cell in found)
    if stored:
        spared = Cost(None)
        for cell in found:
            spared += cell.saved
        yield (
            f"{figures.plural(stored, 'answer')} came from the store and cost nothing; "
            f"they would have cost {figures.money(spared)}."
        )
    if split:
        yield SHARED
    sources = sorted({cell.source for cell in found if cell.source and cell.cost.usd})
    if sources:
        yield f"Prices: {'; '.join(sources)}. An estimate, not an invoice."
