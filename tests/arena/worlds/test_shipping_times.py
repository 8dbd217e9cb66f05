from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.worlds import shipping_times

LAMP = [{"sku": "LMP-DSK-02"}]
ARC = [{"sku": "BLB-E27-01"}, {"sku": "LMP-ARC-01"}]


@given(st.dates(date(2020, 1, 1), date(2030, 1, 1)), st.integers(1, 60))
def test_the_working_days_between_are_as_many_as_asked(day: date, count: int) -> None:
    end = shipping_times.working_days_after(day, count)
    between = (day + timedelta(days=step) for step in range(1, (end - day).days + 1))
    assert sum(each.weekday() < 5 for each in between) == count
    assert end.weekday() < 5


@pytest.mark.parametrize(
    ("day", "following"), [("2026-03-12", "2026-03-13"), ("2026-03-13", "2026-03-14"), ("2026-03-14", "2026-03-16")]
)
def test_the_warehouse_packs_on_saturdays_and_not_on_sundays(day: str, following: str) -> None:
    assert shipping_times.next_packing_day(date.fromisoformat(day)) == date.fromisoformat(following)


def test_freight_takes_two_days_more() -> None:
    parcel, freight = (shipping_times.window("DE", items, date(2026, 3, 9)) for items in (LAMP, ARC))
    assert parcel is not None
    assert freight is not None
    assert (parcel.earliest, parcel.latest, parcel.late_after) == tuple(date(2026, 3, day) for day in (10, 12, 16))
    assert (freight.earliest, freight.latest) == (date(2026, 3, 12), date(2026, 3, 16))


def test_a_country_without_times_has_no_window() -> None:
    assert shipping_times.window("PT", LAMP, date(2026, 3, 9)) is None
