"""Saved profiles: the list, two of them side by side, and whether the judge still answers as it did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from policy.calibrating import words
from policy.calibrating.refusals import answered
from policy.calibration.drift import Drift
from policy.calibration.passport import Passport
from policy.engine.profile import Profile
from policy.errors import Conflict, Unknown
from policy.measurements import drift, profiles
from policy.measurements.models import ENDED, Measurement, SavedProfile
from policy.pages.refusals import person
from policy.people.models import Role

MOST = 100
DRIFT = {
    Drift.STABLE.value: ("good", "ok"),
    Drift.DRIFTED.value: ("warn", "bad"),
    Drift.UNKNOWN.value: ("partial", "ask"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One saved version with its passport and the last check for drift."""

    kept: SavedProfile
    thresholds: tuple[tuple[str, str], ...]
    passport: Passport
    covered: tuple[tuple[str, str, str, str], ...]
    drift: tuple[str, str, str, str]
    promise: str


@require_safe
@answered
def start(request: HttpRequest) -> HttpResponse:
    """Every version, the newest first; `one` and `other` compare two."""
    kept = list(SavedProfile.objects.select_related("by", "measurement").prefetch_related("drift")[:MOST])
    context: dict[str, Any] = {
        "section": "calibration",
        "tab": "profiles",
        "lines": [_line(each) for each in kept],
        "names": [str(each) for each in kept],
        "one": request.GET.get("one", ""),
        "other": request.GET.get("other", ""),
        "before": f"{kept[1]}" if len(kept) > 1 else "",
        "may_change": person(request).role in (Role.MEMBER, Role.OPERATOR),
    }
    if context["one"] and context["other"]:
        context |= _compared(context["one"], context["other"])
    return render(request, "policy/calibration/profiles.html", context)


@require_POST
@answered
def drift_check(request: HttpRequest, pk: int) -> HttpResponse:
    """Measure a sample anew, or conclude one that has ended."""
    kept = SavedProfile.objects.filter(pk=pk).first()
    if kept is None:
        raise Unknown("There is no such saved profile.")
    if named := request.POST.get("measurement"):
        measurement = Measurement.objects.filter(public_id=named).first()
        if measurement is None or measurement.state not in ENDED:
            raise Conflict("The sample is not measured yet; wait for its end.")
        drift.conclude(kept, measurement, by=person(request))
        return redirect(f"{request.path.rpartition('/profiles/')[0]}/profiles/#{kept}")
    measurement = drift.start(kept, by=person(request), origin="page")
    return redirect(f"{request.path.rpartition('/profiles/')[0]}/measurements/{measurement.public_id}/?drift={kept.pk}")


def _line(kept: SavedProfile) -> Line:
    passport = Passport.from_json(kept.passport)
    cuts = Profile.from_json(kept.document).thresholds
    last = next(iter(kept.drift.all()), None)
    state = ("", "void", "off", "never checked")
    if last is not None:
        icon, tone = DRIFT[last.verdict]
        right, rows = last.document["fresh"]
        was, before = last.document["recorded"]
        said = f"{right} of {rows} as labelled now, {was} of {before} when it was saved"
        state = (last.verdict, icon, tone, said)
    covered = tuple(
        (
            words.kind(kind),
            f"{each.agreed} of {each.cases}",
            f"{words.percent(each.interval[0])} to {words.percent(each.interval[1])}",
            each.standing,
        )
        for kind, each in passport.kinds.items()
    )
    shown = tuple((words.threshold(name), words.share(getattr(cuts, name))) for name in cuts.__dataclass_fields__)
    return Line(kept, shown, passport, covered, state, _promise(passport))


def _promise(passport: Passport) -> str:
    """What the passport promises of unsafe calls, with the form and the look that it rests on."""
    kept = next((each.guarantee for each in passport.kinds.values() if each.guarantee), None)
    if kept is None:
        return "nothing is certified at this point"
    return f"at most {100 * kept['bound']:g} % pass, 95 % sure ({kept['form']}, look {kept['look']})"


def _compared(one: str, other: str) -> dict[str, Any]:
    left, right = profiles.find(one), profiles.find(other)
    differences = [(name, *map(_plain, pair)) for name, pair in profiles.compare(left, right).items()]
    measurement = left.measurement or right.measurement
    flips = profiles.flips(left, right, measurement) if measurement is not None else []
    lines = [(each["kind"], each["id"], each["label"], each[str(left)], each[str(right)]) for each in flips]
    return {"compared": True, "differences": differences, "flips": lines, "on": measurement}


def _plain(value: Any) -> str:
    return words.UNKNOWN if value is None else str(value)
