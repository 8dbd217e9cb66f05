"""Tools on the staff: find a colleague, an expert, the line of superiors, who is away, and note an absence."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from arena.worlds import agenda, dates, prose, records, rota, staff
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.sources import shown
from arena.worlds.staff import ABSENCES
from arena.worlds.world import Effect, Record, World


@handler("find_colleague")
def find_colleague(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Every word must occur in name, role, team or place; a wrong name gets the nearest ones."""
    wanted, people = arguments.get("query", ""), world.all(staff.PEOPLE)
    if not wanted.strip() and "team" not in arguments:
        raise ToolError("Neither query nor team says whom to look for; send one of them.")
    found = [
        {**each, "manager": _named(world, each["manager"])}
        for each in people
        if arguments.get("team", each["team"]) == each["team"]
        and records.holds(wanted, [each[name] for name in ("id", "name", "role", "team", "place", "email")])
    ]
    if not found:
        near = records.near(wanted, [each["name"] for each in people])
        return ToolResult({**records.capped("people", found, 0), "hint": near})
    return ToolResult(records.capped("people", found, 20))


@handler("find_expert")
def find_expert(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Those with most fitting skills first; who is away on that day comes last, with the day of return."""
    day = dates.moment({"on": world.now, **arguments}, "on").date().isoformat()
    wanted = prose.stems(arguments["subject"])
    absent = {each["person"]: each for each in staff.away(world, day, day)}
    rows: list[dict[str, Any]] = []
    for each in world.all(staff.PEOPLE):
        skills = [skill for skill in each["skills"] if wanted & prose.stems(skill)]
        if skills:
            absence = absent.get(each["id"])
            rows.append({**staff.brief(each), "skills": skills, "away_until": absence and absence["last_day"]})
    if not rows:
        known = sorted({skill for each in world.all(staff.PEOPLE) for skill in each["skills"]})
        raise ToolError(
            f"Nobody of the staff is known for {shown(arguments['subject'])}; subjects are {', '.join(known)}."
        )
    rows.sort(key=lambda row: (row["away_until"] is not None, -len(row["skills"]), row["id"]))
    return ToolResult({"on": day, **records.capped("experts", rows, 10)})


@handler("org_chain")
def org_chain(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """From the person up to the managing director, and who reports to the person directly."""
    start = staff.person(world, arguments["person"], argument="person")
    chain, current = [staff.brief(start)], start
    while current["manager"] is not None:
        current = records.required(world, staff.PEOPLE, current["manager"], argument="person", noun="colleague")
        chain.append(staff.brief(current))
    reports = [staff.brief(each) for each in world.all(staff.PEOPLE) if each["manager"] == start["id"]]
    return ToolResult({"chain": chain, "reports": reports})


@handler("who_is_away")
def who_is_away(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Today unless a day is named; each with the stand-in, None where nobody stands in."""
    since, until = _days(world, arguments)
    team = arguments.get("team")
    people = {each["id"]: each for each in world.all(staff.PEOPLE)}
    found = [
        {
            **{name: each[name] for name in ("id", "kind", "first_day", "last_day")},
            "person": _named(world, each["person"]),
            "stand_in": _named(world, each["stand_in"]),
        }
        for each in staff.away(world, since, until)
        if team in (None, people[each["person"]]["team"])
    ]
    return ToolResult({"since": since, "until": until, **records.capped("away", found, 50)})


@handler("record_absence")
def record_absence(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """The result names meetings and on-call duty that fall into the days; nothing of them is changed."""
    person = staff.person(world, arguments["person"], argument="person")
    first, last = _first_and_last(arguments)
    taken = next((each for each in staff.away(world, first, last) if each["person"] == person["id"]), None)
    if taken:
        cause = f"{person['name']} is away already, {taken['id']} from {taken['first_day']} to {taken['last_day']}"
        raise ToolError(f"{cause}; choose other days.")
    absence = {
        "id": records.following_id(world, ABSENCES, "a_"),
        "person": person["id"],
        "kind": arguments["kind"],
        "first_day": first,
        "last_day": last,
        "stand_in": _stand_in(world, arguments, person, first, last),
        "note": arguments.get("note", ""),
    }
    when = agenda.Slot(dates.parse(first), dates.parse(last) + timedelta(days=1))
    content = {
        "absence": absence,
        "meetings": [each["because_of"] for each in agenda.clashes(world, [person["id"]], when)],
        "on_call": [each["id"] for each in rota.shifts(world, when) if each["person"] == person["id"]],
    }
    return ToolResult(content, (Effect("create", ABSENCES, absence["id"], absence),))


def _named(world: World, key: str | None) -> str | None:
    return None if key is None else f"{key} {staff.names(world)[key]}"


def _days(world: World, arguments: Mapping[str, Any]) -> tuple[str, str]:
    span = dates.span({"since": world.now[:10], **arguments})
    since = (span.since or dates.parse(world.now)).date().isoformat()
    return since, span.until.date().isoformat() if span.until else since


def _first_and_last(arguments: Mapping[str, Any]) -> tuple[str, str]:
    span = dates.span({"last_day": arguments["first_day"], **arguments}, "first_day", "last_day")
    first, last = (each.date().isoformat() if each else arguments["first_day"] for each in (span.since, span.until))
    return first, last


def _stand_in(world: World, arguments: Mapping[str, Any], person: Record, first: str, last: str) -> str | None:
    if "stand_in" not in arguments:
        return None
    chosen = staff.person(world, arguments["stand_in"], argument="stand_in")
    if chosen["id"] == person["id"]:
        raise ToolError(f"The argument stand_in is {person['name']} too; name somebody else.")
    if any(each["person"] == chosen["id"] for each in staff.away(world, first, last)):
        raise ToolError(f"The argument stand_in names {chosen['name']}, who is away then as well; name somebody else.")
    return str(chosen["id"])
