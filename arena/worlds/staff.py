"""The people of the house: the one whom a name or id means, and who is away when."""

from __future__ import annotations

from collections.abc import Mapping

from arena.worlds import records
from arena.worlds.handlers import ToolError
from arena.worlds.sources import shown
from arena.worlds.world import Record, World

PEOPLE = "people"
ABSENCES = "absences"


def person(world: World, wanted: str, *, argument: str) -> Record:
    """The colleague with this id, mail address or (part of a) name; raises ToolError unless it is one."""
    people = world.all(PEOPLE)
    exact = [each for each in people if wanted in (each["id"], each["email"])]
    matches = exact or [each for each in people if wanted.strip() and records.holds(wanted, [each["name"]])]
    if len(matches) != 1:
        hint = records.near(wanted, [each["name"] for each in matches or people])
        cause = "names several people" if matches else "names nobody"
        raise ToolError(f"The argument {argument} {cause} of the staff: {shown(wanted)}; {hint}.")
    return matches[0]


def names(world: World) -> dict[str, str]:
    """Name by id."""
    return {each["id"]: each["name"] for each in world.all(PEOPLE)}


def brief(colleague: Mapping[str, str]) -> dict[str, str]:
    return {field: colleague[field] for field in ("id", "name", "role")}


def away(world: World, first_day: str, last_day: str) -> list[Record]:
    """Absences that touch these days (ISO, both included), earliest first."""
    touching = [each for each in world.all(ABSENCES) if each["first_day"] <= last_day and first_day <= each["last_day"]]
    return sorted(touching, key=lambda each: (each["first_day"], each["id"]))
