"""Tools of the ticket tracker: find, read, file and close reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.worlds import records, staff
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.sources import shown
from arena.worlds.world import Effect, Record, World

TICKETS = "tickets"
BRIEF = ("id", "title", "state", "component", "priority", "assignee")
_EXACT = ("state", "component", "priority")


@handler("find_tickets")
def find_tickets(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Newest first, one short record per ticket."""
    wanted = {name: arguments[name] for name in _EXACT if name in arguments}
    if "assignee" in arguments:
        wanted["assignee"] = staff.person(world, arguments["assignee"], argument="assignee")["id"]
    found = [
        {name: ticket[name] for name in BRIEF}
        for ticket in reversed(world.all(TICKETS))
        if wanted.items() <= ticket.items() and records.holds(arguments.get("text", ""), _texts(ticket))
    ]
    return ToolResult(records.capped("tickets", found, arguments.get("limit", 20)))


@handler("get_ticket")
def get_ticket(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    return ToolResult(named(world, arguments))


@handler("create_ticket")
def create_ticket(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    title = records.said(arguments, "title")
    twin = next((each for each in world.all(TICKETS) if each["state"] == "open" and each["title"] == title), None)
    if twin is not None:
        raise ToolError(f"The open ticket {twin['id']} has the same title; read that one, or choose another title.")
    ticket = {
        "id": records.following_id(world, TICKETS, "T-"),
        "title": title,
        "state": "open",
        "component": arguments["component"],
        "priority": arguments.get("priority", "normal"),
        "assignee": None,
        "customer_id": None,
        "order_id": None,
        "opened_at": world.now,
        "closed_at": None,
        "resolution": None,
        "body": records.said(arguments, "body"),
        "comments": [],
    }
    brief = {name: ticket[name] for name in BRIEF}
    return ToolResult(brief, (Effect("create", TICKETS, str(ticket["id"]), ticket),))


@handler("close_ticket")
def close_ticket(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    ticket = named(world, arguments)
    if ticket["state"] == "closed":
        cause = f"The ticket {ticket['id']} was closed on {ticket['closed_at'][:10]}"
        raise ToolError(f"{cause} with the resolution {shown(ticket['resolution'])}; leave it as it is.")
    change = {"state": "closed", "closed_at": world.now, "resolution": records.said(arguments, "resolution")}
    return ToolResult({"id": ticket["id"], **change}, (Effect("update", TICKETS, ticket["id"], change),))


def named(world: World, arguments: Mapping[str, Any], argument: str = "ticket_id") -> Record:
    """The ticket that an argument names; raises ToolError."""
    return records.required(world, TICKETS, arguments[argument], argument=argument, noun="ticket")


def _texts(ticket: Record) -> list[str]:
    return [ticket["id"], ticket["title"], ticket["body"], *(comment["text"] for comment in ticket["comments"])]
