"""What a measurement consists of: each fixture once, then its repeats, then its options in other orders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from policy.calibration.fixtures import Fixture
from policy.calibration.measuring import FORWARD, has_order
from policy.measurements.models import Measurement
from policy.measurements.sets import fixture_of


@dataclass(frozen=True, slots=True)
class Unit:
    """One fixture to be measured in one way; `row` is the key of its row."""

    row: int
    fixture: Fixture
    order: str = FORWARD
    repeat: int = 0

    @property
    def key(self) -> tuple[int, str, int]:
        return self.row, self.order, self.repeat


def units_of(measurement: Measurement) -> Iterator[Unit]:
    """In the order in which they are measured: a measurement that is stopped early has seen most fixtures once."""
    rows = measurement.set.rows.filter(kind__in=measurement.kinds)
    if measurement.only is not None:
        wanted = set(measurement.only)
        lines = [(pk, line) for pk, id, line in rows.values_list("pk", "fixture_id", "line") if id in wanted]
    else:
        lines = list(rows.values_list("pk", "line"))
    fixtures = [(pk, fixture_of(line)) for pk, line in lines]
    for repeat in range(measurement.repeats):
        yield from (Unit(pk, each, repeat=repeat) for pk, each in fixtures if repeat == 0 or each.asks)
    for order in measurement.orders:
        if order != FORWARD:
            yield from (Unit(pk, each, order) for pk, each in fixtures if has_order(each))
