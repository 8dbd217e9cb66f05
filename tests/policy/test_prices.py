"""Prices: dated, by model, an operator's before the program's, unknown where there is none."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from policy.people.models import AuditEntry, User
from policy.people.services import NotAllowed
from policy.prices import Cost, Price, Prices, charge, in_force, remove, shipped, write

LATER = date(2026, 11, 30)
FREE, CENTS = Decimal(0), Decimal("0.042")


def price(model: str = "jev-*", *, since: date = date(2026, 9, 22), usd: Any = CENTS, output: Any = FREE) -> Price:
    return Price("judge", "typesafe", model, since, usd, output, "a page")


def of(*rows: Price, own: tuple[Price, ...] = (), asked: str = "jev-latest", day: date = LATER) -> Price | None:
    return Prices(own, rows).of("judge", "typesafe", asked=asked, answered="jev-1.13.0", day=day)


def test_every_shipped_price_has_a_source_a_day_and_exact_amounts() -> None:
    assert {row.name for row in shipped()} >= {"local", "typesafe", "cloudflare", "offline"}
    assert all(row.source and row.since.year >= 2026 for row in shipped())
    assert next(row.input_usd for row in shipped() if row.name == "typesafe") == Decimal("0.042")


def test_a_price_counts_from_its_day_on() -> None:
    assert of(price(), day=date(2026, 9, 21)) is None
    assert of(price(), day=date(2026, 9, 22)) == price()
    dearer = price(since=date(2026, 10, 1), usd=Decimal(1))
    assert of(price(), dearer) == dearer
    assert of(price(), dearer, day=date(2026, 9, 30)) == price()


def test_the_nearest_name_counts() -> None:
    exact, longer = price("jev-1.13.0"), price("jev-1.*")
    assert of(price(), longer) == longer
    assert of(price(), longer, exact) == exact


def test_a_model_that_is_billed_by_the_name_that_was_asked_for_is() -> None:
    assert of(price(), price("jev-flash"), asked="jev-flash") == price("jev-flash")


def test_what_an_operator_wrote_goes_before_what_came_with_the_program() -> None:
    assert of(price("jev-1.13.0"), own=(price("*", usd=FREE),)) == price("*", usd=FREE)


@pytest.mark.parametrize(
    ("row", "tokens", "unknown", "cost"),
    [
        (price(), (1_000_000, 500), (0, 0), Cost(Decimal("0.042"))),
        (price(), (1_000_000, 500), (3, 3), Cost(Decimal("0.042"), 3)),
        (price(), (0, 0), (10, 10), Cost(None, 10)),
        (price(output=None), (1_000_000, 500), (0, 0), Cost(Decimal("0.042"), 10)),
        (price(usd=FREE), (0, 0), (10, 10), Cost(FREE)),
        (None, (500, 5), (0, 0), Cost(None, 10)),
    ],
    ids=["known", "some told no tokens", "none told tokens", "output has no price", "free", "no price"],
)
def test_what_is_unknown_is_counted_and_never_nothing(
    row: Price | None, tokens: tuple[int, int], unknown: tuple[int, int], cost: Cost
) -> None:
    assert charge(row, tokens=tokens, unknown=unknown, requests=10) == cost


def test_costs_add_up_to_a_lower_bound() -> None:
    assert Cost(Decimal("0.1")) + Cost(None, 4) == Cost(Decimal("0.1"), 4)
    assert Cost(None, 1) + Cost(None, 2) == Cost(None, 3)


def test_an_operator_enters_replaces_and_removes_a_price(owner: User) -> None:
    write(price(usd=Decimal(1)), by=owner)
    row = write(price(usd=Decimal(2)), by=owner)
    assert [(each.input_usd, each.row) for each in in_force().own] == [(Decimal(2), row.pk)]
    remove(row.pk, by=owner)
    assert in_force().own == ()
    noted = AuditEntry.objects.order_by("pk").values_list("action", flat=True)
    assert list(noted) == ["price.set", "price.set", "price.removed"]


def test_a_reader_enters_no_price(reader: User) -> None:
    with pytest.raises(NotAllowed):
        write(price(), by=reader)
    with pytest.raises(NotAllowed):
        remove(1, by=reader)
