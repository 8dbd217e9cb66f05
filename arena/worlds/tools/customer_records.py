"""Tools that tidy the customer file: the same person twice, two records made one, a person taken out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

from arena.worlds import records
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.tools.customers import CUSTOMERS
from arena.worlds.world import Effect, Record, World

_SIGNS: dict[str, Callable[[Record], str]] = {
    "email": lambda customer: records.fold(customer["email"]),
    "phone": lambda customer: "".join(char for char in customer["phone"] if char.isdigit()),
    "name_and_street": lambda customer: _name_and_street(customer),
}
_OPEN = ("paid", "shipped")


@handler("find_duplicate_customers")
def find_duplicate_customers(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Pairs with what they have in common, the older record first; alike names alone are no sign."""
    signs = arguments.get("signs") or list(_SIGNS)
    customers = world.all(CUSTOMERS)
    if "customer_id" in arguments:
        records.required(world, CUSTOMERS, arguments["customer_id"], argument="customer_id", noun="customer")
    pairs = [
        {"keep": _brief(one), "drop": _brief(other), "same": same}
        for one, other in combinations(sorted(customers, key=lambda each: (each["since"], each["id"])), 2)
        if arguments.get("customer_id", one["id"]) in (one["id"], other["id"])
        and (same := [sign for sign in _common(one, other) if sign in signs])
    ]
    return ToolResult(records.capped("pairs", pairs, 50))


@handler("merge_duplicate_customers")
def merge_duplicate_customers(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Orders and tickets move to the kept record, the other one is deleted; its mail address is remembered."""
    kept, dropped = (
        records.required(world, CUSTOMERS, arguments[name], argument=name, noun="customer")
        for name in ("keep_id", "drop_id")
    )
    if kept["id"] == dropped["id"]:
        raise ToolError(f"The arguments keep_id and drop_id are both {kept['id']}; name two records.")
    if not _common(kept, dropped):
        cause = f"{kept['id']} and {dropped['id']} share neither mail address nor telephone nor name with street"
        raise ToolError(f"{cause}; only records of one person can be merged.")
    moved = [
        (collection, each["id"])
        for collection in ("orders", "tickets")
        for each in world.all(collection)
        if each["customer_id"] == dropped["id"]
    ]
    addresses = {*kept.get("other_emails", ()), *dropped.get("other_emails", ()), dropped["email"]} - {kept["email"]}
    change = {"other_emails": sorted(addresses), "since": min(kept["since"], dropped["since"])}
    effects = (
        *(Effect("update", collection, key, {"customer_id": kept["id"]}) for collection, key in moved),
        Effect("update", CUSTOMERS, kept["id"], change),
        Effect("delete", CUSTOMERS, dropped["id"], {}),
    )
    content = {"kept": kept["id"], "deleted": dropped["id"], "moved": [key for _, key in moved], **change}
    return ToolResult(content, effects)


@handler("erase_personal_data")
def erase_personal_data(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Empties name, mail, telephone and address; orders and invoices stay, as the law wants them for ten years."""
    key = arguments["customer_id"]
    customer = records.required(world, CUSTOMERS, key, argument="customer_id", noun="customer")
    if customer.get("erased_at"):
        raise ToolError(f"The data of {key} were erased at {customer['erased_at']}; leave the record as it is.")
    own = [order for order in world.all("orders") if order["customer_id"] == key]
    if own and arguments.get("order_id") not in [order["id"] for order in own]:
        raise ToolError(f"The argument order_id must prove who asks: name an order of {key}, as the request does.")
    waiting = [order["id"] for order in own if order["state"] in _OPEN]
    if waiting:
        raise ToolError(f"The orders {', '.join(waiting)} of {key} are still on their way; erase after the delivery.")
    change = {
        "name": "(erased)",
        "email": "",
        "phone": "",
        "address": {"street": "", "postcode": "", "city": "", "country": customer["address"]["country"]},
        "other_emails": [],
        "note": "",
        "erased_at": world.now,
    }
    content = {"id": key, "erased_at": world.now, "orders_kept": [order["id"] for order in own]}
    return ToolResult(content, (Effect("update", CUSTOMERS, key, change),))


def _common(one: Record, other: Record) -> list[str]:
    return [name for name, sign in _SIGNS.items() if sign(one) and sign(one) == sign(other)]


def _name_and_street(customer: Record) -> str:
    street = customer["address"]["street"]
    return records.fold(f"{customer['name']} {street}") if street else ""


def _brief(customer: Record) -> dict[str, str]:
    names = ("id", "name", "email", "phone", "since")
    return {**{name: customer[name] for name in names}, "city": customer["address"]["city"]}
