"""Tools that look for what is wrong with orders, and the one that divides an order."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from itertools import combinations
from typing import Any

from arena.worlds import records
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.tools.orders import ORDERS, named
from arena.worlds.world import Effect, Record, World

_UNDER_WAY = ("paid", "shipped")
_DAYS_APART = 3


@handler("audit_order_total")
def audit_order_total(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """`difference` is what was charged too much; negative where it was too little."""
    order = named(world, arguments)
    lines = [{**item, "sum": str(_line_sum(item))} for item in order["items"]]
    expected, charged = _sum(order["items"]), Decimal(order["total"])
    return ToolResult(
        {
            "order_id": order["id"],
            "lines": lines,
            "expected": str(expected),
            "charged": str(charged),
            "difference": str(charged - expected),
            "correct": charged == expected,
        }
    )


@handler("find_duplicate_orders")
def find_duplicate_orders(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Pairs of one buyer with the same articles in the same numbers, the earlier order first."""
    if "customer_id" in arguments:
        records.required(world, "customers", arguments["customer_id"], argument="customer_id", noun="customer")
    finished = arguments.get("include_finished", False)
    candidates = [
        order
        for order in world.all(ORDERS)
        if (finished or order["state"] in _UNDER_WAY)
        and arguments.get("customer_id", order["customer_id"]) == order["customer_id"]
    ]
    reach = arguments.get("within_days", _DAYS_APART)
    pairs = [
        {
            "customer_id": one["customer_id"],
            "first": one["id"],
            "second": other["id"],
            "days_apart": _days_apart(one, other),
            "total": other["total"],
        }
        for one, other in combinations(candidates, 2)
        if _basket(one) == _basket(other) and _days_apart(one, other) <= reach
    ]
    return ToolResult({"compared": len(candidates), "pairs": pairs})


@handler("split_order")
def split_order(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Whole lines move; both orders together cost what the one did."""
    order = named(world, arguments)
    if order["state"] != "paid":
        raise ToolError(f"The order {order['id']} is {order['state'].replace('_', ' ')}; only a paid one can be split.")
    if _sum(order["items"]) != Decimal(order["total"]):
        raise ToolError(f"The total of order {order['id']} does not fit its lines; have it corrected before splitting.")
    moved = _moved(order, arguments["skus"])
    kept = [item for item in order["items"] if item not in moved]
    key = records.following_id(world, ORDERS, "")
    note = arguments.get("note", "").strip()
    created = {
        **order,
        "id": key,
        "items": moved,
        "total": str(_sum(moved)),
        "note": f"split from {order['id']}" + (f": {note}" if note else ""),
    }
    change = {"items": kept, "total": str(_sum(kept))}
    effects = (Effect("update", ORDERS, order["id"], change), Effect("create", ORDERS, key, created))
    return ToolResult({"order": {"id": order["id"], **change}, "new_order": created}, effects)


def _moved(order: Record, skus: list[str]) -> list[dict[str, Any]]:
    known = [item["sku"] for item in order["items"]]
    foreign = next((sku for sku in skus if sku not in known), None)
    if foreign is not None:
        cause = f"The argument skus names no article of order {order['id']}: {foreign!r}"
        raise ToolError(f"{cause}; it has {', '.join(known)}.")
    if set(known) == set(skus):
        raise ToolError(f"The argument skus names every article of order {order['id']}; leave at least one behind.")
    return [item for item in order["items"] if item["sku"] in skus]


def _line_sum(item: Mapping[str, Any]) -> Decimal:
    return Decimal(item["unit_price"]) * int(item["qty"])


def _sum(items: list[dict[str, Any]]) -> Decimal:
    return sum((_line_sum(item) for item in items), Decimal("0.00"))


def _basket(order: Record) -> tuple[str, list[tuple[str, int]]]:
    return order["customer_id"], sorted((item["sku"], item["qty"]) for item in order["items"])


def _days_apart(one: Record, other: Record) -> int:
    return abs((date.fromisoformat(other["placed_on"]) - date.fromisoformat(one["placed_on"])).days)
