"""Tools that keep papers up to date: which were not looked at for long, and another wording suggested."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from arena.worlds import dates, records, staff
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.sources import shown
from arena.worlds.tools.documents import DOCUMENTS
from arena.worlds.world import Effect, World

SUGGESTIONS = "document_suggestions"


@handler("stale_documents")
def stale_documents(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Oldest first, with the person to ask; whole months since the last revision count."""
    today = dates.parse(world.now).date()
    owner = staff.person(world, arguments["owner"], argument="owner")["id"] if "owner" in arguments else None
    known = staff.names(world)
    rows = [
        {
            **{name: each[name] for name in ("id", "title", "kind", "updated_on")},
            "owner": f"{each['owner']} {known[each['owner']]}",
            "months": months,
        }
        for each in world.all(DOCUMENTS)
        if (months := _whole_months(date.fromisoformat(each["updated_on"]), today)) >= arguments["months"]
        and arguments.get("kind", each["kind"]) == each["kind"]
        and owner in (None, each["owner"])
    ]
    rows.sort(key=lambda row: (row["updated_on"], row["id"]))
    return ToolResult(records.capped("documents", rows, 50))


@handler("suggest_document_change")
def suggest_document_change(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """A record in `document_suggestions` for the owner; the paper keeps its wording until then."""
    paper = records.required(world, DOCUMENTS, arguments["document_id"], argument="document_id", noun="document")
    passage, replacement = arguments["passage"], arguments["replacement"]
    count = paper["body"].count(passage)
    if count != 1:
        cause = "does not stand there" if count == 0 else f"stands there {count} times"
        mend = "copy it word for word" if count == 0 else "send a longer piece of it"
        raise ToolError(f"The argument passage {cause} in {paper['id']}: {shown(passage)}; {mend}.")
    if passage == replacement:
        raise ToolError("The arguments passage and replacement are equal; send what shall stand there instead.")
    suggestion = {
        "id": world.next_id(SUGGESTIONS, "ds_"),
        "document_id": paper["id"],
        "passage": passage,
        "replacement": replacement,
        "reason": arguments["reason"],
        "owner": paper["owner"],
        "at": world.now,
        "by": "agent",
        "state": "open",
    }
    content = {"suggestion": suggestion, "decides": staff.names(world)[paper["owner"]]}
    return ToolResult(content, (Effect("create", SUGGESTIONS, suggestion["id"], suggestion),))


def _whole_months(since: date, today: date) -> int:
    months = (today.year - since.year) * 12 + today.month - since.month
    return months - (today.day < since.day)
