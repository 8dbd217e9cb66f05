"""The world's records as plain tables: rows of named cells, money as exact decimals, and cells compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from arena.worlds import records
from arena.worlds.handlers import ToolError
from arena.worlds.sources import shown
from arena.worlds.world import Record, World

Cell = str | int | Decimal | None
Row = dict[str, Cell]
_CENT = Decimal("0.01")
_MONEY = frozenset({"total", "unit_price", "amount", "unit_cost"})
# What the shop typed in is money; what a supplier sent stays as it came, faults included.
_RAW = frozenset({"price_import"})


def rows(world: World, table: str) -> list[Row]:
    """Every row of a table in the order of the world; lists and nested records become columns of their own."""
    if table == "order_lines":
        return [row for order in world.all("orders") for row in _lines(order)]
    flatten = _FLAT.get(table, _same)
    taken = [_cells(table, flatten(record)) for record in world.all(table)]
    return _with_country(world, taken) if table == "orders" else taken


def column(table: str, taken: Iterable[Row], name: str, *, argument: str = "column") -> str:
    """The name if the table has such a column; raises ToolError that lists the columns."""
    known = list(dict.fromkeys(key for row in taken for key in row))
    if name not in known:
        cause = f"The argument {argument} names no column of {table}: {shown(name)}"
        raise ToolError(f"{cause}; use one of {', '.join(known)}.")
    return name


def numbers(table: str, taken: Iterable[Row], name: str, *, argument: str = "column") -> list[Decimal]:
    """The numbers of a column without empty cells; raises ToolError where a cell is text."""
    cells = [row[name] for row in taken if row[name] is not None]
    if any(isinstance(cell, str) for cell in cells):
        raise ToolError(f"The argument {argument} is a column of text in {table}: {name}; choose one of numbers.")
    return [Decimal(str(cell)) for cell in cells]


def number(text: str) -> Decimal | None:
    """The number that a text writes with a point; None for everything else."""
    try:
        value = Decimal(text.strip())
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def shown_number(value: Decimal) -> int | str:
    """A whole number as it is, another one as exact text, as money is in this world."""
    return str(value) if value.as_tuple().exponent else int(value)


def shown_row(row: Mapping[str, Cell]) -> dict[str, Any]:
    return {name: shown_number(cell) if isinstance(cell, Decimal) else cell for name, cell in row.items()}


def mean(values: list[Decimal]) -> Decimal:
    return (sum(values, Decimal(0)) / len(values)).quantize(_CENT)


FIGURES: dict[str, Callable[[list[Decimal]], Decimal]] = {
    "sum": lambda values: sum(values, Decimal(0)),
    "mean": mean,
    "min": min,
    "max": max,
}


def figure(name: str, values: list[Decimal], count: int) -> int | str | None:
    """One figure of a column; `count` counts rows, the others need at least one number, else None."""
    if name == "count":
        return count
    return shown_number(FIGURES[name](values)) if values else None


def _cells(table: str, record: Record) -> Row:
    money = frozenset() if table in _RAW else _MONEY
    return {name: Decimal(cell) if name in money and cell is not None else cell for name, cell in record.items()}


def _with_country(world: World, orders: list[Row]) -> list[Row]:
    countries = {each["id"]: each["address"]["country"] for each in world.all("customers")}
    return [{**row, "country": countries.get(row["customer_id"])} for row in orders]


def _same(record: Record) -> Record:
    return record


def _lines(order: Record) -> list[Row]:
    head = {"order_id": order["id"], "placed_on": order["placed_on"], "state": order["state"]}
    return [
        {
            **head,
            "sku": item["sku"],
            "name": item["name"],
            "qty": item["qty"],
            "unit_price": Decimal(item["unit_price"]),
            "amount": Decimal(item["unit_price"]) * item["qty"],
        }
        for item in order["items"]
    ]


def _order(record: Record) -> Record:
    dates = {name: record[name] for name in ("placed_on", "shipped_on", "delivered_on")}
    pieces = sum(item["qty"] for item in record["items"])
    head = {name: record[name] for name in ("id", "customer_id", "state")}
    return {**head, **dates, "pieces": pieces, "total": record["total"]}


def _customer(record: Record) -> Record:
    address = record["address"]
    head = {name: record[name] for name in ("id", "name", "email", "phone", "language", "since")}
    return {**head, "city": address["city"], "country": address["country"]}


def _ticket(record: Record) -> Record:
    names = ("id", "title", "state", "component", "priority", "assignee", "customer_id", "order_id")
    times = {name: record[name] for name in ("opened_at", "closed_at")}
    return {**{name: record[name] for name in names}, **times, "comments": len(record["comments"])}


_FLAT: dict[str, Callable[[Record], Record]] = {"orders": _order, "customers": _customer, "tickets": _ticket}


def holds(cell: Cell, operator: str, wanted: str) -> bool:
    """Whether a cell fits; dates compare as text, so that a plain day counts whole. Empty cells fit `empty` alone."""
    if cell is None or cell == "":
        return operator == "empty"
    if operator == "contains":
        return records.fold(wanted) in records.fold(str(cell))
    if isinstance(cell, str):
        return _compared(cell[: len(wanted)] if operator == "at_most" else cell, operator, wanted, fold=True)
    value = number(wanted)
    return value is not None and _compared(Decimal(str(cell)), operator, value)


def _compared(cell: Any, operator: str, wanted: Any, *, fold: bool = False) -> bool:
    if fold and operator in ("equals", "differs"):
        cell, wanted = records.fold(cell), records.fold(wanted)
    fits = {"equals": cell == wanted, "differs": cell != wanted}
    order = {"at_least": cell >= wanted, "at_most": cell <= wanted}
    return bool({**fits, **order}.get(operator))
