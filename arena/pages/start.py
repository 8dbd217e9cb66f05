"""The start page: the cases as cards, the order slip, the latest comparison; and the order itself."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from arena import forms
from arena.library import Library, library
from arena.pages import slip
from arena.pages.cards import in_order, shelf
from arena.pages.refusals import told
from arena.runs import history
from arena.runs import start as starting


@require_http_methods(["GET", "HEAD", "POST"])
@told
def start(request: HttpRequest) -> HttpResponse:
    """The page; a form that is sent starts the comparison and leads to its page."""
    books = library()
    if request.method == "POST":
        form = forms.OrderForm(request.POST, catalog_size=len(books.catalog.tools))
        if form.is_valid():
            return _begin(request, form.order())
        return _page(request, books, faults=form.sentences(), status=422)
    return _page(request, books)


def _begin(request: HttpRequest, order: forms.Order) -> HttpResponse:
    run = starting.start(
        order.case,
        by=request.user,  # type: ignore[arg-type]
        origin="page",
        arms=order.arms,
        menu_size=order.menu,
        judge=order.judge,
        agent=order.agent,
        seed=order.seed,
        pause_s=None if order.pause else 0,
    )
    return redirect("arena:run", run.public_id)


def _page(request: HttpRequest, books: Library, *, faults: list[str] | None = None, status: int = 200) -> HttpResponse:
    data = request.POST if request.method == "POST" else request.GET
    first = next((case.id for case in in_order(books.cases)), "")
    order = forms.shown(data, first_case=first, catalog_size=len(books.catalog.tools))
    context = {
        "section": "arena",
        "order": order,
        "shelf": shelf(books, kind=request.GET.get("kind", ""), search=request.GET.get("q", ""), chosen=order.case),
        "slip": slip.slip(books, order),
        "faults": faults or [],
        "latest": slip.latest(history.latest()),
    }
    return render(request, "arena/start.html", context, status=status)
