"""The ledger summed by the database: a fixed number of queries, however many rows there are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import date
from typing import Any, Self

from django.db.models import Count, F, Q, QuerySet, Sum, Window
from django.db.models.functions import RowNumber

from policy.judges import registry
from policy.models import LedgerEntry
from policy.prices import Cost, Prices, charge
from policy.usage.filters import ASKED, MODEL, Filter

# Judges of which nothing leaves the machine, by name.
HERE = frozenset(each.name for each in (*registry.available(), registry.REPLAY) if not each.leaves_machine)
_HOP = Q(verdict="redirected")
_AGAIN = ASKED & ~Q(after="") & ~Q(after="redirected")
_STORED = Q(cached_at__isnull=False)

_SUMS: dict[str, Any] = {
    "requests": Count("pk", filter=ASKED),
    "hops": Count("pk", filter=ASKED & _HOP),
    "failed": Count("pk", filter=ASKED & Q(status="failed") & ~_HOP),
    "retries": Count("pk", filter=_AGAIN),
    "wrong_totals": Count("pk", filter=_AGAIN & Q(after="invalid_sum")),
    "input": Sum("input_tokens", filter=ASKED, default=0),
    "input_told": Count("input_tokens", filter=ASKED),
    "estimated": Sum("input_tokens", filter=ASKED & Q(token_source="estimated"), default=0),
    "output": Sum("output_tokens", filter=ASKED, default=0),
    "output_told": Count("output_tokens", filter=ASKED),
    "stored": Count("pk", filter=_STORED),
    "stored_input": Sum("input_tokens", filter=_STORED, default=0),
    "stored_output": Sum("output_tokens", filter=_STORED, default=0),
}


@dataclass(frozen=True, slots=True)
class Amounts:
    """Counts of physical requests and tokens; `stored` are answers used again, which are in no other count."""

    requests: int = 0
    hops: int = 0
    failed: int = 0
    retries: int = 0
    wrong_totals: int = 0
    input: int = 0
    input_told: int = 0
    estimated: int = 0
    output: int = 0
    output_told: int = 0
    stored: int = 0
    stored_input: int = 0
    stored_output: int = 0

    def __add__(self, other: Amounts) -> Amounts:
        return Amounts(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(Amounts)))

    @property
    def answered(self) -> bool:
        """Whether any of it came to an answer."""
        return self.stored > 0 or self.requests > self.failed + self.hops

    @property
    def billable(self) -> int:
        """Requests that may have used tokens: a redirect has only been sent on."""
        return self.requests - self.hops

    @property
    def input_unknown(self) -> int:
        return self.billable - self.input_told

    @property
    def output_unknown(self) -> int:
        return self.billable - self.output_told


@dataclass(frozen=True, slots=True)
class Cell:
    """One judge, model and origin on one day; `cost` is of what was asked, `saved` what stored answers spared."""

    day: date
    judge: str
    model: str
    asked: str
    origin: str
    here: bool
    amounts: Amounts
    cost: Cost
    saved: Cost
    source: str

    @classmethod
    def of(cls, row: Mapping[str, Any], prices: Prices) -> Self:
        sums = Amounts(*(row[each.name] for each in fields(Amounts)))
        price = prices.of("judge", row["judge"], asked=row["requested_model"], answered=row["model"], day=row["day"])
        unknown = sums.input_unknown, sums.output_unknown
        return cls(
            day=row["day"],
            judge=row["judge"],
            model=row["model"],
            asked=row["requested_model"],
            origin=row["origin"],
            here=row["judge"] in HERE,
            amounts=sums,
            cost=charge(price, tokens=(sums.input, sums.output), unknown=unknown, requests=sums.billable),
            saved=charge(price, tokens=(sums.stored_input, sums.stored_output), unknown=(0, 0), requests=sums.stored),
            source="" if price is None else f"{price.source}, since {price.since}",
        )


def cells(chosen: Filter, prices: Prices) -> list[Cell]:
    """Everything that can be added up, at its finest; one query."""
    rows = chosen.rows().values("day", "judge", "model", "requested_model", "origin").annotate(**_SUMS)
    return [Cell.of(row, prices) for row in rows.order_by("day", "judge", "model", "requested_model", "origin")]


def calls(chosen: Filter, *by: str) -> dict[tuple[Any, ...], int]:
    """Logical calls by these fields; a call with rows under two of them counts under each. One query."""
    rows = chosen.rows().values(*by).annotate(calls=Count("call", distinct=True)).order_by(*by)
    return {tuple(row[name] for name in by): row["calls"] for row in rows}


def all_calls(chosen: Filter) -> int:
    """Logical calls, each once. One query."""
    number: int = chosen.rows().aggregate(calls=Count("call", distinct=True))["calls"]
    return number


def latencies(chosen: Filter, by: str) -> dict[Any, dict[int, float]]:
    """The 50th and the 95th percentile (nearest rank, ms) of physical requests that ended, by a field. One query."""
    rows = _ranked(chosen.rows(), partition=[F(by)]).values_list(by, "rank", "of", "latency_ms")
    found: dict[Any, dict[int, float]] = {}
    for key, rank, of, latency_ms in rows:
        found.setdefault(key, {}).update(_percentiles(rank, of, latency_ms))
    return found


def remote_latencies(chosen: Filter) -> dict[int, float]:
    """The same over all judges that are asked over HTTP; empty where none was. One query."""
    rows = _ranked(chosen.rows().exclude(judge__in=HERE), partition=None).values_list("rank", "of", "latency_ms")
    return {percent: time for row in rows for percent, time in _percentiles(*row).items()}


def _ranked(rows: QuerySet[Any], *, partition: list[F] | None) -> QuerySet[Any]:
    """The rows that stand at a percentile, with their `rank` among the `of` rows of their part."""
    ranked = rows.filter(ASKED, latency_ms__isnull=False).annotate(
        rank=Window(RowNumber(), partition_by=partition, order_by=F("latency_ms").asc()),
        of=Window(Count("pk"), partition_by=partition),
    )
    found: QuerySet[Any] = ranked.filter(Q(rank=(F("of") + 1) / 2) | Q(rank=(F("of") * 95 + 99) / 100))
    return found


def _percentiles(rank: int, of: int, latency_ms: float) -> dict[int, float]:
    return {percent: latency_ms for percent in (50, 95) if rank == (of * percent + 99) // 100}


def options() -> list[tuple[str, str, str]]:
    """Every judge, model and origin that there ever was. One query."""
    rows = LedgerEntry.objects.order_by().annotate(model=MODEL)
    return sorted(rows.values_list("judge", "model", "origin").distinct())


def total(found: Iterable[Cell]) -> tuple[Amounts, Cost]:
    """The sum of cells; the cost of nothing is unknown, as nothing was asked."""
    amounts, cost = Amounts(), Cost(None)
    for cell in found:
        amounts, cost = amounts + cell.amounts, cost + cell.cost
    return amounts, cost
