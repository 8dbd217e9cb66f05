"""The page of the agents' models: whose key, which address, which model. A key goes in and never comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from policy.engine.failures import FailureCode
from policy.engine.profile import InvalidConfig
from policy.judges.keys import Key
from policy.pages.desk import MOST_MODELS, Mark, closed, failed_last, word
from policy.pages.refusals import person, told
from policy.people import provider_keys
from policy.people.key_sources import Found, allowances
from policy.people.models import Connection, Health, Role, User
from policy.people.vault import VaultClosed
from policy.services import agents as models
from policy.services.agents import House
from policy.services.health import of


@dataclass(frozen=True, slots=True)
class Card:
    """One house: which key is in force, where it is, how its last check went."""

    house: House
    mark: Mark
    key: Found | None
    connection: Connection
    health: Health | None
    failed: bool
    key_fault: str = ""
    where_fault: str = ""
    typed: str = ""

    @property
    def has_personal_key(self) -> bool:
        return self.key is not None and self.key.source == "personal"

    @property
    def where(self) -> str:
        """The address that the form shows: what was typed and refused, else what is set."""
        return self.typed or self.connection.base_url

    @property
    def models(self) -> str:
        """The first models that were listed, and how many there are; blank where none were."""
        listed = [str(each) for each in self.connection.models_listed]
        more = f" and {len(listed) - MOST_MODELS} more" if len(listed) > MOST_MODELS else ""
        return ", ".join(listed[:MOST_MODELS]) + more


@require_safe
@never_cache
def agents(request: HttpRequest) -> HttpResponse:
    """Keys and addresses of the providers of models, and the model of a person's agents."""
    return _page(request)


@require_POST
@never_cache
@sensitive_post_parameters()
@told
def save_key(request: HttpRequest, house: str) -> HttpResponse:
    """Store a personal key in place of the one before."""
    at = _house(house)
    try:
        key = Key(request.POST.get("key", ""), source="personal")
        provider_keys.save(provider=at.slot, key=key, by=person(request))
    except (InvalidConfig, VaultClosed) as wrong:
        return _page(request, faults={f"{at.name}-key": f"{wrong}".rstrip(".") + "."})
    messages.success(request, f"Your key of {at.label} is stored. Check it now, or it is tried in the next run.")
    return _back(at)


@require_POST
@never_cache
@told
def remove_key(request: HttpRequest, house: str) -> HttpResponse:
    """Delete the personal key."""
    at = _house(house)
    if provider_keys.remove(provider=at.slot, by=person(request)):
        messages.success(request, f"Your key of {at.label} is deleted.")
    else:
        messages.info(request, f"There was no key of yours for {at.label}; nothing was deleted.")
    return _back(at)


@require_POST
@never_cache
@told
def connect(request: HttpRequest, house: str) -> HttpResponse:
    """Set the base address; blank is the usual one."""
    at = _house(house)
    base = request.POST.get("base_url", "")
    try:
        models.connect(at.name, base=base, by=person(request))
    except InvalidConfig as wrong:
        return _page(request, faults={f"{at.name}-where": f"{wrong}."}, typed={at.name: base[:2048]})
    messages.success(request, f"{at.label} is asked where you said.")
    return _back(at)


@require_POST
@never_cache
@told
def check(request: HttpRequest, house: str) -> HttpResponse:
    """Ask the house for its models now."""
    at = _house(house)
    row = models.check(at.name, by=person(request))
    if failed_last(row):
        messages.error(request, f"{at.label}: {row.failure_message or word(FailureCode(row.failure_code))}")
    else:
        messages.success(request, f"{at.label} answers and accepts the key.")
    return _back(at)


@require_POST
@never_cache
@told
def choose(request: HttpRequest) -> HttpResponse:
    """Set the model of a person's agents."""
    text = request.POST.get("model", "")[:200]
    try:
        name = models.choose(text, by=person(request))
    except InvalidConfig as wrong:
        said = f"{wrong}"
        return _page(request, faults={"model": f"{said[0].upper()}{said[1:]}."}, typed={"model": text})
    messages.success(request, f"Your agents take {name}." if name.provider else "Your agents have no model of yours.")
    return redirect("policy:agents")


def _page(
    request: HttpRequest, *, faults: Mapping[str, str] | None = None, typed: Mapping[str, str] | None = None
) -> HttpResponse:
    by, wrong, given = person(request), faults or {}, typed or {}
    known = of(by)
    cards = [_card(house, by, known.get(house.slot), wrong, given) for house in models.HOUSES.values()]
    suggestions = [
        f"{provider.name}:{model}"
        for provider in models.PROVIDERS.values()
        for model in models.connection(provider.house, by=by).models_listed
    ]
    context = {
        "section": "settings",
        "area": "agents",
        "cards": cards,
        "providers": models.PROVIDERS.values(),
        "model": given.get("model", str(models.chosen(by=by))),
        "model_fault": wrong.get("model", ""),
        "suggestions": suggestions[:500],
        "may_change": by.role != Role.READER,
        "private": allowances().private_addresses,
        "closed": closed(),
    }
    return render(request, "policy/agents.html", context, status=422 if wrong else 200)


def _card(house: House, by: User, row: Health | None, wrong: Mapping[str, str], typed: Mapping[str, str]) -> Card:
    keys = models.keys(house.name, by=by)
    return Card(
        house=house,
        mark=_mark(house, by, row, keys),
        key=keys[0] if keys else None,
        connection=models.connection(house.name, by=by),
        health=row,
        failed=failed_last(row),
        key_fault=wrong.get(f"{house.name}-key", ""),
        where_fault=wrong.get(f"{house.name}-where", ""),
        typed=typed.get(house.name, ""),
    )


def _mark(house: House, by: User, row: Health | None, keys: tuple[Found, ...]) -> Mark:
    if keys and keys[0].problem:
        return Mark("bad", "bad", "key unusable")
    try:
        models.ready(house.name, by=by)
    except InvalidConfig:
        return Mark("off", "key", "no key") if house.needs_key and not keys else Mark("off", "void", "not set up")
    if row is None or (row.failed_at is None and row.answered_at is None):
        return Mark("off", "void", "not checked")
    if failed_last(row):
        code = FailureCode(row.failure_code)
        return Mark("ask", "warn", "limited") if code is FailureCode.RATE_LIMIT else Mark("bad", "bad", word(code))
    return Mark("ok", "good", "works")


def _house(name: str) -> House:
    try:
        return models.house(name)
    except models.UnknownProvider:
        raise Http404(name) from None


def _back(house: House) -> HttpResponse:
    return redirect(f"{reverse('policy:agents')}#agent-{house.name}")
