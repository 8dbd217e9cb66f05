"""What is done with the runs that were ticked on the list."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from arena.annotations import seen
from arena.errors import Invalid, among
from arena.exchange import many
from arena.listing import marking
from arena.listing.wanted import Wanted
from arena.pages.refusals import told
from policy.people.models import User

_DEEDS = ("archive", "delete", "export", "restore", "tag", "untag")


@require_POST
@told
def marked(request: HttpRequest) -> HttpResponseBase:
    """Carry out one deed on every ticked run, or none; then back to the list as it was."""
    deed, ids = request.POST.get("do", ""), request.POST.getlist("run")
    person: User = request.user  # type: ignore[assignment]
    if deed not in _DEEDS:
        raise Invalid(among("deed", deed[:40], list(_DEEDS)))
    if deed == "export":
        return _export(ids, by=person)
    if deed == "delete" and "sure" not in request.POST:
        return _ask(request, ids)
    _do(deed, ids, request.POST.get("tag", ""), by=person)
    return redirect(f"{reverse('arena:runs')}?{_back(request)}")


def _do(deed: str, ids: Sequence[str], tag: str, *, by: User) -> None:
    if deed == "tag":
        marking.tag(ids, tag, by=by)
    elif deed == "untag":
        marking.untag(ids, tag, by=by)
    elif deed == "archive":
        marking.archive(ids, by=by)
    elif deed == "restore":
        marking.restore(ids, by=by)
    else:
        marking.delete(ids, by=by)


def _ask(request: HttpRequest, ids: Sequence[str]) -> HttpResponse:
    """A deletion is asked about first, with all that would go."""
    rows = marking.chosen(ids).order_by("-pk")
    context = {
        "section": "runs",
        "ids": [run.public_id for run in rows],
        "numbers": [run.number for run in rows],
        "going": marking.going(ids),
        "back": _back(request),
    }
    return render(request, "arena/runs_delete.html", context)


def _export(ids: Sequence[str], *, by: User) -> StreamingHttpResponse:
    rows = marking.chosen(ids).order_by("pk")
    for run in rows:
        seen.note(run, by=by, how="page")
    response = StreamingHttpResponse(many.stream(rows), content_type="application/json")
    response["Content-Disposition"] = 'attachment; filename="jev-arena-runs.json"'
    return response


def _back(request: HttpRequest) -> str:
    """The list's own state, read and written again, so that no foreign address comes in with it."""
    return Wanted.read(QueryDict(request.POST.get("back", "")).dict()).query()
