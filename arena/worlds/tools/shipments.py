"""Tools on parcels: when one arrives, where it goes instead, and a new one for goods that were not right."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from arena.worlds import addresses, records, shipping_times
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.tools.orders import ORDERS, named
from arena.worlds.world import Effect, Record, World

REPLACEMENTS = "replacements"
_REPLACEABLE = ("shipped", "delivered", "partly_refunded")


@handler("estimate_delivery")
def estimate_delivery(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """An order that still waits is taken to leave on the next packing day."""
    order = named(world, arguments)
    if order["state"] not in ("paid", "shipped"):
        when = f" and arrived on {order['delivered_on']}" if order["delivered_on"] else ""
        state = order["state"].replace("_", " ")
        raise ToolError(f"The order {order['id']} is {state}{when}; only a paid or shipped one is still to arrive.")
    today = date.fromisoformat(world.now[:10])
    shipped = date.fromisoformat(order["shipped_on"]) if order["shipped_on"] else shipping_times.next_packing_day(today)
    country = _destination(world, order)["country"]
    window = shipping_times.window(country, order["items"], shipped)
    if window is None:
        raise ToolError(f"For the country {country} of order {order['id']} no usual times are known; ask the carrier.")
    return ToolResult(
        {
            "order_id": order["id"],
            "country": country,
            "shipped_on": order["shipped_on"],
            "leaves_on": shipped.isoformat(),
            "freight": shipping_times.by_freight(order["items"]),
            "earliest": window.earliest.isoformat(),
            "latest": window.latest.isoformat(),
            "late_after": window.late_after.isoformat(),
            "overdue": today > window.latest,
        }
    )


@handler("reroute_shipment")
def reroute_shipment(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Changes the parcel alone; carriers do not take one to another country."""
    order = named(world, arguments)
    if order["state"] != "shipped":
        mend = (
            "correct the customer's address instead" if order["state"] == "paid" else "there is no parcel to redirect"
        )
        raise ToolError(f"The order {order['id']} is {order['state'].replace('_', ' ')}; {mend}.")
    before = _destination(world, order)
    address = {name: arguments[name].strip() for name in ("street", "postcode", "city")}
    address["country"] = before["country"]
    addresses.check(address, mend="correct it")
    if address == before:
        raise ToolError(f"The parcel of order {order['id']} goes to exactly this address already; leave it.")
    effect = Effect("update", ORDERS, order["id"], {"deliver_to": address})
    return ToolResult({"order_id": order["id"], "before": before, "deliver_to": address}, (effect,))


@handler("send_replacement")
def send_replacement(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Never more pieces than were bought, earlier replacements counted."""
    order = named(world, arguments)
    if order["state"] not in _REPLACEABLE:
        state = order["state"].replace("_", " ")
        raise ToolError(f"The order {order['id']} is {state}; only goods that were sent and not repaid are replaced.")
    sku, quantity = arguments["sku"].strip(), arguments.get("quantity", 1)
    left = _left_to_replace(world, order, sku)
    if quantity > left:
        cause = f"Of {sku} in order {order['id']} only {left} can still be replaced"
        raise ToolError(f"{cause}; send {left} or less." if left else f"{cause}; leave it as it is.")
    replacement = {
        "id": records.following_id(world, REPLACEMENTS, "rp_"),
        "order_id": order["id"],
        "sku": sku,
        "quantity": quantity,
        "reason": arguments["reason"],
        "deliver_to": _destination(world, order),
        "at": world.now,
        "by": "agent",
    }
    return ToolResult(replacement, (Effect("create", REPLACEMENTS, str(replacement["id"]), replacement),))


def _destination(world: World, order: Record) -> dict[str, str]:
    """Where the parcel goes: the address it was redirected to, else the buyer's."""
    buyer = records.required(world, "customers", order["customer_id"], argument="customer_id", noun="customer")
    address: dict[str, str] = order.get("deliver_to") or buyer["address"]
    return address


def _left_to_replace(world: World, order: Record, sku: str) -> int:
    bought = sum(item["qty"] for item in order["items"] if item["sku"] == sku)
    if not bought:
        known = ", ".join(item["sku"] for item in order["items"])
        raise ToolError(f"The argument sku is no article of order {order['id']}: {sku!r}; use one of {known}.")
    sent = [each for each in world.all(REPLACEMENTS) if each["order_id"] == order["id"] and each["sku"] == sku]
    return int(bought) - sum(int(each["quantity"]) for each in sent)
