"""Tools on orders: look one up, list them, pay money back, call one off."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from arena.worlds import dates, records
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.world import Effect, Record, World

ORDERS = "orders"
REFUNDS = "refunds"
_CENT = Decimal("0.01")


@handler("get_order")
def get_order(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """The whole order with its refunds; the total is the stored one, never computed again."""
    order = named(world, arguments)
    return ToolResult({**order, "refunds": _refunds(world, order)})


@handler("list_orders")
def list_orders(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Newest first, one short record per order."""
    wanted = {name: arguments[name] for name in ("customer_id", "state") if name in arguments}
    if "customer_id" in wanted:
        records.required(world, "customers", wanted["customer_id"], argument="customer_id", noun="customer")
    placed = dates.span(arguments, "placed_since", "placed_until")
    found = [
        {name: order[name] for name in ("id", "customer_id", "state", "placed_on", "total")}
        for order in reversed(world.all(ORDERS))
        if wanted.items() <= order.items() and placed.holds(order["placed_on"])
    ]
    return ToolResult(records.capped("orders", found, arguments.get("limit", 20)))


@handler("issue_refund")
def issue_refund(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Records the refund and moves the order to `refunded` or `partly_refunded`.

    Only what cannot be right is refused here; the shop's refund policy is for whoever decides.
    """
    order = named(world, arguments)
    left = _left_to_refund(world, order)
    amount = _amount(arguments["amount"])
    if amount > left:
        cause = f"The argument amount is {amount}, but of order {order['id']} only {left} EUR can still be paid back"
        raise ToolError(f"{cause}; name {left} or less.")
    refund = {
        "id": records.following_id(world, REFUNDS, "rf_"),
        "order_id": order["id"],
        "amount": str(amount),
        "reason": arguments["reason"],
        "note": arguments.get("note", ""),
        "at": world.now,
        "by": "agent",
    }
    state = "refunded" if amount == left else "partly_refunded"
    effects = (
        Effect("create", REFUNDS, str(refund["id"]), refund),
        Effect("update", ORDERS, order["id"], {"state": state}),
    )
    return ToolResult({"refund": refund, "order_state": state, "left": str(left - amount)}, effects)


@handler("cancel_order")
def cancel_order(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    order = named(world, arguments)
    if order["state"] != "paid":
        cancelled = order["state"] == "cancelled"
        mend = "leave it as it is" if cancelled else "only a paid order that has not been shipped can be cancelled"
        raise ToolError(f"The order {order['id']} is {order['state'].replace('_', ' ')}; {mend}.")
    reason = arguments["reason"].strip()
    if not reason:
        raise ToolError("The argument reason is blank; say in a few words why the order is called off.")
    change = {"state": "cancelled", "cancelled_at": world.now, "cancel_reason": reason}
    return ToolResult({"id": order["id"], **change}, (Effect("update", ORDERS, order["id"], change),))


def named(world: World, arguments: Mapping[str, Any]) -> Record:
    """The order that `order_id` names; raises ToolError."""
    return records.required(world, ORDERS, arguments["order_id"], argument="order_id", noun="order")


def _refunds(world: World, order: Record) -> list[Record]:
    return [each for each in world.all(REFUNDS) if each["order_id"] == order["id"]]


def _left_to_refund(world: World, order: Record) -> Decimal:
    if order["state"] == "cancelled":
        raise ToolError(f"The order {order['id']} is cancelled and its payment was released; refund another order.")
    if order["state"] == "paid":
        raise ToolError(f"The order {order['id']} is paid but has not left the warehouse; cancel it instead.")
    left = Decimal(order["total"]) - sum((Decimal(each["amount"]) for each in _refunds(world, order)), Decimal(0))
    if left <= 0:
        raise ToolError(f"The order {order['id']} is refunded in full already; leave it as it is.")
    return left


def _amount(number: float) -> Decimal:
    # By way of the shortest decimal text, so that 45.5 is 45.50 and not 45.49999.
    amount = Decimal(str(number))
    if amount <= 0 or amount != amount.quantize(_CENT):
        raise ToolError(f"The argument amount is {number}; send euros above zero with at most two decimals.")
    return amount.quantize(_CENT)
