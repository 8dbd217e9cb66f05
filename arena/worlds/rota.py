"""The on-call rota: shifts by week, one person per duty."""

from __future__ import annotations

from datetime import datetime

from arena.worlds import agenda, dates, staff
from arena.worlds.agenda import Slot
from arena.worlds.world import Record, World

ROTA = "rota"


def shifts(world: World, when: Slot) -> list[Record]:
    """Shifts that touch this time, by start."""
    touching = [each for each in world.all(ROTA) if agenda.slot(each).meets(when)]
    return sorted(touching, key=lambda each: (each["start"], each["id"]))


def at(world: World, instant: datetime) -> list[Record]:
    """The shifts that run at this instant, one per duty."""
    return [each for each in world.all(ROTA) if agenda.slot(each).start <= instant < agenda.slot(each).end]


def following(world: World, shift: Record) -> Record | None:
    """The next shift of the same duty."""
    later = [each for each in world.all(ROTA) if each["duty"] == shift["duty"] and each["start"] >= shift["end"]]
    return min(later, key=lambda each: str(each["start"]), default=None)


def away(world: World, person: str, shift: Record) -> list[str]:
    """Ids of the absences of this person during the shift; its last morning does not count as a day."""
    first = dates.parse(shift["start"]).date().isoformat()
    last = shift["end"][:10]
    return [
        each["id"] for each in staff.away(world, first, last) if each["person"] == person and each["first_day"] < last
    ]
