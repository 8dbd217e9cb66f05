from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from arena.worlds import agenda
from arena.worlds.agenda import Slot
from arena.worlds.tools.data import percentile
from tests.arena.worlds.office import fixture

STAFF = [f"p_{number:02d}" for number in range(1, 15)]
groups = st.lists(st.sampled_from(STAFF), min_size=1, max_size=4, unique=True)
starts = st.integers(0, 14 * 24 * 4).map(
    lambda quarters: datetime(2026, 3, 12, tzinfo=UTC) + timedelta(minutes=15 * quarters)
)


@given(groups, starts, st.integers(1, 5))
def test_nobody_has_anything_else_in_a_gap(people: list[str], start: datetime, days: int) -> None:
    for gap in agenda.gaps(fixture(), people, Slot(start, start + timedelta(days=days))):
        assert agenda.clashes(fixture(), people, gap) == []
        assert agenda.OPENS <= gap.start.timetz() < gap.end.timetz() <= agenda.CLOSES


@given(groups, starts)
def test_more_people_have_no_more_free_time(people: list[str], start: datetime) -> None:
    within = Slot(start, start + timedelta(days=3))
    alone, together = (sum(gap.minutes for gap in agenda.gaps(fixture(), who, within)) for who in (people[:1], people))
    assert together <= alone


numbers = st.lists(st.decimals(-1000, 1000, places=2), min_size=1, max_size=30).map(sorted)


@given(numbers, st.integers(0, 100), st.integers(0, 100))
def test_a_percentile_stays_within_and_grows(ordered: list[Decimal], one: int, other: int) -> None:
    low, high = (percentile(ordered, Decimal(each)) for each in sorted((one, other)))
    assert ordered[0] <= low <= high <= ordered[-1]
