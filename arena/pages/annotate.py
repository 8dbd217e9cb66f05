"""Pages of annotations: the queue, the blind form, and what people said."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.annotations import agreement, places, saying, sides
from arena.annotations import queue as waiting
from arena.annotations.models import Assignment, Verdict
from arena.annotations.queue import Order
from arena.annotations.saying import Said
from arena.errors import ArenaError, Conflict, Invalid, among
from arena.live import rows
from arena.models import Run
from arena.pages.refusals import told
from arena.runs import history
from policy.people.models import Role, User
from policy.people.services import require

# One row of the keyboard a side, so that a hand stays where it is.
KEYS = ("qwer", "asdf", "zxcv", "tyui")
SAYS = {
    Order.UNCERTAIN: "where raters differ or could not tell, then where the check tells the lanes apart",
    Order.DISAGREEING: "where a rater and the check disagree",
    Order.AUDIT: "a random tenth, to audit the check",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One verdict that can be chosen for a side."""

    value: str
    label: str
    key: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class ShownSide:
    """A side with its fields; `number` is its place on the page and all that the form names it by."""

    number: int
    side: sides.Side
    choices: tuple[Choice, ...]
    note: str


@require_safe
@told
def queue(request: HttpRequest) -> HttpResponse:
    """What waits for this person, how far everybody is, and how well people and check agree."""
    person: User = request.user  # type: ignore[assignment]
    orders = [(order, SAYS[order], sum(1 for _ in waiting.upcoming(order, by=person))) for order in Order]
    recent = Assignment.objects.filter(submitted_at__isnull=False).select_related("run", "rater")
    context = {
        "section": "runs",
        "orders": orders,
        "progress": waiting.progress(),
        "agreement": agreement.of_site(),
        "raters": settings.RATERS_PER_RUN,
        "recent": recent.prefetch_related("annotations__lane").order_by("-submitted_at", "-pk")[:20],
    }
    return render(request, "arena/annotations.html", context)


@require_safe
@told
def upcoming(request: HttpRequest) -> HttpResponse:
    """To the next run of the queue, or back to the queue with a word where nothing is left."""
    person: User = request.user  # type: ignore[assignment]
    require(Role.MEMBER, by=person)
    found = next(waiting.upcoming(_order(request.GET), by=person), None)
    if found is None:
        return redirect("arena:annotations")
    return redirect(_address(found, _order(request.GET)))


@require_http_methods(["GET", "HEAD", "POST"])
@told
def blind(request: HttpRequest, public_id: str) -> HttpResponse:
    """The form of a blind annotation, and its submission."""
    person: User = request.user  # type: ignore[assignment]
    require(Role.MEMBER, by=person)
    run = history.find(public_id)
    place = places.take(run, by=person)
    if place.submitted_at:
        return redirect(f"{reverse('arena:run', args=[public_id])}#annotations")
    shown = sides.of(run, rater_id=person.pk)
    fault = ""
    if request.method == "POST":
        try:
            _submit(run, shown, request.POST, by=person)
        except Conflict:
            raise
        except ArenaError as wrong:
            fault = wrong.message
        else:
            order = request.POST.get("order", "")
            if "next" in request.POST:
                return redirect(f"{reverse('arena:annotate-next')}?order={order if order in set(Order) else ''}")
            return redirect(f"{reverse('arena:run', args=[public_id])}#annotations")
    snapshots, _ = rows.of(run)
    context = {
        "section": "runs",
        "public_id": public_id,
        "task": snapshots.case.task,
        "restrictions": snapshots.case.restrictions,
        "sides": [_shown(n, side, request.POST) for n, side in enumerate(shown, start=1)],
        "next_experiment": request.POST.get("next_experiment", ""),
        "tags": request.POST.get("tags", ""),
        "order": request.POST.get("order") or request.GET.get("order", ""),
        "fault": fault,
        "limit": saying.MAX_NOTE,
    }
    return render(request, "arena/annotate.html", context, status=422 if fault else 200)


@require_POST
@told
def change(request: HttpRequest, number: int) -> HttpResponse:
    """Say something else about a lane; what was said before is kept."""
    found = saying.find(number)
    said = Said(request.POST.get("verdict", ""), request.POST.get("note", ""))
    saying.change(found, said, by=request.user, reason=request.POST.get("reason", ""))  # type: ignore[arg-type]
    return redirect(f"{reverse('arena:run', args=[found.assignment.run.public_id])}#annotations")


def _submit(run: Run, shown: tuple[sides.Side, ...], data: QueryDict, *, by: User) -> None:
    said = {
        side.lane.public_id: Said(data.get(f"verdict-{n}", ""), data.get(f"note-{n}", ""))
        for n, side in enumerate(shown, start=1)
    }
    if empty := [n for n, each in enumerate(said.values(), start=1) if not each.verdict]:
        raise Invalid(f"Side {empty[0]} has no verdict yet; choose one for every side.")
    tags = data.get("tags", "").split(",")
    saying.submit(run, said, by=by, next_experiment=data.get("next_experiment", ""), tags=tags)


def _shown(number: int, side: sides.Side, data: QueryDict) -> ShownSide:
    chosen = data.get(f"verdict-{number}", "")
    keys = KEYS[(number - 1) % len(KEYS)]
    choices = tuple(
        Choice(verdict.value, str(verdict.label), key, verdict.value == chosen)
        for verdict, key in zip(Verdict, keys, strict=True)
    )
    return ShownSide(number, side, choices, data.get(f"note-{number}", ""))


def _order(data: QueryDict) -> Order:
    given = data.get("order") or Order.UNCERTAIN.value
    if given not in set(Order):
        raise Invalid(among("order", given[:40], [each.value for each in Order]))
    return Order(given)


def _address(run: Run, order: Order) -> str:
    return f"{reverse('arena:annotate', args=[run.public_id])}?order={order.value}"
