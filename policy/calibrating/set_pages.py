"""Sets of fixtures: the list with its import, a set with its cases, labels, doubles and the form that measures it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from policy.calibrating import words
from policy.calibrating.refusals import answered, back
from policy.calibration.fixtures import Fixture, Kind
from policy.calibration.measured import Reading
from policy.calibration.measuring import ORDERS
from policy.engine.bounds import clean_text, sendable
from policy.engine.skill_routing import NONE
from policy.errors import Faulty, Invalid
from policy.judges import registry
from policy.measurements import jobs, sets, whom
from policy.measurements.models import FixtureRow, FixtureSet, SavedProfile
from policy.measurements.sets import Flags
from policy.pages.refusals import person
from policy.people.models import Role
from policy.services import judges

PAGE = 50
MOST_BYTES = 32 * 1024 * 1024
MOST_COMPARED = 2_000
MOST_MODEL = 120


@dataclass(frozen=True, slots=True)
class Case:
    """One line of a set's table; `written` is its label as JSON, `whole` the case as it is stored."""

    id: str
    kind: str
    asked: str
    label: str
    written: str
    whole: str
    reason: str
    split: str
    labels: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Double:
    """Two cases that ask the same or nearly so."""

    first: str
    second: str
    share: str
    what: str


@require_safe
@answered
def start(request: HttpRequest) -> HttpResponse:
    """Every set, measurement and profile, the newest first."""
    return _start(request)


@require_POST
@answered
def take_in(request: HttpRequest) -> HttpResponse:
    """Import a file, as a whole or not at all."""
    by, name = person(request), request.POST.get("name", "").strip()
    try:
        text, source = _uploaded(request.FILES.get("file"))
        came = sets.taken(text, name=name or PurePath(source).stem, by=by, source=source)
    except Faulty as refusal:
        return _start(request, fault=refusal.what, faults=refusal.faults, name=name, status=422)
    except Invalid as refusal:
        return _start(request, fault=refusal.message, name=name, status=422)
    kept = came.set
    return back(request, _address(kept), f"{kept} is here: {kept.size:,} fixtures.{_masked(came.masked)}")


@require_POST
@answered
def take_in_shipped(request: HttpRequest, name: str) -> HttpResponse:
    """Import a set that came with the program."""
    kept = sets.take_in_shipped(name, by=person(request))
    return back(request, _address(kept), f"{kept} is here: {kept.size:,} fixtures.")


@require_safe
@answered
def one(request: HttpRequest, public_id: str) -> HttpResponse:
    """A set: its cases page by page, what is double, how it is measured."""
    return _set(request, sets.find(public_id))


@require_safe
@answered
def export(request: HttpRequest, public_id: str) -> HttpResponse:
    """The set as JSON lines."""
    kept = sets.find(public_id)
    response = HttpResponse(sets.export(kept), content_type="application/x-ndjson; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{kept.public_id}.jsonl"'
    return response


@require_POST
@answered
def relabel(request: HttpRequest, public_id: str) -> HttpResponse:
    """Give one case another label, with the reason why."""
    kept, fixture = sets.find(public_id), request.POST.get("fixture", "")
    try:
        label = json.loads(request.POST.get("label", ""))
    except (ValueError, RecursionError):
        return _set(request, kept, fault="The label is not JSON: write it as the table shows it.", status=422)
    try:
        sets.relabel(kept, fixture, label=label, reason=request.POST.get("reason", ""), by=person(request))
    except Invalid as refusal:
        return _set(request, kept, fault=refusal.message, status=422)
    messages.success(request, f"{fixture} is labelled anew; what was measured of it stays.")
    return redirect(f"{_address(kept)}?{urlencode({'find': fixture})}")


@require_POST
@answered
def measure(request: HttpRequest, public_id: str) -> HttpResponse:
    """Start measuring, and go to the page that shows how far it is."""
    kept, given = sets.find(public_id), request.POST
    try:
        measurement = jobs.start(
            kept,
            by=person(request),
            origin="page",
            judge=given.get("judge"),
            model=given.get("model", "")[:MOST_MODEL],
            kinds=given.getlist("kind") or None,
            orders=[order for order in ORDERS if order == ORDERS[0] or order in given.getlist("order")],
            repeats=_whole(given.get("repeats", "1")),
            fresh="fresh" in given,
        )
    except (Invalid, registry.UnknownJudge) as refusal:
        return _set(request, kept, fault=f"{refusal}", status=422)
    return redirect("policy:measurement", measurement.public_id)


def _start(
    request: HttpRequest, *, fault: str = "", faults: tuple[str, ...] = (), name: str = "", status: int = 200
) -> HttpResponse:
    newest = list(islice(sets.newest(), PAGE))
    here = {each.name for each in newest}
    context = {
        "section": "calibration",
        "tab": "sets",
        "sets": newest,
        "shipped": [(each, each in here) for each in sets.shipped()],
        "measurements": [(each, *words.STATES[each.state]) for each in jobs.recent(most=20)],
        "profiles": SavedProfile.objects.select_related("by")[:20],
        "fault": fault,
        "faults": faults,
        "name": name,
        "may_change": _may_change(request),
    }
    return render(request, "policy/calibration/start.html", context, status=status)


def _set(request: HttpRequest, kept: FixtureSet, *, fault: str = "", status: int = 200) -> HttpResponse:
    rows, place, find = _found(request, kept)
    number = rows.count()
    shown = [_case(each) for each in rows[place : place + PAGE]]
    compared = kept.size <= MOST_COMPARED or "doubles" in request.GET
    fixtures = sets.fixtures_of(kept) if compared else ()
    doubles, contradicting = _doubles(fixtures)
    context = {
        "section": "calibration",
        "tab": "sets",
        "set": kept,
        "kinds": [(key, words.kind(key), many) for key, many in sorted(sets.kinds(kept).items(), key=words.place)],
        "languages": _languages(fixtures),
        "masked": sets.masked(kept),
        "kind": request.GET.get("kind", ""),
        "find": find,
        "cases": shown,
        "number": number,
        "first": place + 1 if shown else 0,
        "last": place + len(shown),
        "before": max(place - PAGE, 0) if place else None,
        "after": place + PAGE if place + PAGE < number else None,
        "doubles": doubles,
        "contradicting": contradicting,
        "compared": compared,
        "history": sets.history(kept).order_by("-id")[:PAGE],
        **(chosen := _judges(request)),
        "durations": [(label, kept.size / pace) for label, pace in chosen["paces"] if pace],
        "orders": ORDERS[1:],
        "measurements": [(each, *words.STATES[each.state]) for each in kept.measurements.order_by("-id")[:10]],
        "fault": fault,
        "may_change": _may_change(request),
    }
    return render(request, "policy/calibration/set.html", context, status=status)


def _judges(request: HttpRequest) -> dict[str, Any]:
    """Every judge with what it lacks, the one set for calibration (or just sent) chosen."""
    by, given = person(request), request.POST
    kept = whom.chosen(by=by)
    return {
        "judges": [(each, judges.why_not(each.name, by=by)) for each in judges.offered()],
        "paces": [(each.label, jobs.pace(each.name)) for each in judges.offered()],
        "judge": given.get("judge", kept.judge),
        "model": given.get("model", "")[:MOST_MODEL],
    }


def _found(request: HttpRequest, kept: FixtureSet) -> tuple[QuerySet[FixtureRow], int, str]:
    rows, kind = kept.rows.all(), request.GET.get("kind", "")
    # PostgreSQL can look for no NUL, and no row holds one.
    find = clean_text(request.GET.get("find", "")).text.strip()
    if kind in tuple(Kind):
        rows = rows.filter(kind=kind)
    if find:
        # As typed, and as JSON writes it: a quote or a backslash stands escaped in the line.
        written = json.dumps(find, ensure_ascii=False)[1:-1]
        rows = rows.filter(Q(line__icontains=find) | Q(line__icontains=written))
    return rows, _whole(request.GET.get("from", "0")), find


def _case(row: FixtureRow) -> Case:
    fixture = sets.fixture_of(row.line)
    label = fixture.row["label"] if fixture.kind is Kind.GENERIC else fixture.expect
    flat = fixture.expect.items()
    return Case(
        fixture.id,
        words.kind(row.kind),
        asked(fixture),
        fixture.title,
        json.dumps(label, ensure_ascii=False),
        _whole_row(fixture),
        fixture.reason,
        fixture.split or "",
        tuple((key, _plain(value)) for key, value in flat),
    )


def asked(fixture: Fixture) -> str:
    """What a case is about, in a line of at most 160 characters."""
    row = fixture.row
    said = row.get("task") or row.get("state") or row.get("question") or ""
    text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
    tool = row.get("toolId", "")
    whole = clean_text(f"{text} · {tool}" if tool else text).text
    return whole if len(whole) <= 160 else f"{whole[:159]}…"


def told(reading: Reading) -> str:
    """The same on a report; of a skill also which one is right and which one was picked."""
    said = asked(reading.fixture)
    if reading.fixture.kind is not Kind.SKILL or "choice" not in reading.values:
        return said
    picked = reading.values["choice"]
    wanted = reading.fixture.expect.get("skill") or "none"
    return f"{said} · right {wanted}, picked {'none' if picked == NONE else picked}"


def _whole_row(fixture: Fixture) -> str:
    """The case as it is stored; escaped where UTF-8 could not hold it (half a surrogate pair in an argument)."""
    text = json.dumps(fixture.row, ensure_ascii=False, indent=1)
    return text if sendable(text) else json.dumps(fixture.row, indent=1)


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _doubles(fixtures: tuple[Fixture, ...]) -> tuple[list[Double], int]:
    flags: Flags = sets.flags(fixtures)
    across = {(each.first, each.second) for each in flags.across}
    wrong = {(each.first, each.second) for each in flags.contradicting}
    asked_twice = set(flags.duplicates)
    found = []
    for pair in (*flags.duplicates, *flags.near):
        key = pair.first, pair.second
        what = "labels contradict" if key in wrong else "across the split" if key in across else ""
        same = "the same is asked" if pair in asked_twice else "nearly the same"
        said = ", ".join(filter(None, (same, what)))
        found.append(Double(fixtures[key[0]].id, fixtures[key[1]].id, words.share(pair.share), said))
    return sorted(found, key=lambda each: "contradict" not in each.what and "across" not in each.what), len(wrong)


def _languages(fixtures: tuple[Fixture, ...]) -> list[tuple[str, int]]:
    """How many fixtures name each language, the most frequent first; empty where none does."""
    return Counter(each.lang for each in fixtures if each.lang).most_common(8)


def _uploaded(file: UploadedFile[bytes] | None) -> tuple[str, str]:
    if file is None:
        raise Invalid("No file was chosen. Choose a file of JSON lines, one fixture a line.")
    if (file.size or 0) > MOST_BYTES:
        raise Invalid(f"The file has {file.size:,} bytes; at most {MOST_BYTES:,} are taken. Split the set.")
    try:
        return file.read().decode("utf-8"), file.name or ""
    except UnicodeDecodeError as wrong:
        raise Invalid(f"Byte {wrong.start + 1} of the file is not UTF-8. Save the file as UTF-8.") from wrong


def _masked(places: int) -> str:
    if not places:
        return " No credential was found in it."
    return f" {places:,} text{'' if places == 1 else 's'} held a credential, which is masked and was not stored."


def _address(kept: FixtureSet) -> str:
    return reverse("policy:fixture-set", args=[kept.public_id])


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _may_change(request: HttpRequest) -> bool:
    return person(request).role in (Role.MEMBER, Role.OPERATOR)
