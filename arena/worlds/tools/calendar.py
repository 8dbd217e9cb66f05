"""Tools that write into the calendar: make, move, propose and call off a meeting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.worlds import agenda, dates, records, staff
from arena.worlds.agenda import CALENDAR, ROOMS, Slot
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.world import Effect, Record, World

PROPOSALS = "time_proposals"
_DEFAULT_MINUTES = 60


@handler("create_event")
def create_event(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Busy people are told in `clashes` and invited all the same; a room that is taken or too small is refused."""
    title = records.said(arguments, "title", "say it in a few words")
    people = [staff.person(world, each, argument="attendees")["id"] for each in arguments["attendees"]]
    people = list(dict.fromkeys(people))
    when = _to_come(world, arguments, arguments.get("minutes", _DEFAULT_MINUTES))
    room = arguments.get("room")
    if room is not None:
        room = _free_room(world, room, when, persons=max(len(people), arguments.get("persons", 0)))["id"]
    event = {
        "id": records.following_id(world, CALENDAR, "e_"),
        "title": title,
        **when.to_json(),
        "organiser": "agent",
        "attendees": people,
        "room": room,
        "series": None,
        "state": "confirmed",
        "note": arguments.get("note", ""),
    }
    content = {"event": event, "clashes": agenda.clashes(world, people, when)}
    return ToolResult(content, (Effect("create", CALENDAR, event["id"], event),))


@handler("reschedule_event")
def reschedule_event(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """One date only, also of a series; the room goes along, or another one is named."""
    event = _event(world, arguments)
    when = _to_come(world, arguments, arguments.get("minutes", agenda.slot(event).minutes))
    change: dict[str, Any] = when.to_json()
    room = arguments.get("room", event["room"])
    if when == agenda.slot(event) and room == event["room"]:
        raise ToolError(f"The event {event['id']} is at this time already; leave it, or name another start.")
    if room is not None:
        found = _free_room(world, room, when, persons=len(event["attendees"]), apart_from=event["id"])
        change["room"] = found["id"]
    clashes = agenda.clashes(world, event["attendees"], when, apart_from=event["id"])
    content = {"id": event["id"], "title": event["title"], "was": event["start"], **change, "clashes": clashes}
    return ToolResult(content, (Effect("update", CALENDAR, event["id"], change),))


@handler("propose_new_time")
def propose_new_time(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """A record in `time_proposals`; the event keeps its time until its organiser agrees."""
    event = _event(world, arguments)
    when = _to_come(world, arguments, agenda.slot(event).minutes)
    if when == agenda.slot(event):
        raise ToolError(f"The event {event['id']} is at this time already; propose another start.")
    proposal = {
        "id": world.next_id(PROPOSALS, "tp_"),
        "event_id": event["id"],
        **when.to_json(),
        "comment": arguments.get("comment", ""),
        "to": event["organiser"],
        "by": "agent",
        "state": "open",
    }
    clashes = agenda.clashes(world, event["attendees"], when, apart_from=event["id"])
    content = {"proposal": proposal, "event_stays_at": event["start"], "clashes": clashes}
    return ToolResult(content, (Effect("create", PROPOSALS, proposal["id"], proposal),))


@handler("cancel_event")
def cancel_event(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """With `whole_series` every later date of the same series falls as well; what is over stays."""
    event = _event(world, arguments)
    fallen = [event]
    if arguments.get("whole_series", False):
        if event["series"] is None:
            raise ToolError(f"The event {event['id']} belongs to no series; leave whole_series out.")
        later = (each for each in agenda.confirmed(world) if each["start"] > event["start"])
        fallen += [each for each in later if each["series"] == event["series"]]
    change = {
        "state": "cancelled",
        "cancelled_at": world.now,
        "cancel_reason": records.said(arguments, "reason", "say it in a few words"),
    }
    told = sorted({staff.names(world)[one] for each in fallen for one in each["attendees"]})
    content = {"cancelled": [each["id"] for each in fallen], "title": event["title"], "told": told}
    return ToolResult(content, tuple(Effect("update", CALENDAR, each["id"], change) for each in fallen))


def _event(world: World, arguments: Mapping[str, Any]) -> Record:
    """An event that can still be changed; raises ToolError."""
    event = records.required(world, CALENDAR, arguments["event_id"], argument="event_id", noun="event")
    if event["state"] == "cancelled":
        raise ToolError(f"The event {event['id']} is cancelled; make a new one instead.")
    if event["end"] <= world.now:
        raise ToolError(f"The event {event['id']} ended at {event['end']}; only what lies ahead can be changed.")
    return event


def _to_come(world: World, arguments: Mapping[str, Any], minutes: int) -> Slot:
    start = dates.moment(arguments, "start")
    if start <= dates.parse(world.now):
        raise ToolError(f"The argument start lies in the past, it is {world.now} now; name a later time.")
    return agenda.lasting(start, minutes)


def _free_room(world: World, wanted: str, when: Slot, *, persons: int, apart_from: str = "") -> Record:
    named = [each for each in world.all(ROOMS) if records.fold(each["name"]) == records.fold(wanted.strip())]
    room = named[0] if named else records.required(world, ROOMS, wanted, argument="room", noun="room")
    if room["seats"] < persons:
        raise ToolError(f"The room {room['name']} seats {room['seats']}, but {persons} come; name a larger one.")
    taken = agenda.in_room(world, room["id"], when, apart_from=apart_from)
    if taken is not None:
        cause = f"The room {room['name']} is taken by {taken['id']} from {taken['start']} to {taken['end']}"
        raise ToolError(f"{cause}; name another room or time.")
    return room
