"""One measurement: how far it is, what failed, and where its reports are."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from policy.calibrating import words
from policy.calibrating.refusals import answered
from policy.calibration.verdicts import REFUSED_BELOW
from policy.measurements import jobs
from policy.measurements.models import Measurement, SavedProfile
from policy.pages.refusals import person

MOST_FAILED = 20


@require_safe
@never_cache
@answered
def one(request: HttpRequest, public_id: str) -> HttpResponse:
    """The page; while it measures, its middle asks for itself every second."""
    return render(request, "policy/calibration/measurement.html", _context(request, jobs.find(public_id)))


@require_safe
@never_cache
@answered
def progress(request: HttpRequest, public_id: str) -> HttpResponse:
    """The middle of the page as it is now."""
    return render(request, "policy/calibration/_progress.html", _context(request, jobs.find(public_id)))


@require_POST
@answered
def stop(request: HttpRequest, public_id: str) -> HttpResponse:
    """Ask the worker to stop."""
    jobs.stop(jobs.find(public_id), by=person(request))
    return redirect("policy:measurement", public_id)


@require_POST
@answered
def resume(request: HttpRequest, public_id: str) -> HttpResponse:
    """Go on where it ended."""
    jobs.resume(jobs.find(public_id), by=person(request), retry_failed="failed" in request.POST)
    return redirect("policy:measurement", public_id)


def report_address(measurement: Measurement, kind: str, page: str = "report") -> str:
    """Where the report on one kind is read."""
    return f"{reverse(f'policy:calibration-{page}', args=[measurement.public_id])}?{urlencode({'kind': kind})}"


def _context(request: HttpRequest, measurement: Measurement) -> dict[str, Any]:
    told = jobs.progress(measurement)
    icon, tone = words.STATES[measurement.state]
    readings = measurement.readings
    usable = dict(
        readings.exclude(values=None).order_by().values_list("row__kind").annotate(many=Count("row", distinct=True))
    )
    return {
        "section": "calibration",
        "tab": "sets",
        "measurement": measurement,
        "progress": told,
        "percent": round(100 * told.share),
        "rate": words.UNKNOWN if told.rate is None else f"{told.rate:.1f} a second",
        "left": words.duration(told.left_s),
        "icon": icon,
        "tone": tone,
        "stopping": measurement.stop_requested_at is not None and not measurement.is_final,
        "kinds": [
            (words.kind(kind), usable.get(kind, 0), report_address(measurement, kind))
            for kind in words.KINDS
            if kind in measurement.kinds
        ],
        "needed": REFUSED_BELOW,
        "logged": measurement.is_final and not (measurement.requests or measurement.reused or told.failed),
        "failed": readings.exclude(failure_code="").select_related("row")[:MOST_FAILED],
        "of_drift": _checked(request.GET.get("drift", "")),
        "open": measurement.is_final and measurement.done < measurement.total,
    }


def _checked(number: str) -> SavedProfile | None:
    """The profile that this measurement is a check of, by the number in the address."""
    known = number.isascii() and number.isdigit() and len(number) < 10
    return SavedProfile.objects.filter(pk=number).first() if known else None
