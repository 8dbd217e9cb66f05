"""Catalogs of one's own: the list with its two forms, and the page of one catalog."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from arena.catalogs.catalog import Category
from arena.catalogs.listed import Listed
from arena.catalogs.own import EFFECTS, Mark, Marks, filled
from arena.errors import ArenaError, Invalid
from arena.pages.refusals import told
from arena.servers import proposing, services
from arena.servers.models import OwnCatalog
from policy.people.models import Role, User
from policy.people.services import NotAllowed

SPARE_CATEGORIES = 1
_FIELDS = ("name", "command", "folder", "url")


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a catalog stands, in a word with its colour, and the sentence behind it."""

    css: str
    icon: str
    word: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Row:
    """One tool on the page: as listed, as marked, and what is proposed."""

    number: int
    tool: Listed
    mark: Mark
    schema: str
    says: str
    proposed: str
    changed: str

    @property
    def needs(self) -> str:
        return ", ".join(self.mark.prerequisites)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@told
def catalogs(request: HttpRequest) -> HttpResponse:
    """The list; a form that is sent connects a server or imports a document, and leads to its page."""
    if request.method != "POST":
        return _list(request)
    given = request.POST
    try:
        if "document" in given:
            row = services.import_document(name=given.get("name", ""), text=given["document"], by=_by(request))
        else:
            row = _connected(given, _by(request))
    except (ArenaError, NotAllowed) as refusal:
        status = refusal.status if isinstance(refusal, ArenaError) else 403
        return _list(request, fault=str(refusal), given=given, status=status)
    return redirect("arena:catalog", row.public_id)


@require_safe
@never_cache
@told
def catalog(request: HttpRequest, public_id: str) -> HttpResponse:
    return _page(request, services.find(public_id, by=_by(request)))


@require_POST
@told
def mark(request: HttpRequest, public_id: str) -> HttpResponse:
    """Keep what the person says of the tools, and approve the listing where that button was pressed."""
    by = _by(request)
    row = services.find(public_id, by=by)
    try:
        services.mark(row, _marks(row, request.POST), by=by)
        if request.POST.get("do") == "approve":
            services.approve(row, digest=request.POST.get("digest", ""), by=by)
            messages.success(request, f"{row.name} is approved: your cases may use its tools.")
        else:
            messages.success(request, "Kept. Runs see it when you approve the catalog.")
    except ArenaError as refusal:
        return _page(request, services.find(public_id, by=by), fault=refusal.message, status=refusal.status)
    return redirect("arena:catalog", row.public_id)


@require_POST
@told
def again(request: HttpRequest, public_id: str) -> HttpResponse:
    """Ask the server what it lists now."""
    by = _by(request)
    row = services.list_again(services.find(public_id, by=by), by=by)
    if not row.trouble:
        same = row.approved is None or row.approved_digest == row.listing_digest
        messages.info(request, "It lists the same tools." if same else "It lists other tools than you approved.")
    return redirect("arena:catalog", row.public_id)


@require_POST
@told
def propose(request: HttpRequest, public_id: str) -> HttpResponse:
    """Let the judge propose categories; they are filled in, and kept only when the person keeps them."""
    by = _by(request)
    row = services.find(public_id, by=by)
    try:
        proposing.propose(row, by=by)
    except Invalid as refusal:
        return _page(request, row, fault=refusal.message, status=refusal.status)
    messages.info(request, "The judge's categories are filled in. Look at them, then save or approve.")
    return redirect("arena:catalog", row.public_id)


@require_POST
@told
def archive(request: HttpRequest, public_id: str) -> HttpResponse:
    by = _by(request)
    row = services.find(public_id, by=by)
    services.archive(row, by=by)
    messages.success(request, f"{row.name} is put away, its secrets are erased.")
    return redirect("arena:catalogs")


def standing(row: OwnCatalog) -> Standing:
    """What a catalog is good for now."""
    reason = services.why_not(row)
    if not reason:
        return Standing("ok", "good", "approved", "Your cases may use its tools.")
    return Standing("ask", "warn", "not approved" if row.approved is None else "changed", reason)


def _connected(given: QueryDict, by: User) -> OwnCatalog:
    try:
        command = shlex.split(given.get("command", ""))
    except ValueError as wrong:
        raise Invalid(f"The command cannot be read: {wrong}. Close every quotation mark.") from None
    return services.connect(
        name=given.get("name", ""),
        by=by,
        command=command,
        folder=given.get("folder", "").strip(),
        url=given.get("url", "").strip(),
        secrets=_secrets(given.get("secrets", "")),
    )


def _secrets(text: str) -> dict[str, str]:
    """`NAME=value` lines; a line that is none is named by its number, never repeated."""
    found: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        name, sign, value = line.partition("=")
        if line.strip() and (not sign or not name.strip()):
            raise Invalid(f"Line {number} of the secrets is not NAME=value; mend that line.")
        if line.strip():
            found[name.strip()] = value.strip()
    return found


def _list(
    request: HttpRequest, *, fault: str = "", given: Mapping[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    by = _by(request)
    given = given or {}
    context = {
        "section": "catalogs",
        "area": "catalogs",
        "catalogs": [(row, standing(row)) for row in services.of(by)],
        "may_change": by.role != Role.READER,
        "may_command": by.role == Role.OPERATOR and settings.TOOL_COMMANDS,
        "fault": fault,
        "importing": "document" in given,
        "typed": {name: str(given.get(name, ""))[:4096] for name in _FIELDS},
        "document": str(given.get("document", ""))[:200_000],
    }
    return render(request, "arena/own/catalogs.html", context, status=status)


def _page(request: HttpRequest, row: OwnCatalog, *, fault: str = "", status: int = 200) -> HttpResponse:
    by = _by(request)
    listing = services.listing_of(row)
    marks = services.marks_of(row) or filled(row.name, listing)
    changes = services.changes(row)
    kinds = {each.name: each.kind for each in changes}
    categories = (*marks.categories, *proposing.offered(row))
    rows = [
        Row(
            number,
            tool,
            marks.tools[tool.name],
            json.dumps(tool.schema, indent=1, ensure_ascii=False),
            tool.proposal[1],
            row.proposed.get(tool.name, ""),
            kinds.get(tool.name, ""),
        )
        for number, tool in enumerate(listing)
    ]
    context = {
        "section": "catalogs",
        "area": "catalogs",
        "row": row,
        "standing": standing(row),
        "changes": changes,
        "unapproved_marks": services.marks_changed(row),
        "tools": rows,
        "categories": categories,
        "spare": range(SPARE_CATEGORIES),
        "effects": EFFECTS,
        "command": shlex.join(row.command),
        "may_change": by.role != Role.READER,
        "fault": fault,
    }
    return render(request, "arena/own/catalog.html", context, status=status)


def _marks(row: OwnCatalog, given: QueryDict) -> Marks:
    """The form of the catalog page; a tool that the form does not name keeps its mark."""
    listing = services.listing_of(row)
    marks = services.marks_of(row) or filled(row.name, listing)
    named = zip(
        given.getlist("category_id"), given.getlist("category_title"), given.getlist("category_says"), strict=False
    )
    written = tuple(Category(key.strip(), title.strip(), says.strip()) for key, title, says in named if key.strip())
    tools = dict(marks.tools)
    for number, tool in enumerate(listing):
        if given.get(f"tool-{number}") == tool.name:
            needs = tuple(part.strip() for part in given.get(f"needs-{number}", "").split(",") if part.strip())
            effect: Any = given.get(f"effect-{number}", "")
            tools[tool.name] = Mark(effect, given.get(f"category-{number}", ""), needs, f"keep-{number}" not in given)
    return Marks(tools, written or marks.categories)


def _by(request: HttpRequest) -> User:
    by: User = request.user  # type: ignore[assignment]
    return by
