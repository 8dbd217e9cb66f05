"""The history of runs: filtered, searched and sorted by the server, its whole state in the address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_safe

from arena.agents import registry as agents
from arena.errors import ArenaError, Invalid
from arena.library import library
from arena.listing import pages
from arena.listing.models import RunTag
from arena.listing.wanted import ANNOTATED, ARCHIVED, SORTS, Wanted
from arena.models import Arm, RunState
from arena.own_cases import services as own_cases
from arena.pages import run_rows
from arena.pages.refusals import told
from arena.runs import history
from policy.people.models import User
from policy.services import judges

PAGE = 50
_WORDS = {
    "annotated": {"none": "not yet", "some": "by somebody", "full": "by all raters"},
    "archived": {"with": "shown, too", "only": "only these"},
    "sort": {"newest": "newest first", "oldest": "oldest first", "case": "by case"},
}
_LABELS = {"q": "Search", "since": "From", "until": "Until", "archived": "Put away"}


@dataclass(frozen=True, slots=True)
class Option:
    key: str
    word: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Field:
    """One list of the filter; `folded` ones stand behind "More filters"."""

    name: str
    label: str
    options: tuple[Option, ...]
    folded: bool


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter that is set, with the address of the list without it."""

    label: str
    value: str
    without: str


@require_safe
@told
def runs(request: HttpRequest) -> HttpResponse:
    wanted = Wanted.read(request.GET.dict())
    before, after = _mark(request.GET, "before"), _mark(request.GET, "after")
    page = pages.page(wanted, before=before, after=after, limit=PAGE)
    version = run_rows.version(page.runs)
    asked_again = "have" in request.GET
    if asked_again and request.GET["have"] == version:
        return HttpResponse(status=204)
    place = f"&before={before}" if before is not None else f"&after={after}" if after is not None else ""
    context = {
        "rows": run_rows.of(page.runs),
        "again": wanted.query() + place,
        "version": version,
        "wanted": wanted,
        "query": wanted.query(),
        "older": page.before,
        "newer": page.after,
    }
    if asked_again:
        return render(request, "arena/_runs_list.html", context)
    cases = history.counts_by_case()
    context |= {"section": "runs", "unfolded": bool(wanted.filters.keys() - {"q", "state", "case"})}
    fields = _fields(wanted, _titles(cases, request.user))  # type: ignore[arg-type]
    more = {"fields": fields, "chips": _chips(wanted, fields), "total": sum(cases.values())}
    return render(request, "arena/runs.html", context | more)


def _fields(wanted: Wanted, titles: Mapping[str, str]) -> list[Field]:
    """Every list with what can be chosen; one that would offer nothing is left out."""
    tags = RunTag.objects.order_by("tag").values_list("tag", flat=True).distinct()[:200]
    lists = {
        "state": {each.value: str(each.label) for each in RunState},
        "case": dict(sorted(titles.items(), key=lambda pair: pair[1])),
        "arm": {each.value: str(each.label) for each in Arm},
        "agent": {name: name for name in agents.names()},
        "judge": {info.name: info.name for info in judges.offered()},
        "tag": {tag: tag for tag in tags},
        **{name: {key: _WORDS[name][key] for key in keys} for name, keys in _OURS.items()},
    }
    plain = {"state", "case", "sort"}
    return [
        Field(name, _label(name), _options(words, getattr(wanted, name)), name not in plain)
        for name, words in lists.items()
        if words or getattr(wanted, name)
    ]


_OURS = {"annotated": ANNOTATED, "archived": ARCHIVED, "sort": SORTS}


def _options(words: Mapping[str, str], chosen: str) -> tuple[Option, ...]:
    """A value of the address that is no longer offered stays visible as it is."""
    known = words if not chosen or chosen in words else {**words, chosen: chosen}
    return tuple(Option(key, word, key == chosen) for key, word in known.items())


def _chips(wanted: Wanted, fields: list[Field]) -> list[Chip]:
    words = {(field.name, option.key): option.word for field in fields for option in field.options}
    return [
        Chip(_label(name), words.get((name, value), value), wanted.query(**{name: ""}))
        for name, value in wanted.filters.items()
    ]


def _label(name: str) -> str:
    return _LABELS.get(name, name.capitalize())


def _titles(counts: Mapping[str, int], by: User) -> dict[str, str]:
    """Titles of the cases that have runs; ids while the fixtures cannot be read, since old runs must stay readable."""
    try:
        titles = {case.id: case.title for case in library().cases}
    except ArenaError:
        titles = {}
    titles |= own_cases.titles(by=by)
    return {key: titles.get(key, key) for key in counts}


def _mark(data: QueryDict, name: str) -> int | None:
    given = data.get(name, "")
    if given and not (given.isascii() and given.isdigit() and len(given) < 19):
        raise Invalid(f"The page mark {given[:20]!r} is no number. Open the list of runs without it.")
    return int(given) if given else None
