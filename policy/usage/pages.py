"""The usage pages: judges, agents, the request ledger, prices. Everything that they show is said by the address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from policy import prices
from policy.models import LedgerEntry
from policy.people.models import Role
from policy.people.services import NotAllowed
from policy.usage import agents, cells, chart, export, requests, summary
from policy.usage.filters import GROUPS, NO_MODEL, STATUSES, UNITS, Filter, Unusable, origin_word, span
from policy.usage.forms import PriceForm


@dataclass(frozen=True, slots=True)
class Option:
    key: str
    word: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter that is set, and the address without it."""

    name: str
    word: str
    without: str


@require_safe
def judges(request: HttpRequest) -> HttpResponse:
    """Six figures, one chart and one table of what judges used."""
    chosen, trouble = _chosen(request)
    known = cells.options()
    context = _frame("judges", chosen, known, trouble)
    if known:
        found = cells.cells(chosen, prices.in_force())
        told = summary.summary(chosen, found)
        context |= {"found": bool(found), "summary": told, "chart": chart.chart(chosen, found) if found else None}
    context |= {
        "head": summary.HEADS[chosen.by],
        "units": [(chosen.address(unit=key), word, key == chosen.unit) for key, word in _UNIT_WORDS],
        "groups": [(chosen.address(by=key), key, key == chosen.by) for key in GROUPS],
        "download": chosen.address(),
    }
    return render(request, "policy/usage/judges.html", context, status=422 if trouble else 200)


@require_safe
def download(request: HttpRequest) -> HttpResponse:
    """The same figures as a file of comma-separated values."""
    chosen, trouble = _chosen(request)
    if trouble:
        return HttpResponse(trouble, status=422, content_type="text/plain; charset=utf-8")
    text = "".join(export.lines(cells.cells(chosen, prices.in_force())))
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    name = f"judge-usage-{chosen.first}-to-{chosen.last}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_safe
def agent_use(request: HttpRequest) -> HttpResponse:
    """What agents used, apart from judges."""
    chosen, trouble = _chosen(request)
    lines, total = agents.lines(chosen, prices.in_force())
    context = _frame("agents", chosen, [], trouble) | {"lines": lines, "total": total}
    return render(request, "policy/usage/agents.html", context, status=422 if trouble else 200)


@require_safe
def ledger(request: HttpRequest) -> HttpResponse:
    """Every physical request, newest first."""
    chosen, trouble = _chosen(request)
    known = cells.options()
    page = requests.page(chosen, before=_number(request.GET))
    context = _frame("requests", chosen, known, trouble) | {
        "rows": page.rows,
        "older": chosen.address(before=str(page.older)) if page.older else "",
        "newest": chosen.address() if "before" in request.GET else "",
    }
    return render(request, "policy/usage/requests.html", context, status=422 if trouble else 200)


@require_safe
def one_request(request: HttpRequest, pk: int) -> HttpResponse:
    """One physical request with everything that was kept of it."""
    row = requests.one(pk)
    if row is None:
        raise Http404(pk)
    context = {"section": "usage", "tab": "requests", "row": row, "asked_by": origin_word(row.origin)}
    rows = LedgerEntry.objects.filter(call=row.call).only("pk", "attempt", "step", "status", "verdict", "after")
    return render(request, "policy/usage/request.html", context | {"rows": list(rows)})


@require_http_methods(["GET", "HEAD", "POST"])
def price_table(request: HttpRequest) -> HttpResponse:
    """The prices in force with their source and day; an operator may put rows before them."""
    form = PriceForm(request.POST or None, initial={"since": datetime.now(UTC).date(), "model": "*"})
    trouble = ""
    if request.method == "POST":
        try:
            if "remove" in request.POST:
                prices.remove(_pk(request.POST["remove"]), by=_user(request))
                return redirect("policy:prices")
            if form.is_valid():
                prices.write(form.price(), by=_user(request))
                return redirect("policy:prices")
        except NotAllowed as refused:
            trouble = str(refused)
    table = prices.in_force()
    context = {
        "section": "usage",
        "tab": "prices",
        "form": form,
        "own": table.own,
        "shipped": table.shipped,
        "operator": _user(request).role == Role.OPERATOR,
        "trouble": trouble,
    }
    status = 403 if trouble else 422 if request.method == "POST" else 200
    return render(request, "policy/usage/prices.html", context, status=status)


_UNIT_WORDS = (("tokens", "tokens"), ("calls", "calls"), ("cost", "$"))
assert [key for key, _ in _UNIT_WORDS] == list(UNITS)


def _chosen(request: HttpRequest) -> tuple[Filter, str]:
    """The filter of the address; one that means nothing is told, and the last fortnight shown."""
    today = datetime.now(UTC).date()
    try:
        return Filter.of(request.GET.dict(), today=today), ""
    except Unusable as unusable:
        return Filter.of({}, today=today), f"This address cannot be read: {unusable}"


def _frame(tab: str, chosen: Filter, known: Sequence[tuple[str, str, str]], trouble: str) -> dict[str, Any]:
    """What the pages have in common: tabs, filters, and which of them are set."""
    return {
        "section": "usage",
        "tab": tab,
        "chosen": chosen,
        "trouble": trouble,
        "any": bool(known),
        "span": span(chosen.first, chosen.last),
        "query": chosen.address(),
        "judges": _options({judge: judge for judge, _, _ in known}, chosen.judge),
        "models": _options({model or NO_MODEL: model or summary.NOT_KNOWN for _, model, _ in known}, chosen.model),
        "origins": _options({origin: origin_word(origin) for _, _, origin in known}, chosen.origin),
        "statuses": _options(STATUSES, chosen.status),
        "chips": _chips(chosen),
    }


def _options(words: Mapping[str, str], chosen: str) -> list[Option]:
    """What a filter can be set to; what is set stays in the list even where it is no longer there."""
    everything = {**words, chosen: words.get(chosen, chosen)} if chosen else words
    return [Option(key, word, key == chosen) for key, word in everything.items()]


def _chips(chosen: Filter) -> list[Chip]:
    model = summary.NOT_KNOWN if chosen.model == NO_MODEL else chosen.model
    words = {"judge": chosen.judge, "model": model, "origin": origin_word(chosen.origin) if chosen.origin else ""}
    words["status"] = STATUSES.get(chosen.status, "")
    chips = [Chip(name, word, chosen.address(**{name: ""})) for name, word in words.items() if word]
    if chosen.dated:
        chips.insert(0, Chip("time", span(chosen.first, chosen.last), chosen.address(date="")))
    return chips


def _number(query: QueryDict) -> int | None:
    text = query.get("before", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else None


def _pk(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0


def _user(request: HttpRequest) -> Any:
    return request.user
