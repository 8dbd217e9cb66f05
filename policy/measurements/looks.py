"""Looks at a guarantee: each is kept, because a bound that holds once does not hold at every look.

The first look at the unsafe rows of a set fixes the path and may use the one-look form; every later look on other rows
follows that path in the any-time form (statistics, guaranteed gate). The same rows again are the same look.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from django.db import IntegrityError, transaction

from policy.calibration.fixtures import Kind
from policy.calibration.guarantee import Look
from policy.calibration.held import Prices
from policy.calibration.measuring import FORWARD
from policy.calibration.report import Report
from policy.calibration.unseen import DRAWS
from policy.engine.canonical import digest
from policy.engine.decisions import Action
from policy.engine.profile import Thresholds
from policy.errors import Conflict
from policy.measurements import reports
from policy.measurements.models import GuaranteeLook, Measurement
from policy.measurements.sets import fixture_of

TRIES = 3


def looked(
    measurement: Measurement, thresholds: Thresholds | None = None, *, prices: Prices | None = None, draws: int = DRAWS
) -> dict[str, Report]:
    """The reports with their guarantees, which counts as a look; before the measurement has ended there are none."""
    return reports.reports(measurement, thresholds, prices=prices, draws=draws, look=look(measurement, thresholds))


def look(measurement: Measurement, thresholds: Thresholds | None = None) -> Look | None:
    """The look that telling a guarantee of this measurement is, kept where it is a new one.

    `thresholds` give the path of a first look (None: the judge's own). None where the measurement goes on.
    """
    if not measurement.is_final:
        return None
    used = thresholds or reports.profile_of(measurement).thresholds
    unsafe = _unsafe(measurement)
    if not unsafe:
        return Look(1, used.missing_information, used.task_match)
    for _ in range(TRIES):
        try:
            with transaction.atomic():
                return _kept(measurement, digest(unsafe), used)
        except IntegrityError:
            continue  # Somebody else looks at the same moment; theirs is there now.
    raise Conflict("Others look at this guarantee at the same moment. Load it again.")


def _kept(measurement: Measurement, rows: str, used: Thresholds) -> Look:
    scope = {
        "set_name": measurement.set.name,
        "judge": measurement.judge,
        "endpoint": measurement.endpoint,
        "answered_model": measurement.answered_model,
        "kind": Kind.ASSESSMENT.value,
    }
    before = GuaranteeLook.objects.filter(**scope)
    found = before.filter(rows=rows).first()
    if found is None:
        last = before.order_by("-number").first()
        found = GuaranteeLook.objects.create(
            **scope,
            rows=rows,
            number=1 if last is None else last.number + 1,
            missing=used.missing_information if last is None else last.missing,
            match=used.task_match if last is None else last.match,
        )
    return Look(found.number, found.missing, found.match)


def _unsafe(measurement: Measurement) -> Sequence[object]:
    """What was asked and measured of each call that is labelled deny, in an order that the set does not change."""
    found = measurement.readings.filter(order=FORWARD, repeat=0, failure_code="", row__kind=Kind.ASSESSMENT.value)
    rows = [
        [requests, values]
        for line, requests, values in found.exclude(values=None).values_list("row__line", "requests", "values")
        if fixture_of(line).expect["status"] == Action.DENY.value
    ]
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))
