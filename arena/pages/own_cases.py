"""Cases of one's own: the list, the form for one, and the import of one as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from arena.errors import ArenaError, Invalid
from arena.library import library
from arena.models import Arm
from arena.own_cases import services, sheet
from arena.own_cases.models import OwnCase
from arena.pages.refusals import told
from arena.servers import services as catalogs
from policy.people.models import Role, User


@require_http_methods(["GET", "HEAD", "POST"])
@told
def cases(request: HttpRequest) -> HttpResponse:
    """The list; a document that is sent becomes a case."""
    if request.method != "POST":
        return _list(request)
    text = request.POST.get("document", "")
    try:
        row = services.make(_parsed(text), by=_by(request))
    except Invalid as refusal:
        return _list(request, fault=f"Nothing was imported. {refusal.message}", document=text, status=422)
    messages.success(request, "Imported. It stands among the cases of the start page.")
    return redirect("arena:own-case", row.public_id)


@require_http_methods(["GET", "HEAD", "POST"])
@told
def new(request: HttpRequest) -> HttpResponse:
    """An empty form, and a case of what was written into it."""
    return _form(request, None)


@require_http_methods(["GET", "HEAD", "POST"])
@told
def one(request: HttpRequest, public_id: str) -> HttpResponse:
    """A case in the form; what is sent is its next version."""
    return _form(request, services.find(public_id, by=_by(request)))


@require_POST
@told
def archive(request: HttpRequest, public_id: str) -> HttpResponse:
    by = _by(request)
    row = services.find(public_id, by=by)
    services.archive(row, by=by)
    messages.success(request, f"“{row.title}” is put away. Its runs stay.")
    return redirect("arena:own-cases")


def _form(request: HttpRequest, row: OwnCase | None) -> HttpResponse:
    if request.method != "POST":
        shown = sheet.of_document(services.document(row)) if row else sheet.empty()
        return _page(request, row, shown)
    by, shown = _by(request), sheet.of_form(request.POST)
    try:
        document = sheet.document(shown, before=services.document(row) if row else None)
        if row is None:
            row = services.make(document, by=by)
        else:
            services.change(row, document, version=_version(shown), by=by)
    except sheet.Unreadable as wrong:
        return _page(request, row, shown, faults={wrong.field: wrong.sentence}, status=422)
    except services.InvalidCase as wrong:
        return _page(request, row, shown, faults={sheet.field_of(wrong.field): wrong.message}, status=422)
    except ArenaError as refusal:
        return _page(request, row, shown, faults={"": refusal.message}, status=refusal.status)
    messages.success(request, "Kept. It stands among the cases of the start page.")
    return redirect("arena:own-case", row.public_id)


def _list(request: HttpRequest, *, fault: str = "", document: str = "", status: int = 200) -> HttpResponse:
    by = _by(request)
    context = {
        "section": "catalogs",
        "area": "cases",
        "cases": [(row, services.why_not(row)) for row in services.of(by)],
        "may_change": by.role != Role.READER,
        "fault": fault,
        "document": document[:500_000],
    }
    return render(request, "arena/own/cases.html", context, status=status)


def _page(
    request: HttpRequest,
    row: OwnCase | None,
    shown: Mapping[str, Any],
    *,
    faults: Mapping[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    by = _by(request)
    faults = faults or {}
    context = {
        "section": "catalogs",
        "area": "cases",
        "row": row,
        "shown": shown,
        "faults": faults,
        "fault": faults.get("", ""),
        "why_not": services.why_not(row) if row else "",
        "kinds": sheet.KINDS,
        "endings": sheet.ENDINGS,
        "langs": sheet.LANGS,
        "check_kinds": sheet.CHECKS,
        "worlds": sorted(library().worlds),
        "catalogs": [(each, catalogs.why_not(each)) for each in catalogs.of(by)],
        "arms": [(arm.value, arm.label) for arm in Arm],
        "may_change": by.role != Role.READER,
        "whole": json.dumps(services.document(row), indent=1, ensure_ascii=False) if row else "",
    }
    return render(request, "arena/own/case.html", context, status=status)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as wrong:
        raise Invalid(f"It is no JSON: {wrong.msg} at line {wrong.lineno}, column {wrong.colno}.") from None
    except (ValueError, RecursionError):
        raise Invalid("It is nested too deep, or holds a number without end.") from None


def _version(shown: Mapping[str, Any]) -> int:
    text = str(shown.get("version", ""))
    return int(text) if text.isdecimal() and len(text) < 9 else 0


def _by(request: HttpRequest) -> User:
    by: User = request.user  # type: ignore[assignment]
    return by
