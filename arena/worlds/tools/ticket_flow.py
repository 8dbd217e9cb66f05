"""Tools that move a ticket along: open it again, hand it over, escalate, merge, remark; and what resembles it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

from arena.worlds import dates, records, rota, staff
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.tools.tickets import BRIEF, TICKETS, named
from arena.worlds.world import Effect, Record, World

ESCALATIONS = "escalations"
_URGENCY = ("low", "normal", "high", "urgent")
_SHOWN = 5
_SHORTEST_WORD = 4


@handler("reopen_ticket")
def reopen_ticket(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """The earlier resolution stays readable in the remark that tells why the ticket is back."""
    ticket = named(world, arguments)
    if ticket["state"] == "open":
        raise ToolError(f"The ticket {ticket['id']} is open already; add a remark to it instead.")
    reason = records.said(arguments, "reason")
    text = f"Opened again: {reason} Earlier resolution: {ticket['resolution']}"
    change = {"state": "open", "closed_at": None, "resolution": None, "comments": _with_remark(world, ticket, text)}
    return _changed(ticket, change)


@handler("reassign_ticket")
def reassign_ticket(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    ticket = _open(world, arguments)
    person = staff.person(world, arguments["assignee"], argument="assignee")
    if person["id"] == ticket["assignee"]:
        raise ToolError(f"The ticket {ticket['id']} is in the hands of {person['name']} already; name somebody else.")
    change: dict[str, Any] = {"assignee": person["id"]}
    if "note" in arguments:
        change["comments"] = _with_remark(world, ticket, records.said(arguments, "note"))
    return _changed(ticket, change, {"assignee_name": person["name"], "before": ticket["assignee"]})


@handler("escalate_ticket")
def escalate_ticket(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Never lowers; whoever is on call is told, the assignee stays."""
    ticket = _open(world, arguments)
    wanted = arguments["priority"]
    if _URGENCY.index(wanted) <= _URGENCY.index(ticket["priority"]):
        raise ToolError(f"The ticket {ticket['id']} is {ticket['priority']} already; escalating can only raise that.")
    reason = records.said(arguments, "reason")
    called = _on_call(world)
    escalation = {
        "id": records.following_id(world, ESCALATIONS, "es_"),
        "ticket_id": ticket["id"],
        "to": called,
        "reason": reason,
        "at": world.now,
        "by": "agent",
    }
    change = {"priority": wanted, "comments": _with_remark(world, ticket, f"Escalated to {wanted}: {reason}")}
    result = _changed(ticket, change, {"alerted": staff.names(world)[called] if called else None})
    create = Effect("create", ESCALATIONS, str(escalation["id"]), escalation)
    return ToolResult(result.content, (*result.effects, create))


@handler("merge_tickets")
def merge_tickets(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """The original gets the discussion of the duplicate in order of time; the duplicate is closed and points to it."""
    duplicate, original = (_open(world, arguments, name) for name in ("duplicate_id", "into_id"))
    if duplicate["id"] == original["id"]:
        raise ToolError(f"The arguments duplicate_id and into_id are both {original['id']}; name two tickets.")
    orders = {each["order_id"] for each in (duplicate, original) if each["order_id"]}
    if len(orders) > 1:
        raise ToolError(f"The two tickets are about different orders, {' and '.join(sorted(orders))}; keep both.")
    discussion = sorted([*original["comments"], *duplicate["comments"]], key=lambda each: str(each["at"]))
    text = f"Merged with {duplicate['id']}, {duplicate['title']}."
    joined = {"comments": [*discussion, _remark(world, text)]}
    closing = {"state": "closed", "closed_at": world.now, "resolution": f"Duplicate of {original['id']}."}
    effects = (Effect("update", TICKETS, original["id"], joined), Effect("update", TICKETS, duplicate["id"], closing))
    content = {"id": original["id"], "closed": duplicate["id"], "comments": len(joined["comments"])}
    return ToolResult(content, effects)


@handler("comment_on_ticket")
def comment_on_ticket(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """A closed ticket may get remarks as well; its state stays."""
    ticket = named(world, arguments)
    comments = _with_remark(world, ticket, records.said(arguments, "text"))
    effect = Effect("update", TICKETS, ticket["id"], {"comments": comments})
    return ToolResult({"id": ticket["id"], "state": ticket["state"], "comments": comments}, (effect,))


@handler("find_similar_tickets")
def find_similar_tickets(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Shared words count more the fewer tickets have them; the most similar come first."""
    ticket = named(world, arguments)
    everything = {each["id"]: _vocabulary(each) for each in world.all(TICKETS)}
    spread = Counter(word for words in everything.values() for word in words)
    weight = {word: math.log(len(everything) / count) for word, count in spread.items()}
    rows = []
    for other in world.all(TICKETS):
        shared = everything[ticket["id"]] & everything[other["id"]]
        if other["id"] == ticket["id"] or not shared or arguments.get("state", other["state"]) != other["state"]:
            continue
        alike = sorted(shared, key=lambda word: (-weight[word], word))
        score = round(sum(weight[word] for word in shared), 2)
        rows.append({**{name: other[name] for name in BRIEF}, "score": score, "shared_words": alike[:8]})
    rows.sort(key=lambda row: -row["score"])
    return ToolResult({"ticket_id": ticket["id"], **records.capped("tickets", rows, arguments.get("limit", _SHOWN))})


def _open(world: World, arguments: Mapping[str, Any], argument: str = "ticket_id") -> Record:
    ticket = named(world, arguments, argument)
    if ticket["state"] == "closed":
        cause = f"The ticket {ticket['id']} was closed on {ticket['closed_at'][:10]}"
        raise ToolError(f"{cause}; open it again first, or name an open one.")
    return ticket


def _on_call(world: World) -> str | None:
    """The id of the engineer on duty now; None where the rota has a hole."""
    shifts = rota.at(world, dates.parse(world.now))
    return next((shift["person"] for shift in shifts if shift["duty"] == "engineering"), None)


def _remark(world: World, text: str) -> dict[str, str]:
    return {"at": world.now, "by": "agent", "text": text}


def _with_remark(world: World, ticket: Record, text: str) -> list[dict[str, str]]:
    return [*ticket["comments"], _remark(world, text)]


def _changed(ticket: Record, change: Mapping[str, Any], more: Mapping[str, Any] | None = None) -> ToolResult:
    brief = {name: {**ticket, **change}[name] for name in BRIEF}
    return ToolResult({**brief, **(more or {})}, (Effect("update", TICKETS, ticket["id"], change),))


def _vocabulary(ticket: Record) -> set[str]:
    # The own number counts, as tickets name each other by it.
    told = [ticket["id"], ticket["component"], ticket["title"], ticket["body"]]
    told += [comment["text"] for comment in ticket["comments"]]
    return {word for word in records.words(" ".join(told)) if len(word) >= _SHORTEST_WORD}
