"""Saved profiles: a chosen point with the passport of what it was chosen on; versions, never changes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from policy.calibration.fixtures import Kind
from policy.calibration.measured import Reading
from policy.calibration.measuring import Options
from policy.calibration.passport import Covered, Passport, Saved, shared_menu
from policy.calibration.report import Report
from policy.engine.bounds import clean_text
from policy.engine.profile import InvalidConfig, OnFailure, Profile, Thresholds
from policy.errors import Conflict, Invalid, Unknown
from policy.measurements import looks, names, reports
from policy.measurements.models import ENDED, Measurement, SavedProfile
from policy.people.models import Role, User
from policy.people.services import require

# A saved figure is computed at the saved point; resamples tell nothing about it.
DRAWS = 1


def save(
    measurement: Measurement,
    *,
    name: str,
    thresholds: Mapping[str, float],
    by: User,
    on_failure: Mapping[str, str] | None = None,
) -> SavedProfile:
    """Keep a point as the next version of `name`; `thresholds` by their camelCase names, the rest is the judge's own.

    The passport covers every kind that was measured. Raises `Invalid` and `Conflict`.
    """
    require(Role.MEMBER, by=by)
    name = names.checked(name, "A profile")
    if measurement.state not in ENDED:
        raise Conflict(f"The measurement is {measurement.state}; save its profile when it has ended, or stop it first.")
    base = reports.profile_of(measurement)
    try:
        cuts = Thresholds.from_json({**base.thresholds.to_json(), **thresholds})
        failing = base.on_failure if on_failure is None else OnFailure.from_json(on_failure)
    except InvalidConfig as wrong:
        raise Invalid(f"The profile cannot be saved: {wrong}.") from wrong
    passport = _passport(measurement, cuts, by)
    limits = Options.from_json(measurement.options).limits
    kept = {key: value for key, value in limits.to_json().items() if key in measurement.options["limits"]}
    whole = type(base.limits).from_json({**base.limits.to_json(), **kept})
    try:
        with transaction.atomic():
            last = SavedProfile.objects.filter(name=name).aggregate(last=Max("version"))["last"] or 0
            profile = Profile(name, last + 1, cuts, whole, failing)
            return SavedProfile.objects.create(
                name=name,
                version=profile.version,
                document=profile.to_json(),
                digest=profile.digest,
                passport=passport.to_json(),
                measurement=measurement,
                by=by,
            )
    except IntegrityError as error:
        raise Conflict(f"Somebody else saves a profile {name} just now. Try again.") from error


def find(reference: str) -> SavedProfile:
    """A saved profile by name@version, or by its name the newest version; raises `Unknown`."""
    name, _, version = clean_text(reference).text.partition("@")
    found = SavedProfile.objects.select_related("by", "measurement").filter(name=name)
    if version:
        found = found.filter(version=int(version) if version.isdecimal() and len(version) < 10 else 0)
    if (one := found.order_by("-version").first()) is None:
        raise Unknown(f"There is no saved profile {reference!r}. The list of saved profiles names them all.")
    return one


def references(*, most: int = 50) -> list[str]:
    """The newest saved profiles as name@version, to choose from."""
    return [f"{name}@{version}" for name, version in SavedProfile.objects.values_list("name", "version")[:most]]


def saved(reference: str) -> Saved:
    """The profile with its passport, as calls use it; raises `Unknown`."""
    return opened(find(reference))


def opened(kept: SavedProfile) -> Saved:
    return Saved(Profile.from_json(kept.document), Passport.from_json(kept.passport))


def compare(one: SavedProfile, other: SavedProfile) -> dict[str, Any]:
    """Every value in which two profiles or their passports differ, by its dotted name, as a pair."""
    left = _flat({"profile": one.document, "passport": one.passport})
    right = _flat({"profile": other.document, "passport": other.passport})
    return {key: [left.get(key), right.get(key)] for key in sorted({*left, *right}) if left.get(key) != right.get(key)}


def flips(one: SavedProfile, other: SavedProfile, measurement: Measurement) -> list[dict[str, str]]:
    """The cases of a measurement that the two profiles decide differently; nothing is asked."""
    before, after = (
        reports.reports(measurement, Profile.from_json(each.document).thresholds, draws=DRAWS) for each in (one, other)
    )
    return [
        {"kind": kind, "id": was.id, "label": was.label, str(one): was.now, str(other): now.now}
        for kind, report in before.items()
        for was, now in zip(report.cases, after[kind].cases, strict=True)
        if was.now != now.now
    ]


def to_json(kept: SavedProfile) -> dict[str, Any]:
    return {
        "reference": str(kept),
        "digest": kept.digest,
        "profile": kept.document,
        "passport": kept.passport,
        "by": kept.by.username,
        "at": kept.at.astimezone(UTC).isoformat().replace("+00:00", "Z"),
    }


def _passport(measurement: Measurement, cuts: Thresholds, by: User) -> Passport:
    # A first look keeps to the judge's own path: the saved point was chosen on these very rows.
    found = reports.reports(measurement, cuts, draws=DRAWS, look=looks.look(measurement))
    used = reports.readings(measurement)
    options = Options.from_json(measurement.options)
    kept = measurement.set
    kept.refresh_from_db()
    return Passport(
        judge=measurement.judge,
        endpoint=measurement.endpoint,
        requested_model=measurement.requested_model,
        answered_model=measurement.answered_model,
        fixtures=str(kept),
        fixture_digest=kept.digest,
        measurement=measurement.public_id,
        date=timezone.now().astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        author=by.username,
        kinds={
            kind: _covered(Kind(kind), report, measurement, options, used)
            for kind, report in found.items()
            if kind in tuple(Kind) and kind != Kind.GENERIC
        },
    )


def _covered(
    kind: Kind, report: Report, measurement: Measurement, options: Options, used: tuple[Reading, ...]
) -> Covered:
    point, verdict = report.current, report.verdict
    return Covered(
        question_set=measurement.question_sets[kind.value],
        options=options.of(kind),
        menu=shared_menu([each.fixture for each in used if each.fixture.kind is kind]),
        cases=point.cases,
        failed=report.failed,
        agreed=point.agreed,
        interval=point.interval,
        standing=verdict.standing.value,
        reasons=verdict.reasons,
        guarantee=_promised(report),
    )


def _promised(report: Report) -> dict[str, Any] | None:
    """The smallest certified bound that the saved point keeps: as strict as the certificate on all three axes."""
    at = report.current.thresholds
    for each in reversed(report.guarantees):
        highest = each.certificate.threshold
        asks = at["missing_information"] <= each.path["missing_information"]
        strict = asks and at["task_match"] >= each.path["task_match"]
        if strict and highest is not None and at["restriction"] <= highest:
            found = each.certificate
            return {"bound": found.bound, "confidence": found.confidence, "form": found.form, "look": each.look}
    return None


def _flat(value: Any, where: str = "") -> dict[str, Any]:
    if isinstance(value, Mapping):
        return {
            name: item for key, each in value.items() for name, item in _flat(each, f"{where}.{key}".strip(".")).items()
        }
    return {where: value}
