"""Tools on customers: find people, correct where parcels go."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from arena.worlds import addresses, records
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.world import Effect, Record, World

CUSTOMERS = "customers"
_SHOWN = 10


@handler("find_customer")
def find_customer(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Every word of the query must occur; nobody found is a result, with similar names."""
    customers = world.all(CUSTOMERS)
    found = [
        each
        for each in customers
        if records.holds(arguments["query"], _texts(each)) and _lives_in(each, arguments.get("city"))
    ]
    content = records.capped("customers", found, _SHOWN)
    return ToolResult(content if found else {**content, "similar": _similar(customers, arguments["query"])})


@handler("update_address")
def update_address(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """The result names the orders that still wait in the warehouse, as they go to the new address."""
    key = arguments["customer_id"]
    customer = records.required(world, CUSTOMERS, key, argument="customer_id", noun="customer")
    address = {
        **customer["address"],
        **{name: arguments[name].strip() for name in addresses.FIELDS if name in arguments},
    }
    addresses.check(address)
    if address == customer["address"]:
        raise ToolError(f"The customer {key} has exactly this address already; leave it, or send the new one.")
    waiting = [each["id"] for each in world.all("orders") if each["customer_id"] == key and each["state"] == "paid"]
    content = {"id": key, "name": customer["name"], "address": address, "orders_waiting": waiting}
    return ToolResult(content, (Effect("update", CUSTOMERS, key, {"address": address}),))


def _texts(customer: Record) -> list[str]:
    return [customer["id"], customer["name"], customer["email"], customer["address"]["city"]]


def _lives_in(customer: Record, city: str | None) -> bool:
    return city is None or records.fold(city.strip()) == records.fold(customer["address"]["city"])


def _similar(customers: list[Record], query: str) -> list[str]:
    """Whole names whose closest word is near a word of the query; at most three."""
    wanted = records.words(query)
    close = [
        each["name"]
        for each in customers
        if any(difflib.get_close_matches(word, records.words(each["name"]), cutoff=0.75) for word in wanted)
    ]
    return sorted(set(close))[:3]
