"""The page of keys and judges. A key goes in and never comes out; every form works without a script."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from policy.engine.profile import InvalidConfig
from policy.errors import Invalid
from policy.judges import registry
from policy.judges.keys import Key
from policy.judges.registry import UnknownJudge
from policy.pages.desk import desk, failed_last
from policy.pages.refusals import person, told
from policy.people import provider_keys
from policy.people.models import Purpose
from policy.people.vault import VaultClosed
from policy.services import checking, judges

ADDRESSES = ("compatible",)
ACCOUNTS = ("cloudflare",)


@require_safe
@never_cache
def keys(request: HttpRequest) -> HttpResponse:
    """Keys, judges by purpose, health, and what the operator allows."""
    return _page(request)


@require_POST
@never_cache
@sensitive_post_parameters()
@told
def save_key(request: HttpRequest, provider: str) -> HttpResponse:
    """Store a personal key in place of the one before."""
    label = _label(provider)
    try:
        key = Key(request.POST.get("key", ""), source="personal")
        judges.check_key(provider, key)
        provider_keys.save(provider=provider, key=key, by=person(request))
    except (InvalidConfig, VaultClosed) as wrong:
        return _page(request, faults={provider: f"{wrong}".rstrip(".") + "."})
    messages.success(request, f"Your key of {label} is stored. Check it now, or it is tried at the next question.")
    return _back(provider)


@require_POST
@never_cache
@told
def remove_key(request: HttpRequest, provider: str) -> HttpResponse:
    """Delete the personal key."""
    label = _label(provider)
    if provider_keys.remove(provider=provider, by=person(request)):
        messages.success(request, f"Your key of {label} is deleted.")
    else:
        messages.info(request, f"There was no key of yours for {label}; nothing was deleted.")
    return _back(provider)


@require_POST
@never_cache
@told
def connect(request: HttpRequest, provider: str) -> HttpResponse:
    """Set the base address of the compatible server, or the account of Cloudflare."""
    label = _label(provider)
    if provider not in (*ADDRESSES, *ACCOUNTS):
        raise Http404(provider)
    base = request.POST.get("base_url", "") if provider in ADDRESSES else ""
    account = request.POST.get("account", "") if provider in ACCOUNTS else ""
    try:
        judges.connect(provider=provider, base=base, account=account, by=person(request))
    except InvalidConfig as wrong:
        return _page(request, faults={f"{provider}-where": f"{wrong}."}, typed={f"{provider}-where": base or account})
    messages.success(request, f"{label} is asked where you said.")
    return _back(provider)


@require_POST
@never_cache
@told
def check(request: HttpRequest, judge: str) -> HttpResponse:
    """Ask the judge one question now."""
    try:
        row = checking.check(judge, by=person(request))
    except UnknownJudge:
        raise Http404(judge) from None
    except Invalid as refused:
        messages.info(request, str(refused))
        return _back(judge)
    if request.headers.get("HX-Request") == "true":
        return _page(request, status=200)
    if failed_last(row):
        messages.error(request, f"{judge}: {checking.meaning(row)}")
    else:
        messages.success(request, f"{judge} answers.")
    return _back(judge)


@require_POST
@never_cache
@told
def choose(request: HttpRequest) -> HttpResponse:
    """Set judge and model of every purpose."""
    typed = {name: request.POST.get(name, "")[:200] for name in _purpose_fields()}
    faults: dict[str, str] = {}
    for purpose in Purpose:
        judge, model = typed[f"{purpose}-judge"], typed[f"{purpose}-model"]
        try:
            judges.choose(purpose=purpose, judge=judge or judges.DEFAULT, model=model, by=person(request))
        except (UnknownJudge, InvalidConfig) as wrong:
            faults[purpose.value] = f"{purpose.label}: {wrong}".rstrip(".") + "."
    if faults:
        return _page(request, faults=faults, typed=typed)
    messages.success(request, "The judges are set.")
    return redirect("policy:settings")


@require_POST
@never_cache
@told
def allow(request: HttpRequest) -> HttpResponse:
    """Set what the operator allows."""
    judges.allow(
        private_addresses="private_addresses" in request.POST,
        site_keys_for_all="site_keys_for_all" in request.POST,
        by=person(request),
    )
    messages.success(request, "What is allowed is set.")
    return redirect("policy:settings")


def _page(
    request: HttpRequest,
    *,
    faults: Mapping[str, str] | None = None,
    typed: Mapping[str, str] | None = None,
    status: int | None = None,
) -> HttpResponse:
    shown = desk(person(request), faults=faults, typed=typed)
    context = {"section": "settings", "area": "keys", "desk": shown, "typed": typed or {}}
    return render(request, "policy/settings.html", context, status=status or (422 if faults else 200))


def _label(provider: str) -> str:
    found = next((info.label for info in registry.remote() if info.name == provider), None)
    if found is None:
        raise Http404(provider)
    return found[0].lower() + found[1:] if found.startswith("The ") else found


def _back(name: str) -> HttpResponse:
    anchor = f"#key-{name}" if name in judges.ADAPTERS else "#health"
    return redirect(f"{reverse('policy:settings')}{anchor}")


def _purpose_fields() -> list[str]:
    return [f"{purpose}-{part}" for purpose in Purpose for part in ("judge", "model")]
