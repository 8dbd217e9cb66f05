"""Whether the judge of a saved profile still answers as it did: a sample is asked again, and compared."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from policy.calibration import drift as test
from policy.calibration import jev_eval
from policy.calibration.drift import Drift, DriftCheck
from policy.calibration.fixtures import Kind
from policy.calibration.measuring import question_set
from policy.calibration.passport import Saved
from policy.errors import Conflict, Invalid
from policy.measurements import jobs, reports
from policy.measurements.models import DriftRecord, Measurement, SavedProfile
from policy.measurements.profiles import DRAWS, opened
from policy.people.models import Role, User
from policy.people.services import require

Share = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Outcome:
    """`recorded` and `fresh` are (decided as labelled, cases); `changed` says what differs from the passport.

    Another answering model or another wording is drift whatever the figures say: the profile is disarmed by it.
    """

    verdict: Drift
    check: DriftCheck
    recorded: Share
    fresh: Share
    failed: int
    kinds: Mapping[str, tuple[Share, Share]]
    changed: tuple[str, ...]
    jev_eval: str
    needed: int | None

    def to_json(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict.value,
            "p": self.check.p,
            "power": self.check.power,
            "drop": self.check.drop,
            "recorded": list(self.recorded),
            "fresh": list(self.fresh),
            "failed": self.failed,
            "kinds": {kind: {"recorded": list(was), "fresh": list(now)} for kind, (was, now) in self.kinds.items()},
            "changed": list(self.changed),
            "jev_eval": self.jev_eval,
            "rows_needed": self.needed,
        }


def start(kept: SavedProfile, *, by: User, origin: str, sample: int | None = None, seed: int = 1) -> Measurement:
    """Measure a sample of the profile's fixtures anew; `sample` None takes as many as show a drop of 10 points.

    Raises `Conflict` where the fixtures of the profile are no longer here.
    """
    require(Role.MEMBER, by=by)
    saved = opened(kept)
    if kept.measurement is None:
        raise Conflict(f"The fixtures that {kept} was calibrated on are no longer here; calibrate again.")
    if not saved.passport.kinds:
        raise Conflict(
            f"{kept} was calibrated on questions of your own only; a drift check needs a kind of the engine."
        )
    if sample is not None and sample < 1:
        raise Invalid(f"The sample has {sample} fixtures; it must have at least one.")
    recorded = _recorded(saved)
    most = sample or test.rows_for(recorded) or recorded[1]
    return jobs.start(
        kept.measurement.set,
        by=by,
        origin=origin,
        judge=saved.passport.judge,
        model=saved.passport.requested_model if saved.passport.endpoint else "",
        kinds=list(saved.passport.kinds),
        member_lines=kept.measurement.options["member_lines"],
        fresh=True,
        only=_sample(kept.measurement, saved, most, seed),
    )


def conclude(kept: SavedProfile, measurement: Measurement, *, by: User) -> DriftRecord:
    """Compare an ended measurement of `start` with the passport and keep the outcome; told once, it stays.

    Raises `Conflict` where the measurement is no sample of this profile's fixtures, asked anew.
    """
    require(Role.MEMBER, by=by)
    if known := record(kept, measurement):
        return known
    found = outcome(kept, measurement)
    # Two who conclude at once get the same record: the database takes one of a pair.
    made, _ = DriftRecord.objects.get_or_create(
        profile=kept,
        measurement=measurement,
        defaults={"verdict": found.verdict.value, "document": found.to_json(), "by": by},
    )
    return made


def record(kept: SavedProfile, measurement: Measurement) -> DriftRecord | None:
    """What was concluded of this pair; None where nobody has yet."""
    return DriftRecord.objects.filter(profile=kept, measurement=measurement).first()


def outcome(kept: SavedProfile, measurement: Measurement) -> Outcome:
    """The verdict on the cases of the sample, all kinds together, under the thresholds of the profile; keeps nothing.

    Raises `Conflict` where the measurement goes on, or is no sample of this profile's fixtures, asked anew.
    """
    _must_be_a_check(kept, measurement)
    if not measurement.is_final:
        raise Conflict(f"The measurement is {measurement.state}; wait for its end.")
    saved = opened(kept)
    usable = measurement.readings.exclude(values=None).exists()
    found = reports.reports(measurement, saved.profile.thresholds, draws=DRAWS) if usable else {}
    kinds = {
        kind: ((covered.agreed, covered.cases), (found[kind].current.agreed, found[kind].current.cases))
        for kind, covered in saved.passport.kinds.items()
        if kind in found
    }
    recorded, fresh = _recorded(saved), _sum([now for _, now in kinds.values()])
    check, changed = test.check(recorded, fresh), _changed(saved, measurement)
    return Outcome(
        verdict=Drift.DRIFTED if changed else check.verdict,
        check=check,
        recorded=recorded,
        fresh=fresh,
        failed=measurement.failed,
        kinds=kinds,
        changed=changed,
        jev_eval=jev_eval.drift(recorded[0] / recorded[1], *fresh) if recorded[1] else "no data",
        needed=test.rows_for(recorded),
    )


def _must_be_a_check(kept: SavedProfile, measurement: Measurement) -> None:
    """Of other fixtures, another judge or answers that were there already, a verdict would say nothing."""
    calibrated = kept.measurement
    same = calibrated is not None and (measurement.set_id, measurement.judge) == (calibrated.set_id, calibrated.judge)
    if not (same and measurement.fresh and measurement.only is not None):
        raise Conflict(f"{measurement.public_id} is no drift check of {kept}; start one, and read its verdict here.")


def _changed(saved: Saved, measurement: Measurement) -> tuple[str, ...]:
    passport, found = saved.passport, []
    if measurement.answered_model and measurement.answered_model != passport.answered_model:
        found.append(f'"{measurement.answered_model}" answers now, calibrated was "{passport.answered_model}"')
    if measurement.endpoint != passport.endpoint:
        found.append(f'"{measurement.endpoint}" is asked now, calibrated was "{passport.endpoint}"')
    for kind, covered in passport.kinds.items():
        if question_set(Kind(kind)) != covered.question_set:
            found.append(f"the wording of the {kind} questions has changed")
    return tuple(found)


def _recorded(saved: Saved) -> Share:
    return _sum([(each.agreed, each.cases) for each in saved.passport.kinds.values()])


def _sum(shares: Sequence[Share]) -> Share:
    return sum(right for right, _ in shares), sum(rows for _, rows in shares)


def _sample(measurement: Measurement, saved: Saved, most: int, seed: int) -> list[str]:
    """So many usable fixtures, each kind in its share of the set, drawn by the seed."""
    usable: dict[str, list[str]] = defaultdict(list)
    for each in reports.readings(measurement):
        if each.usable and each.order == "forward" and each.repeat == 0 and each.fixture.kind in saved.passport.kinds:
            usable[each.fixture.kind].append(each.fixture.id)
    total = sum(map(len, usable.values()))
    share = min(1.0, most / total) if total else 0.0
    rng = random.Random(seed)
    return [id for ids in usable.values() for id in rng.sample(ids, min(len(ids), max(1, round(share * len(ids)))))]
