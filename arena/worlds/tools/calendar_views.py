"""Tools that look into the calendar: what is planned, when people are free, which room fits, what collides."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from itertools import combinations
from typing import Any

from arena.worlds import agenda, dates, records, staff
from arena.worlds.agenda import ROOMS, Slot
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.world import Record, World

_AHEAD = timedelta(days=14)
_DEFAULT_MINUTES = 60


@handler("list_events")
def list_events(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """By start, from today on unless a start is named; cancelled ones are left out."""
    span = dates.span({"since": world.now[:10], **arguments})
    who = staff.person(world, arguments["person"], argument="person")["id"] if "person" in arguments else None
    found = [
        _row(world, each)
        for each in agenda.confirmed(world)
        if span.holds(each["start"])
        and (who is None or who in each["attendees"])
        and arguments.get("room", each["room"]) == each["room"]
        and records.holds(arguments.get("text", ""), [each["id"], each["title"], each["note"]])
    ]
    return ToolResult(records.capped("events", found, arguments.get("limit", 20)))


@handler("find_free_slot")
def find_free_slot(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Stretches of working time, never cut into pieces: a meeting may begin anywhere inside."""
    people = [staff.person(world, each, argument="people") for each in arguments["people"]]
    within = _within(world, arguments)
    minutes = arguments.get("minutes", _DEFAULT_MINUTES)
    free = [gap for gap in agenda.gaps(world, [each["id"] for each in people], within) if gap.minutes >= minutes]
    content = records.capped("free", [gap.to_json() for gap in free], arguments.get("limit", 10))
    head = {"people": [each["name"] for each in people], "minutes": minutes, "working_hours": "08:00 to 16:00"}
    return ToolResult({**head, **content})


@handler("find_room")
def find_room(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Rooms that fit, the smallest first, and why the others do not."""
    when = agenda.lasting(dates.moment(arguments, "start"), arguments.get("minutes", _DEFAULT_MINUTES))
    wanted = set(arguments.get("equipment", ()))
    free, unfit = [], []
    for room in sorted(world.all(ROOMS), key=lambda each: each["seats"]):
        missing = sorted(wanted - set(room["equipment"]))
        taken = agenda.in_room(world, room["id"], when)
        if room["seats"] < arguments["seats"]:
            unfit.append({"id": room["id"], "why": f"seats {room['seats']}"})
        elif missing:
            unfit.append({"id": room["id"], "why": f"has no {', '.join(missing)}"})
        elif taken:
            unfit.append({"id": room["id"], "why": f"taken by {taken['id']}, {taken['title']}"})
        else:
            free.append(room)
    return ToolResult({**when.to_json(), "rooms": free, "unfit": unfit})


@handler("calendar_conflicts")
def calendar_conflicts(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Pairs that share a person or room, people invited while away, and rooms with too few seats."""
    within = _within(world, arguments)
    events = [each for each in agenda.confirmed(world) if agenda.slot(each).meets(within)]
    found = [
        *(row for one, other in combinations(events, 2) if (row := _overlap(world, one, other))),
        *(row for each in events for row in _absent(world, each)),
        *(row for each in events if (row := _crowded(world, each))),
    ]
    if "person" in arguments:
        name = staff.person(world, arguments["person"], argument="person")["name"]
        found = [each for each in found if name in each["people"]]
    return ToolResult(records.capped("conflicts", found, 50))


def _row(world: World, event: Record) -> Record:
    known = staff.names(world)
    return {**event, "attendees": [f"{one} {known[one]}" for one in event["attendees"]]}


def _within(world: World, arguments: Mapping[str, Any]) -> Slot:
    """From now, or the named start if that is later, for two weeks unless an end is named; raises ToolError."""
    span = dates.span(arguments)
    now = dates.parse(world.now)
    start = max(now, span.since or now)
    end = span.until or start + _AHEAD
    if end <= start:
        raise ToolError(f"The argument until lies in the past, it is {world.now} now; name a later day.")
    return Slot(start, end)


def _overlap(world: World, one: Record, other: Record) -> dict[str, Any] | None:
    if not agenda.slot(one).meets(agenda.slot(other)):
        return None
    shared = [staff.names(world)[each] for each in one["attendees"] if each in other["attendees"]]
    same_room = one["room"] is not None and one["room"] == other["room"]
    if not shared and not same_room:
        return None
    head = {"kind": "overlap", "events": [one["id"], other["id"]], "people": shared}
    return {**head, "room": one["room"] if same_room else None, "start": max(one["start"], other["start"])}


def _absent(world: World, event: Record) -> list[dict[str, Any]]:
    days = agenda.days_of(agenda.slot(event))
    return [
        {
            "kind": "away",
            "events": [event["id"]],
            "people": [staff.names(world)[each["person"]]],
            "absence": each["id"],
            "start": event["start"],
        }
        for each in staff.away(world, *days)
        if each["person"] in event["attendees"]
    ]


def _crowded(world: World, event: Record) -> dict[str, Any] | None:
    room = world.find(ROOMS, event["room"]) if event["room"] else None
    if room is None or len(event["attendees"]) <= room["seats"]:
        return None
    people = [staff.names(world)[one] for one in event["attendees"]]
    counts = {"invited": len(people), "seats": room["seats"], "room": room["id"]}
    return {"kind": "too small", "events": [event["id"]], "people": people, **counts, "start": event["start"]}
