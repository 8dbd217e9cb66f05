"""The models of agents: which provider with which key and address, for whom, and which model a person chose.

Keys are kept, sealed and found as those of judges are, under names of their own: a judge's key is no agent's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from policy.engine.failures import FailureCode
from policy.engine.profile import InvalidConfig
from policy.judges.http import guarded
from policy.judges.http.address import BaseUrl, base_url
from policy.judges.http.model_lists import Listed, listed
from policy.judges.keys import Key
from policy.people import audit
from policy.people.key_sources import Found, allowances, found
from policy.people.models import AgentChoice, Connection, Health, Role, User
from policy.people.services import require

CHECK_WITHIN_S = 10.0
MOST_MODEL_CHARS = 160


class UnknownProvider(LookupError):
    """A name that no provider has; the text lists the allowed ones."""


@dataclass(frozen=True, slots=True)
class House:
    """Whoever has the keys: one card of Settings. `address` is empty where a person must name one."""

    name: str
    label: str
    description: str
    address: str
    list_path: str
    headers: Callable[[str], Mapping[str, str]]
    needs_key: bool = True

    @property
    def slot(self) -> str:
        """The name under which key, address and health are kept, apart from those of judges."""
        return f"agent-{self.name}"


@dataclass(frozen=True, slots=True)
class Provider:
    """One way to speak to a house; `example` is the name of a model."""

    name: str
    house: str
    label: str
    example: str


def _bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"} if key else {}


def _anthropic(key: str) -> dict[str, str]:
    return {"X-Api-Key": key, "Anthropic-Version": "2023-06-01"}


def _google(key: str) -> dict[str, str]:
    return {"X-Goog-Api-Key": key}


HOUSES: Mapping[str, House] = {
    house.name: house
    for house in (
        House(
            "compatible",
            "OpenAI-compatible server",
            "Ollama, vLLM, LM Studio, llama.cpp: any server with OpenAI’s chat interface.",
            "",
            "/models",
            _bearer,
            needs_key=False,
        ),
        House(
            "openai",
            "OpenAI",
            "Responses API, or Chat Completions as openai-chat.",
            "https://api.openai.com/v1",
            "/models",
            _bearer,
        ),
        House("anthropic", "Anthropic", "Messages API.", "https://api.anthropic.com", "/v1/models", _anthropic),
        House(
            "google",
            "Google Gemini",
            "generateContent.",
            "https://generativelanguage.googleapis.com",
            "/v1beta/models",
            _google,
        ),
        # Its list of models is public and says nothing about a key.
        House(
            "openrouter",
            "OpenRouter",
            "Models of many vendors through one key.",
            "https://openrouter.ai/api/v1",
            "/key",
            _bearer,
        ),
    )
}
PROVIDERS: Mapping[str, Provider] = {
    provider.name: provider
    for provider in (
        Provider("openai", "openai", "OpenAI, Responses", "gpt-5-mini"),
        Provider("openai-chat", "openai", "OpenAI, Chat Completions", "gpt-5-mini"),
        Provider("anthropic", "anthropic", "Anthropic", "claude-haiku-4-5"),
        Provider("google", "google", "Google Gemini", "gemini-2.5-flash"),
        Provider("openrouter", "openrouter", "OpenRouter", "openai/gpt-5-mini"),
        Provider("compatible", "compatible", "OpenAI-compatible server", "qwen3:4b"),
    )
}


@dataclass(frozen=True, slots=True)
class ModelName:
    """A model as people write it: `openai:gpt-5-mini`."""

    provider: str
    model: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}" if self.provider else ""


@dataclass(frozen=True, slots=True)
class Ready:
    """All that is needed to speak to a model: the address, the key, and what opens a guarded client to it."""

    house: House
    address: BaseUrl
    key: Key | None
    own_address: bool

    def client(self) -> Any:
        """A guarded asynchronous client of the SDKs' own HTTP library; it belongs to the loop that it is made in."""
        return guarded.async_client(self.address)


def house(name: str) -> House:
    """Raises `UnknownProvider`."""
    if name not in HOUSES:
        raise UnknownProvider(f"There is no provider {name!r:.80}; use one of: {', '.join(HOUSES)}.")
    return HOUSES[name]


def model_name(text: str) -> ModelName:
    """Read `provider:model`; raises `InvalidConfig` with what is allowed."""
    provider, colon, model = text.strip().partition(":")
    if not colon or not model.strip():
        raise InvalidConfig("a model of an agent is written provider:model, such as openai:gpt-5-mini")
    if provider not in PROVIDERS:
        raise InvalidConfig(f"there is no provider {provider!r:.80} of models; use one of: {', '.join(PROVIDERS)}")
    model = model.strip()
    if len(model) > MOST_MODEL_CHARS or any(char <= " " or char >= "\x7f" for char in model):
        raise InvalidConfig("the name of a model has a space, a character outside ASCII, or is far too long")
    if provider == "openrouter" and "/" not in model:
        raise InvalidConfig(f"a model of openrouter is written vendor/model, such as {PROVIDERS[provider].example}")
    return ModelName(provider, model)


def chosen(*, by: User) -> ModelName:
    """The model that a person's agents take unless told otherwise; empty where none was chosen."""
    row = AgentChoice.objects.filter(user=by).first()
    return ModelName(row.provider, row.model) if row else ModelName("", "")


def choose(text: str, *, by: User) -> ModelName:
    """Set the model of a person's agents, or forget it with an empty text; raises `NotAllowed` and `InvalidConfig`."""
    require(Role.MEMBER, by=by)
    name = model_name(text) if text.strip() else ModelName("", "")
    with transaction.atomic():
        if name.provider:
            values = {"provider": name.provider, "model": name.model}
            AgentChoice.objects.update_or_create(user=by, defaults=values)
        else:
            AgentChoice.objects.filter(user=by).delete()
        audit.note("agent.model-chosen", str(name) or "none", by=by)
    return name


def connection(name: str, *, by: User) -> Connection:
    """Where this person's house is; an empty one where nothing was set."""
    slot = house(name).slot
    return Connection.objects.filter(user=by, provider=slot).first() or Connection(user=by, provider=slot)


def connect(name: str, *, base: str, by: User) -> None:
    """Set where a house is; blank is its usual address. Raises `NotAllowed` and `InvalidConfig`."""
    require(Role.MEMBER, by=by)
    slot = house(name).slot
    address = _address(base).text if base.strip() else ""
    if connection(name, by=by).base_url == address:
        return
    with transaction.atomic():
        values: dict[str, Any] = {"base_url": address, "models_listed": [], "listed_at": None}
        Connection.objects.update_or_create(user=by, provider=slot, defaults=values)
        Health.objects.filter(user=by, judge=slot).delete()
        audit.note("connection.set", f"{slot} {address or 'the usual address'}", by=by)


def keys(name: str, *, by: User) -> tuple[Found, ...]:
    """Every key that exists for this person and house; a key of the site goes to no address of a person's own."""
    return tuple(found(house(name).slot, by=by, of_site=not connection(name, by=by).base_url))


def ready(name: str, *, by: User) -> Ready:
    """Address and key of a house, ready to speak; raises `InvalidConfig`, which says what is missing."""
    of = house(name)
    own = connection(name, by=by).base_url
    text = own or of.address
    if not text:
        raise InvalidConfig(f"{of.label} has no address yet: enter its base address on Settings, under Agents")
    first = next(iter(keys(name, by=by)), None)
    if first is not None and first.problem:
        raise InvalidConfig(first.problem.rstrip("."))
    if first is None and of.needs_key:
        raise InvalidConfig(f"there is no key of {of.label} yet: enter one on Settings, under Agents")
    return Ready(of, _address(text), first.key if first else None, bool(own))


def why_not(provider: str, *, by: User) -> str:
    """Why no model of this provider can be asked now; blank when it can."""
    try:
        ready(PROVIDERS[provider].house, by=by)
    except InvalidConfig as missing:
        return f"{missing}."
    return ""


def where(provider: str, *, by: User) -> str:
    """Whom a model of this provider is asked at, as people read it; raises `KeyError` for an unknown one."""
    of = HOUSES[PROVIDERS[provider].house]
    own = connection(of.name, by=by).base_url
    return f"{of.label} at {base_url(own, private=True).host}" if own else of.label


def check(name: str, *, by: User) -> Health:
    """Ask a house for its models, once, and keep what came; raises `NotAllowed` and `UnknownProvider`.

    It costs nothing and shows whether the key is accepted and the address right.
    """
    require(Role.MEMBER, by=by)
    of = house(name)
    try:
        at = ready(name, by=by)
    except InvalidConfig as missing:
        return _stored(of, FailureCode.INVALID_CONFIG, Listed(None, message=f"{missing}."), by=by)
    secret = at.key.reveal() if at.key else ""
    came = listed(at.address, of.list_path, headers=of.headers(secret), secret=secret, timeout_s=CHECK_WITHIN_S)
    if came.accepted and came.models:
        values = {"models_listed": list(came.models), "listed_at": timezone.now()}
        Connection.objects.update_or_create(user=by, provider=of.slot, defaults=values)
    return _stored(of, None if came.accepted else _code(came), came, by=by)


def _stored(of: House, failed: FailureCode | None, came: Listed, *, by: User) -> Health:
    now = timezone.now()
    values: dict[str, Any] = {"checked_at": now}
    if failed is None:
        values |= {"answered_at": now, "latency_ms": came.latency_ms}
    else:
        said = {"failure_code": failed.value, "failure_message": came.message, "http_status": came.status}
        values |= {"failed_at": now, **said}
    audit.note("agent.checked", f"{of.slot} {failed.value if failed else 'answers'}", by=by)
    row, _ = Health.objects.update_or_create(user=by, judge=of.slot, defaults=values)
    return row


def _code(came: Listed) -> FailureCode:
    if came.status is None:
        return FailureCode.CONNECTION
    by_status = {
        401: FailureCode.AUTHENTICATION,
        402: FailureCode.PERMISSION,
        403: FailureCode.PERMISSION,
        429: FailureCode.RATE_LIMIT,
    }
    return by_status.get(came.status, FailureCode.SERVER if came.status >= 500 else FailureCode.BAD_REQUEST)


def _address(text: str) -> BaseUrl:
    return base_url(text, private=allowances().private_addresses)
