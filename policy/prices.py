"""What judges and agents cost: one dated table, and the rows that an operator put before it. Nothing is fetched.

Prices of language models beside it come with a package, see `policy/model_prices.py`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.db import transaction

from policy.models import PriceRow
from policy.people import audit
from policy.people.models import Role, User
from policy.people.services import require

TABLE = Path(__file__).with_name("prices.toml")
MILLION = Decimal(1_000_000)
Kind = PriceRow.Kind


@dataclass(frozen=True, slots=True)
class Price:
    """USD per million tokens, from the day `since` (UTC) on; None is unknown.

    `row` is set where a person wrote it. Without prices of their own, cached and newly cached input is plain input.
    """

    kind: str
    name: str
    model: str
    since: date
    input_usd: Decimal | None
    output_usd: Decimal | None
    source: str
    row: int | None = None
    cached_usd: Decimal | None = None
    cache_write_usd: Decimal | None = None

    @property
    def free(self) -> bool:
        """Whether nothing is paid however many tokens there were."""
        return self.input_usd == self.output_usd == 0

    def fits(self, model: str) -> bool:
        return model.startswith(self.model[:-1]) if self.model.endswith("*") else model == self.model

    def _rank(self) -> tuple[bool, int, date]:
        return not self.model.endswith("*"), len(self.model), self.since


@dataclass(frozen=True, slots=True)
class Prices:
    """The table of a moment: what an operator wrote goes before what came with the program."""

    own: tuple[Price, ...]
    shipped: tuple[Price, ...]

    def of(self, kind: str, name: str, *, asked: str, answered: str, day: date) -> Price | None:
        """The price of a judge or agent on a day; None is unknown.

        The model is the one that was asked for where the table has it by name (what is billed), else the one that
        answered: an alias moves.
        """
        for table in (self.own, self.shipped):
            known = [each for each in table if (each.kind, each.name) == (kind, name) and each.since <= day]
            exact = [each for each in known if each.model == asked]
            fitting = exact or [each for each in known if each.fits(answered or asked)]
            if fitting:
                return max(fitting, key=Price._rank)
        return None


@dataclass(frozen=True, slots=True)
class Cost:
    """A sum in USD; `unknown` counts what is not in it. Nothing known and something unknown is None."""

    usd: Decimal | None = Decimal(0)
    unknown: int = 0

    def __add__(self, other: Cost) -> Cost:
        known = [each for each in (self.usd, other.usd) if each is not None]
        return Cost(sum(known, Decimal(0)) if known else None, self.unknown + other.unknown)


def charge(price: Price | None, *, tokens: tuple[int, int], unknown: tuple[int, int], requests: int) -> Cost:
    """What so many tokens (in, out) cost; `unknown` counts the requests that did not say how many they used."""
    if requests == 0:
        return Cost(None)
    if price is None:
        return Cost(None, requests)
    sides = tuple(zip((price.input_usd, price.output_usd), tokens, unknown, strict=True))
    missing = max(requests if usd is None else without if usd else 0 for usd, _, without in sides)
    usd = sum((usd * count / MILLION for usd, count, _ in sides if usd is not None), Decimal(0))
    return Cost(None if missing == requests and not usd else usd, missing)


def in_force() -> Prices:
    """The prices of this site now."""
    own = tuple(
        Price(
            row.kind,
            row.name,
            row.model,
            row.since,
            row.input_usd,
            row.output_usd,
            row.source,
            row.pk,
            row.cached_usd,
            row.cache_write_usd,
        )
        for row in PriceRow.objects.all()
    )
    return Prices(own, shipped())


@lru_cache(maxsize=1)
def shipped() -> tuple[Price, ...]:
    """The table that came with the program."""
    table = tomllib.loads(TABLE.read_text(), parse_float=Decimal)
    return tuple(price for kind in (Kind.JUDGE, Kind.AGENT) for price in _read(kind.value, table[kind.value]))


def _read(kind: str, rows: Iterable[Mapping[str, Any]]) -> Iterable[Price]:
    for row in rows:
        first, second = (_decimal(row.get(side)) for side in ("input", "output"))
        yield Price(kind, row["name"], row["model"], row["since"], first, second, row["source"])


def _decimal(value: Any) -> Decimal | None:
    return None if value is None else Decimal(value)


def write(price: Price, *, by: User) -> PriceRow:
    """Keep an operator's price; one of the same model and day is replaced. Raises `NotAllowed`."""
    require(Role.OPERATOR, by=by)
    found: dict[str, Any] = {
        "input_usd": price.input_usd,
        "output_usd": price.output_usd,
        "cached_usd": price.cached_usd,
        "cache_write_usd": price.cache_write_usd,
        "source": price.source,
        "by": by,
    }
    place: dict[str, Any] = {"kind": price.kind, "name": price.name, "model": price.model, "since": price.since}
    with transaction.atomic():
        row, _ = PriceRow.objects.update_or_create(defaults=found, **place)
        audit.note("price.set", f"{price.name} {price.model} {price.since} {price.input_usd} {price.output_usd}", by=by)
    return row


def remove(row: int, *, by: User) -> None:
    """Take an operator's price away: the table that came with the program counts again. Raises `NotAllowed`."""
    require(Role.OPERATOR, by=by)
    with transaction.atomic():
        for found in PriceRow.objects.filter(pk=row):
            audit.note("price.removed", f"{found.name} {found.model} {found.since}", by=by)
            found.delete()
