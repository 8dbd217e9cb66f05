"""The page of one run: the same address while it runs and once it has settled."""

from __future__ import annotations

from contextlib import suppress

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from arena.annotations import people, seen
from arena.approvals import answering
from arena.errors import Conflict, Unknown
from arena.live import story
from arena.pages.refusals import told
from arena.runs import dialogue, history
from arena.runs import start as starting
from arena.runs import stop as stopping


@require_safe
@told
def run(request: HttpRequest, public_id: str) -> HttpResponse:
    found = history.find(public_id)
    seen.note(found, by=request.user, how="page")  # type: ignore[arg-type]
    return render(request, "arena/run.html", {"section": "runs", "story": story.of(found)})


@require_safe
@told
def said(request: HttpRequest, public_id: str) -> HttpResponse:
    """What people say about a settled run: a part of its page, the reader's own words among them."""
    found = history.find(public_id)
    seen.note(found, by=request.user, how="page")  # type: ignore[arg-type]
    context = {"people": people.of(found, by=request.user), "public_id": public_id}  # type: ignore[arg-type]
    return render(request, "arena/_people.html", context)


@require_POST
@told
def stop(request: HttpRequest, public_id: str) -> HttpResponse:
    """Ask the run to stop. One that has come to its end by itself is simply shown."""
    with suppress(Conflict):
        stopping.stop(history.find(public_id), by=request.user)  # type: ignore[arg-type]
    if request.headers.get("HX-Request"):
        return HttpResponse(status=204)
    return redirect("arena:run", public_id)


@require_POST
@told
def answer(request: HttpRequest, public_id: str) -> HttpResponse:
    """Approve or deny the call that the pressed button names."""
    found = history.find(public_id)
    # A form that says both is no approval.
    approve = "deny" not in request.POST
    named, _, digest = request.POST.get("approve" if approve else "deny", "").partition(":")
    if answering.find(named).run_id != found.pk:
        raise Unknown(f"Run {found.number} did not ask about {named[:40]!r}.")
    answering.answer(named, approve=approve, digest=digest, by=request.user)  # type: ignore[arg-type]
    if request.headers.get("HX-Request"):
        return HttpResponse(status=204)
    return redirect("arena:run", public_id)


@require_POST
@told
def again(request: HttpRequest, public_id: str) -> HttpResponse:
    """Start the same comparison anew; the old run stays as it is."""
    new = starting.again(history.find(public_id), by=request.user, origin="page")  # type: ignore[arg-type]
    return redirect("arena:run", new.public_id)


@require_POST
@told
def reply(request: HttpRequest, public_id: str) -> HttpResponse:
    """Go on with the answer in a new run; the run that asked stays as it is."""
    given = request.POST.get("answer", "")
    new = dialogue.answer(history.find(public_id), given, by=request.user, origin="page")  # type: ignore[arg-type]
    return redirect("arena:run", new.public_id)


@require_POST
@told
def no_answer(request: HttpRequest, public_id: str) -> HttpResponse:
    """Settle the question without an answer."""
    dialogue.leave_open(history.find(public_id), by=request.user)  # type: ignore[arg-type]
    return redirect("arena:run", public_id)
