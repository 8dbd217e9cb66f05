"""The page of API tokens: made, shown once, revoked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from policy.pages.refusals import person, told
from policy.people import tokens as kept
from policy.people import vault
from policy.people.models import ApiToken, Role, Scope, User

COOKIE = "jev_new_token"
SHOWN_WITHIN_S = 60
LIVES = (("30", "30 days"), ("90", "90 days"), ("365", "a year"), ("", "until it is revoked"))
SAYS = {
    Scope.READ: "lists of judges, cases and runs; events, exports",
    Scope.JUDGE: "judgments, which may cost",
    Scope.WRITE: "comparisons",
}


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@told
def tokens(request: HttpRequest) -> HttpResponse:
    """The list, the form, and a token that was just made."""
    if request.method == "POST":
        return _make(request)
    secret = _just_made(request)
    response = _page(request, secret=secret)
    if COOKIE in request.COOKIES:
        response.delete_cookie(COOKIE, path=reverse("policy:tokens"), samesite="Strict")
    return response


@require_POST
@never_cache
@told
def revoke(request: HttpRequest, prefix: str) -> HttpResponse:
    """End a token; programs that use it are refused from now on."""
    if kept.revoke(prefix=prefix, by=person(request)):
        messages.success(request, f"The token {prefix} is revoked.")
    else:
        messages.info(request, f"There is no living token {prefix:.16} of yours; nothing was changed.")
    return redirect("policy:tokens")


def _make(request: HttpRequest) -> HttpResponse:
    typed = {"name": request.POST.get("name", "")[:200], "days": request.POST.get("days", "90")}
    scopes, by = request.POST.getlist("scopes"), person(request)
    try:
        # Before anything is made: the way from this answer to the next page is sealed, too.
        vault.seal("", owner=_owner(by))
        made = kept.make(name=typed["name"], scopes=scopes, days=_days(typed["days"]), by=by)
    except (kept.Unusable, vault.VaultClosed) as wrong:
        return _page(request, fault=str(wrong), typed={**typed, "scopes": scopes}, status=422)
    response = redirect("policy:tokens")
    response.set_cookie(
        COOKIE,
        vault.seal(made.secret.reveal(), owner=_owner(by)),
        max_age=SHOWN_WITHIN_S,
        path=reverse("policy:tokens"),
        secure=request.is_secure(),
        httponly=True,
        samesite="Strict",
    )
    return response


def _just_made(request: HttpRequest) -> str:
    try:
        return vault.opened(request.COOKIES.get(COOKIE, ""), owner=_owner(person(request)), within_s=SHOWN_WITHIN_S)
    except (vault.NotOurs, vault.VaultClosed):
        return ""


def _page(
    request: HttpRequest,
    *,
    secret: str = "",
    fault: str = "",
    typed: Mapping[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    by = person(request)
    context = {
        "section": "settings",
        "area": "tokens",
        "tokens": [(token, _standing(token)) for token in kept.of(by)],
        "scopes": [(scope, SAYS[scope]) for scope in Scope],
        "lives": LIVES,
        "may_change": by.role != Role.READER,
        "secret": secret,
        "fault": fault,
        "typed": typed or {"name": "", "days": "90", "scopes": [Scope.READ]},
    }
    return render(request, "policy/tokens.html", context, status=status)


def _standing(token: ApiToken) -> str:
    if token.revoked_at is not None:
        return "revoked"
    return "expired" if token.expires_at is not None and token.expires_at <= timezone.now() else "valid"


def _days(text: str) -> int | None:
    if not text:
        return None
    if not text.isdecimal() or len(text) > 6:
        raise kept.Unusable(f"A token lives from 1 to {kept.MOST_DAYS:,} days, or until it is revoked.")
    return int(text)


def _owner(by: User) -> str:
    return f"{by.pk} new-token"
