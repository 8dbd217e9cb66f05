"""From a measurement to its reports: stored readings under the labels of today, swept by `policy.calibration`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from policy.calibration import measured, report_assessment, report_choices, stability
from policy.calibration.fixtures import Fixture, Kind
from policy.calibration.guarantee import Look
from policy.calibration.held import Prices
from policy.calibration.measured import Reading
from policy.calibration.overall import Overall, overall
from policy.calibration.report import Report
from policy.calibration.unseen import DRAWS, SEED
from policy.engine.profile import Profile, Thresholds
from policy.errors import Conflict
from policy.judges import registry
from policy.measurements.models import FixtureSet, Measurement
from policy.measurements.sets import Flags, fixture_of, fixtures_of, flags

GENERIC_CUT = 0.5
_CHOICES = {
    Kind.SELECTION: report_choices.selections,
    Kind.SKILL: report_choices.skills,
    Kind.MODEL_ROUTE: report_choices.routes,
}


def readings(measurement: Measurement) -> tuple[Reading, ...]:
    """Every reading so far with its fixture as it is labelled now."""
    return _readings(*_stamp(measurement))


def reports(
    measurement: Measurement,
    thresholds: Thresholds | None = None,
    *,
    prices: Prices | None = None,
    draws: int = DRAWS,
    seed: int = SEED,
    look: Look | None = None,
) -> dict[str, Report]:
    """One report per kind, and per question of generic rows; `thresholds` are those in use (None: the judge's own).

    Guarantees are told only with a `look`, which `looks.looked` keeps: telling them uncounted would break them.
    What was computed once is kept in this process. Raises `Conflict` where nothing is measured yet.
    """
    current = thresholds or registry.profile(measurement.judge).thresholds
    priced = None if prices is None else tuple(prices.items())
    found = _reports(_stamp(measurement), current, priced, draws, seed, look)
    if not found:
        raise Conflict("Nothing of this measurement has a usable answer yet, so there is nothing to report.")
    return found


def document(measurement: Measurement, found: Mapping[str, Report]) -> dict[str, Any]:
    """The reports with what they rest on, as plain JSON."""
    all_readings = readings(measurement)
    counted = measured.counts([each for each in all_readings if each.order == "forward" and each.repeat == 0])
    return {
        "set": str(measurement.set),
        "set_digest": measurement.set.digest,
        "judge": measurement.judge,
        "answered_model": measurement.answered_model,
        "measurement": measurement.public_id,
        "synthetic": measurement.judge == "scripted",
        "measured": counted.measured,
        "failed": counted.failed,
        "unasked": counted.unasked,
        "flags": flags_of(measurement.set).counts(),
        "noise": [
            {"question": each.question, "fixtures": each.fixtures, "mean": each.mean, "most": each.most}
            for each in stability.noise(all_readings)
        ],
        "orders": [
            {
                "order": each.order,
                "compared": each.compared,
                "changed": each.changed,
                "mean": each.mean,
                "examples": list(each.examples),
            }
            for each in stability.orders(all_readings)
        ],
        "thresholds": [each.to_json() for each in thresholds_of(measurement, found)],
        "reports": {name: each.to_json() for name, each in found.items()},
    }


def thresholds_of(measurement: Measurement, found: Mapping[str, Report]) -> tuple[Overall, ...]:
    """All eight thresholds over these reports, those in use taken from them."""
    used = {name: value for each in found.values() for name, value in each.current.thresholds.items()}
    base = profile_of(measurement).thresholds
    return overall(found, replace(base, **{name: value for name, value in used.items() if hasattr(base, name)}))


def flags_of(kept: FixtureSet) -> Flags:
    """Duplicates and near-duplicates of the set as it is now; looked for once."""
    return _flags(kept.pk, FixtureSet.objects.values_list("digest", flat=True).get(pk=kept.pk))


Stamp = tuple[int, int, str, str]


def _stamp(measurement: Measurement) -> Stamp:
    """What changes whenever a reading or a label does."""
    kept = measurement.set
    return measurement.pk, measurement.done, f"{measurement.retried_at}", FixtureSet.objects.get(pk=kept.pk).digest


@lru_cache(8)
def _readings(pk: int, done: int, retried: str, digest: str) -> tuple[Reading, ...]:
    rows = Measurement.objects.get(pk=pk).readings.order_by("row__position", "id")
    known: dict[str, Fixture] = {}
    found = []
    for line, values, failure, order, repeat in rows.values_list(
        "row__line", "values", "failure_code", "order", "repeat"
    ):
        fixture = known.setdefault(line, fixture_of(line)) if line not in known else known[line]
        found.append(Reading(fixture, values or {}, failure, order, repeat))
    return tuple(found)


@lru_cache(8)
def _flags(pk: int, digest: str) -> Flags:
    return flags(fixtures_of(FixtureSet.objects.get(pk=pk)))


@lru_cache(8)
def _families(pk: int, digest: str) -> Mapping[str, int]:
    fixtures = fixtures_of(FixtureSet.objects.get(pk=pk))
    return dict(zip((each.id for each in fixtures), _flags(pk, digest).families, strict=True))


@lru_cache(16)
def _reports(
    stamp: Stamp, current: Thresholds, prices: tuple[Any, ...] | None, draws: int, seed: int, look: Look | None
) -> dict[str, Report]:
    found = _readings(*stamp)
    family = _families(Measurement.objects.values_list("set_id", flat=True).get(pk=stamp[0]), stamp[3])
    made: dict[str, Report] = {}
    for kind in (Kind.ASSESSMENT, *_CHOICES):
        mine = measured.first(found, kind)
        if any(each.usable for each in mine):
            if kind is Kind.ASSESSMENT:
                made[kind.value] = _assessment(mine, family, current, prices, draws, seed, look)
            else:
                made[kind.value] = _choice(kind, mine, family, current, draws, seed)
    made.update(_generic(measured.first(found, Kind.GENERIC), family, draws, seed))
    return made


def _assessment(
    mine: list[Reading],
    family: Mapping[str, int],
    current: Thresholds,
    prices: tuple[Any, ...] | None,
    draws: int,
    seed: int,
    look: Look | None,
) -> Report:
    rows, used = measured.assessments(mine)
    truths = {name: (each.stated, each.true) for name, each in measured.stated(mine).items()}
    truths.pop(report_assessment.QUESTION, None)
    given = report_assessment.Measured(
        rows,
        tuple(each.fixture.id for each in used),
        groups=_groups(used, family),
        failed=measured.counts(mine).failed,
        truths=truths,
        look=look,
    )
    return report_assessment.report(
        given,
        current,
        prices=None if prices is None else dict(prices),
        bounds=() if look is None else report_assessment.BOUNDS,
        draws=draws,
        seed=seed,
    )


def _choice(
    kind: Kind,
    mine: list[Reading],
    family: Mapping[str, int],
    current: Thresholds,
    draws: int,
    seed: int,
) -> Report:
    cases, used = measured.choices(mine, kind)
    made: report_choices.Choices = _CHOICES[kind](  # type: ignore[operator]
        [each.fixture.id for each in used], cases, current
    )
    stated = {name: (each.stated, each.true) for name, each in measured.stated(mine).items()}
    failed = measured.counts(mine).failed
    return report_choices.report(
        replace(made, failed=failed, groups=_groups(used, family), stated=stated), draws=draws, seed=seed
    )


def _generic(mine: list[Reading], family: Mapping[str, int], draws: int, seed: int) -> dict[str, Report]:
    """A report per question; a row whose answer says whether it is right is swept by that."""
    made: dict[str, Report] = {}
    for name, each in measured.stated(mine).items():
        of_it = [reading for reading in mine if reading.fixture.group == name]
        choices = report_choices.rows(each.ids, each.stated.tolist(), each.true.tolist(), current=GENERIC_CUT)
        groups = np.array([family[id] for id in each.ids], dtype=np.int64)
        failed = measured.counts(of_it).failed
        label = f"{Kind.GENERIC.value}: {name}" if name else Kind.GENERIC.value
        made[label] = report_choices.report(replace(choices, failed=failed, groups=groups), draws=draws, seed=seed)
    return made


def _groups(used: Sequence[Reading], family: Mapping[str, int]) -> npt.NDArray[np.int64]:
    return np.array([family[each.fixture.id] for each in used], dtype=np.int64)


def profile_of(measurement: Measurement) -> Profile:
    """The profile in use with this measurement's judge."""
    return registry.profile(measurement.judge)
