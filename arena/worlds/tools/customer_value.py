"""Tools on what a customer bought: every purchase in order, and what it came to in the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from arena.worlds import dates, records
from arena.worlds.handlers import ToolResult, handler
from arena.worlds.world import Record, World

_CENT = Decimal("0.01")


@handler("customer_order_history")
def customer_order_history(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Oldest first, each order with its articles and what was paid back; cancelled ones only when asked for."""
    customer = _customer(world, arguments)
    span = dates.span(arguments)
    found = [
        {
            **{name: order[name] for name in ("id", "placed_on", "state", "total")},
            "articles": [f"{item['qty']} x {item['name']}" for item in order["items"]],
            "paid_back": str(_paid_back(world, order["id"])),
        }
        for order in _orders(world, customer["id"])
        if span.holds(order["placed_on"]) and (arguments.get("with_cancelled", False) or order["state"] != "cancelled")
    ]
    return ToolResult({"id": customer["id"], "name": customer["name"], **records.capped("orders", found, 100)})


@handler("customer_lifetime_value")
def customer_lifetime_value(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """What was paid less what went back, cancelled orders left out; `rank` 1 is the most valuable customer."""
    customer = _customer(world, arguments)
    bought = [order for order in _orders(world, customer["id"]) if order["state"] != "cancelled"]
    value = _value(world, customer["id"])
    values = [_value(world, each["id"]) for each in world.all("customers")]
    articles = Counter({item["name"]: 0 for order in bought for item in order["items"]})
    for order in bought:
        articles.update({item["name"]: item["qty"] for item in order["items"]})
    return ToolResult(
        {
            "id": customer["id"],
            "name": customer["name"],
            "since": customer["since"],
            "orders": len(bought),
            "value": str(value),
            "average_order": str((value / len(bought)).quantize(_CENT)) if bought else None,
            "last_order": bought[-1]["placed_on"] if bought else None,
            "most_bought": articles.most_common(1)[0][0] if articles else None,
            "rank": 1 + sum(other > value for other in values),
            "of": len(values),
        }
    )


def _customer(world: World, arguments: Mapping[str, Any]) -> Record:
    return records.required(world, "customers", arguments["customer_id"], argument="customer_id", noun="customer")


def _orders(world: World, customer_id: str) -> list[Record]:
    return [order for order in world.all("orders") if order["customer_id"] == customer_id]


def _paid_back(world: World, order_id: str) -> Decimal:
    refunds = (Decimal(each["amount"]) for each in world.all("refunds") if each["order_id"] == order_id)
    return sum(refunds, Decimal("0.00"))


def _value(world: World, customer_id: str) -> Decimal:
    bought = [order for order in _orders(world, customer_id) if order["state"] != "cancelled"]
    return sum((Decimal(order["total"]) - _paid_back(world, order["id"]) for order in bought), Decimal("0.00"))
