"""The start page: the cases as cards, the order slip, the latest comparison; and the order itself."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from arena import forms
from arena.library import Library
from arena.own_cases import shelf as shelves
from arena.pages import slip
from arena.pages.cards import in_order, shelf
from arena.pages.refusals import told
from arena.runs import history
from arena.runs import start as starting
from policy.engine import call_rules_text
from policy.measurements import profiles
from policy.people.models import User

SHOW = "show"
"""The name of the button that only shows a case, for browsers without scripts."""


@require_http_methods(["GET", "HEAD", "POST"])
@told
def start(request: HttpRequest) -> HttpResponse:
    """The page; a form that is sent starts the comparison and leads to its page."""
    data = request.POST if request.method == "POST" else request.GET
    books = shelves.books(by=request.user, chosen=data.get("case", ""))  # type: ignore[arg-type]
    if request.method == "POST":
        if SHOW in request.POST:
            return _look(request.POST)
        form = forms.OrderForm(request.POST, catalog_size=len(books.catalog.tools))
        if form.is_valid():
            return _begin(request, form.order())
        return _page(request, books, faults=form.faults(), status=422)
    return _page(request, books)


def _look(given: QueryDict) -> HttpResponse:
    """Without scripts a button shows the chosen case: the same slip at an address of its own."""
    kept = given.copy()
    for name in (SHOW, "csrfmiddlewaretoken"):
        kept.pop(name, None)
    return redirect(f"{reverse('arena:start')}?{kept.urlencode()}")


def _begin(request: HttpRequest, order: forms.Order) -> HttpResponse:
    run = starting.start(
        order.case,
        by=request.user,  # type: ignore[arg-type]
        origin="page",
        arms=order.arms,
        menu_size=order.menu,
        judge=order.judge,
        selector=order.selector,
        agent=order.agent,
        asked=order.asked,
        seed=order.seed,
        pause_s=None if order.pause else 0,
        stable_menu=order.stable_menu,
        find_tool=order.find_tool,
        profile=profiles.saved(order.profile) if order.profile else None,
        gate=order.gate,
        rules=call_rules_text.parse(order.rules),
    )
    return redirect("arena:run", run.public_id)


def _page(
    request: HttpRequest, books: Library, *, faults: tuple[forms.Fault, ...] = (), status: int = 200
) -> HttpResponse:
    data = request.POST if request.method == "POST" else request.GET
    by: User = request.user  # type: ignore[assignment]
    shown = forms.shown(data, first_case=_first(books), catalog_size=len(books.catalog.tools), by=by)
    order = shown.order
    context = {
        "section": "arena",
        "order": order,
        "shown": replace(shown, faults=faults or shown.faults),
        "shelf": shelf(
            books,
            kind=request.GET.get("kind", ""),
            search=request.GET.get("q", ""),
            chosen=order.case,
            whole="all" in request.GET,
        ),
        "slip": slip.slip(books, order, by=by),
        "latest": slip.latest(history.latest()),
    }
    return render(request, "arena/start.html", context, status=status)


def _first(books: Library) -> str:
    """The case on the slip of somebody who has not chosen one; empty where there is none."""
    ids = [case.id for case in in_order(books.cases)]
    return forms.DEFAULT_CASE if forms.DEFAULT_CASE in ids else next(iter(ids), "")
