"""Tools on the on-call rota: who is on duty, and two shifts exchanged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.worlds import agenda, dates, records, rota, staff
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.rota import ROTA
from arena.worlds.world import Effect, Record, World


@handler("who_is_on_call")
def who_is_on_call(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """One row per duty with the telephone, and who follows; `away` names absences that leave a hole."""
    instant = dates.moment({"at": world.now, **arguments}, "at")
    current = [each for each in rota.at(world, instant) if arguments.get("duty", each["duty"]) == each["duty"]]
    if not current:
        times = sorted(each[side] for each in world.all(ROTA) for side in ("start", "end"))
        mend = f"it runs from {times[0]} to {times[-1]}" if times else "it is empty"
        raise ToolError(f"The rota has nobody at {agenda.written(instant)}; {mend}.")
    return ToolResult({"at": agenda.written(instant), "on_call": [_row(world, each) for each in current]})


@handler("swap_on_call")
def swap_on_call(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Both shifts must lie ahead and be of one duty; nobody is put into a week of absence."""
    one, other = (_ahead(world, arguments, name) for name in ("first_shift", "second_shift"))
    if one["duty"] != other["duty"]:
        raise ToolError(f"The shifts are of {one['duty']} and {other['duty']}; exchange two of the same duty.")
    if one["person"] == other["person"]:
        name = staff.names(world)[one["person"]]
        raise ToolError(f"Both shifts are {name}'s; name a shift of somebody else.")
    for shift, person in ((one, other["person"]), (other, one["person"])):
        absent = rota.away(world, person, shift)
        if absent:
            cause = f"{staff.names(world)[person]} is away during {shift['id']} ({', '.join(absent)})"
            raise ToolError(f"{cause}; choose another shift.")
    effects = (
        Effect("update", ROTA, one["id"], {"person": other["person"]}),
        Effect("update", ROTA, other["id"], {"person": one["person"]}),
    )
    known = staff.names(world)
    rows = [
        {"shift": shift["id"], "start": shift["start"], "was": known[shift["person"]], "now": known[person]}
        for shift, person in ((one, other["person"]), (other, one["person"]))
    ]
    return ToolResult({"duty": one["duty"], "swapped": rows}, effects)


def _row(world: World, shift: Record) -> Record:
    person = staff.person(world, shift["person"], argument="duty")
    after = rota.following(world, shift)
    follows = after and {"shift": after["id"], "name": staff.names(world)[after["person"]], "start": after["start"]}
    return {
        "shift": shift["id"],
        "duty": shift["duty"],
        **{name: person[name] for name in ("name", "phone", "email")},
        **{name: shift[name] for name in ("start", "end")},
        "away": rota.away(world, shift["person"], shift),
        "next": follows,
    }


def _ahead(world: World, arguments: Mapping[str, Any], name: str) -> Record:
    shift = records.required(world, ROTA, arguments[name], argument=name, noun="shift")
    if shift["start"] <= world.now:
        raise ToolError(f"The shift {shift['id']} began at {shift['start']}; only shifts ahead can be exchanged.")
    return shift
