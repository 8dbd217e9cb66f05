"""`/api/policy/calibration/…`: sets of fixtures, measurements, reports, saved profiles, drift."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from policy.calibration.fixtures import Fixture
from policy.calibration.held import Prices
from policy.calibration.jev_eval import Goal
from policy.calibration.likeness import Pair
from policy.engine.decisions import Action
from policy.engine.profile import Thresholds
from policy.measurements import drift, exports, jobs, looks, profiles, reports, sets
from policy.measurements.models import FixtureSet, Measurement, SavedProfile
from policy.people import bearer
from policy.people.models import User
from policy.schemas import calibration as shapes
from policy.schemas.common import Problem

MOST_PAIRS = 500
router = Router(tags=["calibration"])
REFUSALS: dict[Any, Any] = dict.fromkeys((400, 401, 403, 404, 409, 413, 422), Problem)


@router.get(
    "/sets", auth=bearer.READ, response={200: shapes.SetList, **REFUSALS}, summary="Sets of fixtures, newest first"
)
def list_sets(request: HttpRequest) -> dict[str, Any]:
    return {"sets": [_set(each) for each in sets.newest()], "shipped": sets.shipped()}


@router.post(
    "/sets", auth=bearer.WRITE, response={200: shapes.SetDocument, **REFUSALS}, summary="Take in a file of fixtures"
)
def take_in_set(request: HttpRequest, body: shapes.TakeIn) -> dict[str, Any]:
    """All rows or none; the same rows again give the version that is there."""
    if body.lines is None:
        return _set(sets.take_in_shipped(body.name, by=_person(request)))
    return _set(sets.take_in(body.lines, name=body.name, by=_person(request), source="API"))


@router.get(
    "/sets/{reference}",
    auth=bearer.READ,
    response={200: shapes.SetDetail, **REFUSALS},
    summary="One set with its flags",
)
def show_set(request: HttpRequest, reference: str) -> dict[str, Any]:
    kept = sets.find(reference)
    read = sets.fixtures_of(kept)
    flags = reports.flags_of(kept)
    return {
        **_set(kept),
        "flags": flags.counts(),
        "duplicates": _pairs(read, flags.duplicates),
        "near": _pairs(read, flags.near),
        "across": _pairs(read, flags.across),
        "contradicting": _pairs(read, flags.contradicting),
        "masked": sets.masked(kept),
    }


@router.get(
    "/sets/{reference}/export", auth=bearer.READ, response={200: None, **REFUSALS}, summary="A set as JSON lines"
)
def export_set(request: HttpRequest, reference: str) -> HttpResponse:
    """Taking it in again gives a set with the same digest."""
    kept = sets.find(reference)
    answer = HttpResponse(sets.export(kept), content_type="application/x-ndjson; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="fixtures-{kept.public_id}.jsonl"'
    return answer


@router.get(
    "/sets/{reference}/history",
    auth=bearer.READ,
    response={200: shapes.History, **REFUSALS},
    summary="What its labels were",
)
def set_history(request: HttpRequest, reference: str) -> dict[str, Any]:
    return {
        "changes": [
            {
                "fixture": each.row.fixture_id,
                "by": each.by.username,
                "at": _time(each.at),
                "previous": json.loads(each.previous),
                "label": json.loads(each.label),
                "reason": each.reason,
                "set_before": each.set_before,
                "set_after": each.set_after,
            }
            for each in sets.history(sets.find(reference))
        ]
    }


@router.post(
    "/labels", auth=bearer.WRITE, response={200: shapes.SetDocument, **REFUSALS}, summary="Give a fixture another label"
)
def relabel_fixture(request: HttpRequest, body: shapes.Relabel) -> dict[str, Any]:
    kept = sets.find(body.set)
    sets.relabel(kept, body.fixture, label=body.label, reason=body.reason, by=_person(request))
    kept.refresh_from_db()
    return _set(kept)


@router.get(
    "/measurements",
    auth=bearer.READ,
    response={200: shapes.MeasurementList, **REFUSALS},
    summary="Measurements, newest first",
)
def list_measurements(request: HttpRequest, limit: Annotated[int, Query(ge=1, le=200)] = 50) -> dict[str, Any]:
    return {"measurements": [jobs.to_json(each) for each in jobs.recent(most=limit)]}


@router.post(
    "/measurements",
    auth=bearer.WRITE,
    response={200: shapes.MeasurementDocument, **REFUSALS},
    summary="Measure a judge on a set",
)
def start_measurement(request: HttpRequest, body: shapes.Measure) -> dict[str, Any]:
    """A worker asks; watch `state`, `done` and `left_s`."""
    terms = body.dict(exclude={"set"})
    return jobs.to_json(jobs.start(sets.find(body.set), by=_person(request), origin="api", **terms))


@router.post(
    "/measurements/stop",
    auth=bearer.WRITE,
    response={200: shapes.MeasurementDocument, **REFUSALS},
    summary="Stop a measurement",
)
def stop_measurement(request: HttpRequest, body: shapes.Named) -> dict[str, Any]:
    return jobs.to_json(jobs.stop(jobs.find(body.measurement), by=_person(request)))


@router.post(
    "/measurements/resume",
    auth=bearer.WRITE,
    response={200: shapes.MeasurementDocument, **REFUSALS},
    summary="Go on measuring",
)
def resume_measurement(request: HttpRequest, body: shapes.Resume) -> dict[str, Any]:
    """Nothing that has an answer is asked again."""
    found = jobs.find(body.measurement)
    return jobs.to_json(jobs.resume(found, by=_person(request), retry_failed=body.retry_failed))


@router.get(
    "/measurements/{id}",
    auth=bearer.READ,
    response={200: shapes.MeasurementDocument, **REFUSALS},
    summary="How far it is",
)
def show_measurement(request: HttpRequest, id: str) -> dict[str, Any]:
    return jobs.to_json(jobs.find(id))


@router.get(
    "/measurements/{id}/report",
    auth=bearer.READ,
    response={200: shapes.ReportsDocument, **REFUSALS},
    summary="What it supports",
)
def measurement_report(request: HttpRequest, id: str, profile: str = "") -> dict[str, Any]:
    """Under the thresholds of a saved profile, or of the judge's own where none is named.

    Its guarantees count as a look where the unsafe rows are others than before; the same rows cost nothing.
    """
    measurement = jobs.find(id)
    cuts = profiles.saved(profile).profile.thresholds if profile else None
    return reports.document(measurement, looks.looked(measurement, cuts))


@router.post(
    "/points",
    auth=bearer.WRITE,
    response={200: shapes.PointsDocument, **REFUSALS},
    summary="Decide all cases at one point",
)
def decide_at_point(request: HttpRequest, body: shapes.AtPoint) -> dict[str, Any]:
    measurement = jobs.find(body.measurement)
    own = reports.profile_of(measurement).thresholds.to_json()
    cuts = Thresholds.from_json({**own, **body.thresholds})
    found = reports.reports(measurement, cuts, prices=_prices(body.prices), draws=profiles.DRAWS)
    told = {kind: each.to_json() for kind, each in found.items()}
    return {
        "points": {kind: each["current"] for kind, each in told.items()},
        "wrong": {kind: [case.id for case in each.cases if case.now != case.label] for kind, each in found.items()},
    }


@router.get(
    "/measurements/{id}/thresholds.json",
    auth=bearer.READ,
    response={200: dict[str, Any], **REFUSALS},
    summary="For jev-eval",
)
def measurement_gates(
    request: HttpRequest, id: str, target_accuracy: Annotated[float, Query(ge=0, le=1)] = 0.95
) -> dict[str, Any]:
    return exports.thresholds_json(jobs.find(id), goal=Goal(target_accuracy=target_accuracy))


@router.post(
    "/gates",
    auth=bearer.WRITE,
    response={200: shapes.GatesDocument, **REFUSALS},
    summary="Check a thresholds.json of jev-eval",
)
def check_gates(request: HttpRequest, body: shapes.CheckGates) -> dict[str, Any]:
    return exports.checked(jobs.find(body.measurement), body.document)


@router.get(
    "/profiles", auth=bearer.READ, response={200: shapes.SavedList, **REFUSALS}, summary="Saved profiles, newest first"
)
def list_profiles(request: HttpRequest) -> dict[str, Any]:
    kept = SavedProfile.objects.select_related("by")[:200]
    return {"profiles": [profiles.to_json(each) for each in kept]}


@router.post(
    "/profiles",
    auth=bearer.WRITE,
    response={200: shapes.SavedDocument, **REFUSALS},
    summary="Save a point with its passport",
)
def save_profile(request: HttpRequest, body: shapes.SaveProfile) -> dict[str, Any]:
    """A new version of that name; where judge, wording or options differ later, it is disarmed."""
    kept = profiles.save(
        jobs.find(body.measurement),
        name=body.name,
        thresholds=body.thresholds,
        on_failure=None if body.tool_assessment is None else {"toolAssessment": body.tool_assessment},
        by=_person(request),
    )
    return profiles.to_json(kept)


@router.get(
    "/profiles/{reference}",
    auth=bearer.READ,
    response={200: shapes.SavedDocument, **REFUSALS},
    summary="One saved profile",
)
def show_profile(request: HttpRequest, reference: str) -> dict[str, Any]:
    return profiles.to_json(profiles.find(reference))


@router.get("/compare", auth=bearer.READ, response={200: shapes.Comparison, **REFUSALS}, summary="Two saved profiles")
def compare_profiles(request: HttpRequest, one: str, other: str, measurement: str = "") -> dict[str, Any]:
    """With a measurement also the cases that the two decide differently."""
    left, right = profiles.find(one), profiles.find(other)
    flips = profiles.flips(left, right, jobs.find(measurement)) if measurement else None
    return {"differences": profiles.compare(left, right), "flips": flips}


@router.post(
    "/drift", auth=bearer.WRITE, response={200: shapes.DriftDocument, **REFUSALS}, summary="Ask a sample again"
)
def start_drift(request: HttpRequest, body: shapes.CheckDrift) -> dict[str, Any]:
    kept = profiles.find(body.profile)
    return _drift(kept, drift.start(kept, by=_person(request), origin="api", sample=body.sample))


@router.get(
    "/drift/{profile}/{measurement}",
    auth=bearer.READ,
    response={200: shapes.DriftDocument, **REFUSALS},
    summary="Its verdict so far",
)
def show_drift(request: HttpRequest, profile: str, measurement: str) -> dict[str, Any]:
    """Reading keeps nothing; POST to the same address keeps the verdict with the profile."""
    return _drift(profiles.find(profile), jobs.find(measurement))


@router.post(
    "/drift/{profile}/{measurement}",
    auth=bearer.WRITE,
    response={200: shapes.DriftDocument, **REFUSALS},
    summary="Keep its verdict",
)
def keep_drift(request: HttpRequest, profile: str, measurement: str) -> dict[str, Any]:
    """Once kept it stays; a sample that is still measured is refused."""
    kept, found = profiles.find(profile), jobs.find(measurement)
    drift.conclude(kept, found, by=_person(request))
    return _drift(kept, found)


def _drift(kept: SavedProfile, measurement: Measurement) -> dict[str, Any]:
    record = drift.record(kept, measurement)
    if record is not None:
        outcome = record.document
    else:
        outcome = drift.outcome(kept, measurement).to_json() if measurement.is_final else None
    return {
        "profile": str(kept),
        "measurement": jobs.to_json(measurement),
        "outcome": outcome,
        "kept": record is not None,
    }


def _set(kept: FixtureSet) -> dict[str, Any]:
    return {
        "id": kept.public_id,
        "name": kept.name,
        "version": kept.version,
        "reference": str(kept),
        "digest": kept.digest,
        "size": kept.size,
        "kinds": sets.kinds(kept),
        "source": kept.source,
        "by": kept.by.username,
        "at": _time(kept.at),
    }


def _pairs(read: Sequence[Fixture], found: Sequence[Pair]) -> list[dict[str, Any]]:
    return [
        {"first": read[each.first].id, "second": read[each.second].id, "share": each.share}
        for each in found[:MOST_PAIRS]
    ]


def _prices(given: list[shapes.Price] | None) -> Prices | None:
    return None if given is None else {(Action(each.decision), Action(each.label)): each.cost for each in given}


def _time(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _person(request: HttpRequest) -> User:
    """Who asks; the site's middleware has put a real person there."""
    assert isinstance(request.user, User)
    return request.user
