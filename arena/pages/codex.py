"""Settings of Codex CLI: what is there, what is missing, and the person's way to a model."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from arena.agents.codex.program import INSTALL, OLDEST
from arena.codex import access
from arena.codex.models import CodexAccess
from arena.errors import Invalid
from arena.pages.refusals import told
from policy.pages.refusals import person
from policy.people.models import Role

FIELDS = ("way", "sign_in", "address", "model")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_post_parameters()
@told
def codex(request: HttpRequest) -> HttpResponse:
    """Shown; with POST kept. A key goes in and never comes out."""
    if request.method != "POST":
        return _page(request)
    typed = {name: request.POST.get(name, "")[:2048] for name in FIELDS}
    try:
        access.save(**typed, key=request.POST.get("key", ""), by=person(request))
    except Invalid as wrong:
        return _page(request, typed=typed, fault=wrong.message)
    messages.success(request, "Codex CLI reaches its model as you said.")
    return redirect("arena:codex")


@require_POST
@never_cache
@told
def remove_key(request: HttpRequest) -> HttpResponse:
    """Delete the person's key."""
    if access.remove_key(by=person(request)):
        messages.success(request, "Your key for Codex CLI is deleted.")
    else:
        messages.info(request, "There was no key of yours for Codex CLI; nothing was deleted.")
    return redirect("arena:codex")


def _page(request: HttpRequest, *, typed: dict[str, str] | None = None, fault: str = "") -> HttpResponse:
    by = person(request)
    kept = access.of(by)
    parts = access.parts(by)
    context = {
        "section": "settings",
        "area": "codex",
        "parts": parts,
        "ready": not any(part.problem for part in parts),
        "shown": typed or {name: getattr(kept, name) for name in FIELDS},
        "ways": CodexAccess.Way.choices,
        "key": access.key_of(by),
        "fault": fault,
        "address_form": "https://host/v1",
        "install": INSTALL,
        "oldest": ".".join(map(str, OLDEST)),
        "may_change": by.role != Role.READER,
    }
    return render(request, "arena/codex.html", context, status=422 if fault else 200)
