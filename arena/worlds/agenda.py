"""What a calendar knows without changing it: who and which room is taken when, and the gaps between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from arena.worlds import dates, staff
from arena.worlds.world import Record, World

CALENDAR = "calendar"
ROOMS = "rooms"
OPENS, CLOSES = time(8, tzinfo=UTC), time(16, tzinfo=UTC)
_SATURDAY = 5


@dataclass(frozen=True, slots=True, order=True)
class Slot:
    """A stretch of time, the end not included."""

    start: datetime
    end: datetime

    @property
    def minutes(self) -> int:
        return int((self.end - self.start).total_seconds() // 60)

    def meets(self, other: Slot) -> bool:
        return self.start < other.end and other.start < self.end

    def to_json(self) -> dict[str, str]:
        return {"start": written(self.start), "end": written(self.end)}


def written(instant: datetime) -> str:
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def slot(event: Record) -> Slot:
    return Slot(dates.parse(event["start"]), dates.parse(event["end"]))


def lasting(start: datetime, minutes: int) -> Slot:
    return Slot(start, start + timedelta(minutes=minutes))


def confirmed(world: World) -> list[Record]:
    """Every event that takes place, by start."""
    events = [each for each in world.all(CALENDAR) if each["state"] == "confirmed"]
    return sorted(events, key=lambda each: (each["start"], each["id"]))


def in_room(world: World, room: str, when: Slot, *, apart_from: str = "") -> Record | None:
    """The first event that takes the room in this time."""
    return next(
        (
            each
            for each in confirmed(world)
            if each["room"] == room and each["id"] != apart_from and slot(each).meets(when)
        ),
        None,
    )


def clashes(world: World, people: Iterable[str], when: Slot, *, apart_from: str = "") -> list[dict[str, str]]:
    """Who of these people has something else in this time: an event or an absence, one row each."""
    events = [each for each in confirmed(world) if each["id"] != apart_from and slot(each).meets(when)]
    absent = staff.away(world, *days_of(when))
    known = staff.names(world)
    rows = []
    for one in people:
        rows += [_clash(known[one], each["id"], each["title"]) for each in events if one in each["attendees"]]
        rows += [_clash(known[one], each["id"], f"away: {each['kind']}") for each in absent if each["person"] == one]
    return rows


def _clash(name: str, key: str, reason: str) -> dict[str, str]:
    return {"person": name, "because_of": key, "reason": reason}


def days_of(when: Slot) -> tuple[str, str]:
    """The first and last day that a slot touches, as ISO text."""
    return when.start.date().isoformat(), (when.end - timedelta(microseconds=1)).date().isoformat()


def gaps(world: World, people: Iterable[str], within: Slot) -> list[Slot]:
    """Working time in which none of these people has an event or is away, in order."""
    wanted = set(people)
    taken = [slot(each) for each in confirmed(world) if wanted & set(each["attendees"])]
    for absence in staff.away(world, *days_of(within)):
        if absence["person"] in wanted:
            last = dates.parse(absence["last_day"]) + timedelta(days=1)
            taken.append(Slot(dates.parse(absence["first_day"]), last))
    return [gap for day in _working_days(within) for gap in _left(day, taken)]


def _working_days(within: Slot) -> Iterator[Slot]:
    day = within.start.date()
    while day <= within.end.date():
        start = max(datetime.combine(day, OPENS), within.start)
        end = min(datetime.combine(day, CLOSES), within.end)
        if day.weekday() < _SATURDAY and start < end:
            yield Slot(start, end)
        day += timedelta(days=1)


def _left(day: Slot, taken: Iterable[Slot]) -> Iterator[Slot]:
    start = day.start
    for busy in sorted(each for each in taken if each.meets(day)):
        if start < busy.start:
            yield Slot(start, busy.start)
        start = max(start, busy.end)
    if start < day.end:
        yield Slot(start, day.end)
