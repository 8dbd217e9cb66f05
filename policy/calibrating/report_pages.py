"""The calibration page of one kind: its frame at once, the report when it is computed, values for the sliders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from policy.calibrating import costs, sheet, slider, words
from policy.calibrating.measurement_pages import report_address
from policy.calibrating.refusals import answered, back
from policy.calibrating.set_pages import told
from policy.calibration import held
from policy.calibration.measuring import FORWARD
from policy.calibration.report import Report
from policy.engine.profile import Thresholds
from policy.errors import Invalid, Unknown
from policy.measurements import jobs, looks, profiles, reports
from policy.measurements.models import Measurement, SavedProfile
from policy.pages.refusals import person
from policy.people.models import Role


@require_safe
@answered
def frame(request: HttpRequest, public_id: str) -> HttpResponse:
    """The page without its figures: it asks for them as soon as it is there."""
    measurement, kind = jobs.find(public_id), request.GET.get("kind", "")
    context = _frame(request, measurement, kind)
    return render(request, "policy/calibration/report.html", context)


@require_safe
@answered
def found(request: HttpRequest, public_id: str) -> HttpResponse:
    """The figures, charts and tables of the report; for a browser without scripts a page of its own."""
    measurement, given = jobs.find(public_id), request.GET.dict()
    name, report, made = _report(measurement, given)
    cuts, readings = reports.profile_of(measurement).thresholds, reports.readings(measurement)
    drawn, heats = sheet.charts(report, readings, cuts), sheet.heats(report)
    decisions, rows, sums = sheet.confusion(report)
    about = {each.fixture.id: told(each) for each in readings if each.order == FORWARD and each.repeat == 0}
    nearest = sorted(report.cases, key=lambda case: case.margin)[: sheet.NEAREST]
    everything = [chart for many in drawn.values() for chart in many] + heats
    icon, tone = words.STANDINGS[report.verdict.standing]
    context = _frame(request, measurement, name) | {
        "name": name,
        "others": [(words.kind(each), report_address(measurement, each), each == name) for each in made],
        "report": report,
        "axes": (axes := sheet.axes(report, cuts)),
        "kept": sheet.kept(axes),
        "named": len(sheet.kept(axes)) < len(axes),
        "near": sheet.near(report),
        "eight": sheet.eight(reports.thresholds_of(measurement, made)),
        "tabs": [(key, word, drawn[key], sheet.NOT_MEASURED.get(key, "")) for key, word in sheet.TABS],
        "heats": heats,
        "drawn": [chart.to_json() for chart in everything],
        "standing": (icon, tone, report.verdict.standing.value),
        "missing": sheet.missing(report),
        "promises": sheet.promises(report),
        "decisions": decisions,
        "confusion": rows,
        "sums": sums,
        "nearest": [(case, about.get(case.id, "")) for case in nearest],
        "prices": costs.matrix(costs.sent(given) or held.USUAL) if report.kind == "assessment" else None,
        "by_cost": report.objective == "cost",
        "price_decisions": [each.value for each in costs.DECISIONS],
        "values_address": _with(given, report_address(measurement, name, "values")),
        "profile_name": measurement.set.name,
        "versions": _versions(measurement.set.name),
    }
    whole = "HX-Request" not in request.headers
    template = "policy/calibration/report.html" if whole else "policy/calibration/_found.html"
    return render(request, template, context)


@require_safe
@answered
def values(request: HttpRequest, public_id: str) -> HttpResponse:
    """The measured values of every case, for the sliders."""
    measurement, given = jobs.find(public_id), request.GET.dict()
    _, report, _ = _report(measurement, given)
    base = reports.profile_of(measurement).thresholds
    told = slider.data(report, reports.readings(measurement), base)
    told["proposal"] = {axis.name: axis.start for axis in sheet.axes(report, base)}
    return JsonResponse(told)


@require_POST
@answered
def save(request: HttpRequest, public_id: str) -> HttpResponse:
    """Keep the point as the next version of a profile."""
    measurement = jobs.find(public_id)
    kept = profiles.save(
        measurement,
        name=request.POST.get("name", ""),
        thresholds=_thresholds(request.POST.dict()),
        by=person(request),
    )
    address = f"{reverse('policy:calibration-profiles')}#{kept}"
    return back(request, address, f"{kept} is saved. It decides only what its passport covers.")


def _frame(request: HttpRequest, measurement: Measurement, kind: str) -> dict[str, Any]:
    kept = measurement.set
    given = {**request.GET.dict(), "kind": kind}
    first = measurement.readings.filter(order="forward", repeat=0)
    return {
        "section": "calibration",
        "tab": "sets",
        "measurement": measurement,
        "set": kept,
        "kind": words.kind(kind),
        "usable": first.exclude(values=None).count(),
        "failed": first.exclude(failure_code="").count(),
        "changed": kept.digest != measurement.set_digest,
        "found_address": f"{reverse('policy:calibration-found', args=[measurement.public_id])}?{urlencode(given)}",
        "may_change": person(request).role in (Role.MEMBER, Role.OPERATOR),
    }


def _report(measurement: Measurement, given: Mapping[str, str]) -> tuple[str, Report, dict[str, Report]]:
    """The report that an address names; `generic` is the first of somebody's own questions."""
    made = looks.looked(measurement, prices=costs.sent(given))
    kind = given.get("kind", "") or next(iter(made))
    name = kind if kind in made else next((each for each in made if each.startswith(f"{kind}:")), "")
    if not name:
        raise Unknown(f"Nothing of the kind {kind!r:.40} was measured here. Measured: {', '.join(made)}.")
    return name, made[name], made


def _thresholds(given: Mapping[str, str]) -> dict[str, float]:
    """What the sliders stand at, by the names of a profile's document."""
    sent = {name: given[f"cut-{name}"] for name in Thresholds.__dataclass_fields__ if f"cut-{name}" in given}
    try:
        return {words.camel(name): float(text) for name, text in sent.items()}
    except ValueError as wrong:
        raise Invalid("A threshold is no number; it must be one from 0 to 1.") from wrong


def _with(given: Mapping[str, str], address: str) -> str:
    more = {key: value for key, value in given.items() if key.startswith("cost-")}
    return f"{address}&{urlencode(more)}" if more else address


def _versions(name: str) -> int:
    return SavedProfile.objects.filter(name=name).count() + 1
