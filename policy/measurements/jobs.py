"""Measurements as jobs: started, watched, stopped, resumed; a worker does the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from policy.calibration.fixtures import Kind
from policy.calibration.measuring import FORWARD, ORDERS, Options, question_set
from policy.calibration.passport import Judged
from policy.engine.bounds import clean_text
from policy.errors import Conflict, Invalid, Unknown
from policy.judges import registry
from policy.measurements import dispatch, sets, whom
from policy.measurements.models import ENDED, FixtureSet, Measurement, MeasurementState
from policy.measurements.units import units_of
from policy.people.models import Role, User
from policy.people.services import require

MOST_REPEATS = 20
MOST_SEED = 2**31 - 1
ACTIVE = (MeasurementState.QUEUED, MeasurementState.MEASURING)
BY_A_PERSON = "A person has stopped it; what was measured is kept."


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a measurement is; rate (readings a second) and rest (seconds) are None until there is a measure."""

    done: int
    total: int
    failed: int
    rate: float | None
    left_s: float | None

    @property
    def share(self) -> float:
        return self.done / self.total if self.total else 1.0


def start(
    kept: FixtureSet,
    *,
    by: User,
    origin: str,
    judge: str | None = None,
    model: str = "",
    kinds: Sequence[str] | None = None,
    orders: Sequence[str] = (FORWARD,),
    repeats: int = 1,
    seed: int = 1,
    member_lines: bool | None = None,
    fresh: bool = False,
    only: Sequence[str] | None = None,
) -> Measurement:
    """Store a measurement in state `queued`; answers that are there already are used unless `fresh`.

    `judge` None is the one that the person set for calibration, and a blank `model` is the one set with it. `repeats`
    measure noise, `orders` whether the order of options matters; `only` names a sample of fixtures.
    Raises `Invalid` with the allowed values or with the key that is missing, `UnknownJudge`, and `Conflict` where the
    same is being measured already.
    """
    require(Role.MEMBER, by=by)
    wanted = _kinds(kept, kinds)
    _check(orders, repeats, seed)
    judge = judge or whom.chosen(by=by).judge
    who = Judged.of(whom.judge(judge, model=model, by=by))
    # Only the local judge is fed the members of a category for now, as in a run's setup.
    options = Options(
        member_lines=judge == "local" if member_lines is None else member_lines,
        limits=registry.profile(judge).limits,
    )
    with transaction.atomic():
        held = FixtureSet.objects.select_for_update().get(pk=kept.pk)
        if running := held.measurements.filter(judge=judge, state__in=ACTIVE).first():
            raise Conflict(
                f"{held} is being measured by {judge} already ({running.public_id}). Wait for it, or stop it first."
            )
        measurement = Measurement(
            set=held,
            set_digest=held.digest,
            judge=judge,
            endpoint=who.endpoint,
            requested_model=who.requested_model,
            kinds=wanted,
            question_sets={kind: question_set(Kind(kind)) for kind in wanted},
            options=options.to_json(),
            orders=list(dict.fromkeys(orders)),
            repeats=repeats,
            seed=seed,
            fresh=fresh,
            only=None if only is None else list(only),
            by=by,
            origin=origin,
            queued_at=Now(),
        )
        measurement.total = sum(1 for _ in units_of(measurement))
        if not measurement.total:
            raise Invalid(f"{held} has no fixture of {', '.join(wanted)} to measure; choose another kind.")
        measurement.save()
        dispatch.publish(measurement.pk)
    measurement.refresh_from_db()
    return measurement


def stop(measurement: Measurement, *, by: User) -> Measurement:
    """Ask it to stop; at once where no worker has it. Raises `Conflict` where it has ended."""
    require(Role.MEMBER, by=by)
    rows = Measurement.objects.filter(pk=measurement.pk, state__in=ACTIVE)
    if not rows.update(stop_requested_at=Now()):
        measurement.refresh_from_db()
        raise Conflict(f"The measurement is {measurement.state} already; there is nothing to stop.")
    rows.filter(owner="").update(state=MeasurementState.STOPPED, message=BY_A_PERSON, finished_at=Now())
    measurement.refresh_from_db()
    return measurement


def resume(measurement: Measurement, *, by: User, retry_failed: bool = False) -> Measurement:
    """Go on where it ended. `retry_failed` also asks those again that have no usable answer.

    Raises `Conflict` where it is still going on, or where there is nothing left to do; `Invalid` where the judge of the
    person who began it cannot be asked any more.
    """
    require(Role.MEMBER, by=by)
    whom.again(measurement)
    with transaction.atomic():
        row = Measurement.objects.select_for_update().get(pk=measurement.pk)
        if row.state not in ENDED:
            raise Conflict(f"The measurement is {row.state}; it needs no resuming.")
        if retry_failed:
            row.readings.exclude(failure_code="").delete()
            row.failed, row.done = 0, row.readings.count()
            Measurement.objects.filter(pk=row.pk).update(retried_at=Now())
        if row.done >= row.total:
            raise Conflict("Everything is measured already; there is nothing to resume.")
        Measurement.objects.filter(pk=row.pk).update(
            state=MeasurementState.QUEUED,
            message="",
            done=row.done,
            failed=row.failed,
            lost=0,
            stop_requested_at=None,
            finished_at=None,
            queued_at=Now(),
        )
        dispatch.publish(row.pk)
    measurement.refresh_from_db()
    return measurement


def find(public_id: str) -> Measurement:
    """A measurement by its public id; raises `Unknown`."""
    found = Measurement.objects.select_related("set", "by").filter(public_id=clean_text(public_id).text).first()
    if found is None:
        raise Unknown(f"There is no measurement {public_id!r}.")
    return found


def recent(*, most: int = 50) -> list[Measurement]:
    """The newest measurements."""
    return list(Measurement.objects.select_related("set", "by").order_by("-id")[:most])


def progress(measurement: Measurement) -> Progress:
    worked_s = measurement.worked_ms / 1000
    rate = measurement.done / worked_s if measurement.done and worked_s else None
    going = measurement.state in ACTIVE
    left_s = (measurement.total - measurement.done) / rate if rate and going else None
    return Progress(measurement.done, measurement.total, measurement.failed, rate, left_s)


def pace(judge: str) -> float | None:
    """Readings a second of the newest measurement in which this judge was asked everything anew; None: none was."""
    asked = Measurement.objects.filter(judge=judge, reused=0, requests__gt=0, done__gt=0, worked_ms__gt=0)
    last = asked.order_by("-id").first()
    return None if last is None else progress(last).rate


def to_json(measurement: Measurement) -> dict[str, Any]:
    """For pages, programs and exports."""
    told = progress(measurement)
    return {
        "id": measurement.public_id,
        "set": str(measurement.set),
        "set_digest": measurement.set_digest,
        "judge": measurement.judge,
        "endpoint": measurement.endpoint,
        "requested_model": measurement.requested_model,
        "answered_model": measurement.answered_model,
        "kinds": measurement.kinds,
        "orders": measurement.orders,
        "repeats": measurement.repeats,
        "state": measurement.state,
        "message": measurement.message,
        "total": told.total,
        "done": told.done,
        "failed": told.failed,
        "requests": measurement.requests,
        "reused": measurement.reused,
        "rate_per_s": None if told.rate is None else round(told.rate, 3),
        "left_s": None if told.left_s is None else round(told.left_s, 1),
    }


def _kinds(kept: FixtureSet, asked: Sequence[str] | None) -> list[str]:
    there = sets.kinds(kept)
    if asked is None:
        return [kind.value for kind in Kind if kind.value in there]
    if not asked:
        raise Invalid(f"No kind is named. {kept} has {', '.join(sorted(there))}; leave the kinds out to measure all.")
    for kind in asked:
        if kind not in tuple(Kind):
            raise Invalid(f"There is no kind {kind!r:.40}. Allowed: {', '.join(Kind)}.")
        if kind not in there:
            raise Invalid(f"{kept} has no fixture of the kind {kind}; it has {', '.join(sorted(there))}.")
    return list(dict.fromkeys(asked))


def _check(orders: Sequence[str], repeats: int, seed: int) -> None:
    for order in orders:
        if order not in ORDERS:
            raise Invalid(f"There is no order {order!r:.40}. Allowed: {', '.join(ORDERS)}.")
    if FORWARD not in orders:
        raise Invalid(f"The order {FORWARD} is what the others are compared with; name it, too.")
    if not 1 <= repeats <= MOST_REPEATS:
        raise Invalid(f"The number of repeats is {repeats}; it must be from 1 to {MOST_REPEATS}.")
    if not 0 <= seed <= MOST_SEED:
        raise Invalid(f"The seed is {seed}; it must be from 0 to {MOST_SEED}.")
