"""Which judge, with which key and model, for which purpose and person."""

from __future__ import annotations

import hashlib
import threading
import time
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.db import transaction

from policy.engine.failures import Failure, FailureCode, JudgeFailed
from policy.engine.judge import Judge, JudgeReply, JudgeRequest
from policy.engine.profile import InvalidConfig, Profile
from policy.judges import registry, remote
from policy.judges.attempts import WatchedJudge
from policy.judges.http.adapter import Adapter, checked_model
from policy.judges.http.address import base_url
from policy.judges.http.retries import Retries
from policy.judges.keys import Key
from policy.judges.registry import JudgeInfo, UnknownJudge
from policy.judges.settings import JudgeSettings, Recovery
from policy.people import audit
from policy.people.key_sources import allowances, in_force
from policy.people.models import Allowances, Connection, Health, JudgeChoice, Purpose, Role, User
from policy.people.services import require

DEFAULT = "local"
# A version says the same tomorrow; where a provider has only moving names, its own default.
RECOMMENDED = {"typesafe": "jev-1.13.0", "openrouter": "jev-1.13.0"}
ADAPTERS: dict[str, type[Adapter]] = {each.name: each for each in remote.ADAPTERS}
_IDLE_S = 300.0

Identity = tuple[JudgeSettings, str]


@dataclass(frozen=True, slots=True)
class Chosen:
    """A judge by name, and its model; blank is the one that is recommended."""

    judge: str = DEFAULT
    model: str = ""


class Unready:
    """Stands in for a judge that cannot be asked any more: every question is a failure, nothing is sent."""

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self._failure = Failure(FailureCode.INVALID_CONFIG, reason, unsent=True)

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        raise JudgeFailed(self._failure)


def offered() -> list[JudgeInfo]:
    """Every judge that can be asked by name, those of this machine first."""
    return [*registry.available(), *registry.remote()]


def chosen(purpose: Purpose, *, by: User) -> Chosen:
    """What the person set for the purpose; `local` where nothing is set."""
    row = JudgeChoice.objects.filter(user=by, purpose=purpose).first()
    return Chosen(row.judge, row.model) if row else Chosen()


def judge(
    name: str,
    *,
    by: User,
    purpose: Purpose = Purpose.API,
    model: str = "",
    recovery: Recovery = "none",
    retries: Retries | None = None,
) -> Judge:
    """The judge of that name as this person set it up, ready to be asked; a blank model is the one of the purpose.

    Raises `UnknownJudge`, and `InvalidConfig`, which says what is missing: a key, an address, an account.
    """
    if name not in ADAPTERS:
        if name not in {info.name for info in registry.available()}:
            raise unknown(name)
        return registry.get(name, cache_dir=settings.VECTORS_DIR)
    wanted = model or model_for(name, by=by, purpose=purpose)
    made, key = described(name, by=by, model=wanted, recovery=recovery)
    return _kept(made if retries is None else replace(made, retries=retries), key)


def model_for(name: str, *, by: User, purpose: Purpose) -> str:
    """The model that is asked of this judge: the one set for the purpose, else the recommended one."""
    choice = chosen(purpose, by=by)
    return (choice.judge == name and choice.model) or recommended(name)


def recommended(name: str) -> str:
    """The model that a judge is asked for unless somebody chose another; blank for a judge of this machine."""
    return RECOMMENDED.get(name) or (ADAPTERS[name].default_model if name in ADAPTERS else "")


def moves(name: str, model: str) -> bool:
    """Whether the name stands for another model tomorrow; what was calibrated on it no longer fits then."""
    return name in ADAPTERS and (model or recommended(name)).removeprefix("~").removeprefix("typesafe/") in (
        ADAPTERS[name].moving | Adapter.moving
    )


def profile(name: str) -> Profile:
    """The profile that a judge brings along; raises `UnknownJudge` with every allowed name."""
    if name in ADAPTERS:
        return Profile()
    if name not in {info.name for info in registry.available()}:
        raise unknown(name)
    return registry.profile(name)


def unknown(name: str) -> UnknownJudge:
    """The refusal of a name, with those that are allowed."""
    return UnknownJudge(f"There is no judge {name!r:.80}; use one of: {', '.join(info.name for info in offered())}.")


def described(name: str, *, by: User, model: str, recovery: Recovery = "none") -> tuple[JudgeSettings, Key | None]:
    """What makes this person's HTTP judge, and the key in force; raises `InvalidConfig` for a key that is no good."""
    own = connection(name, by=by)
    # A key of the site goes to the site's address; nobody leads it elsewhere.
    found = in_force(name, by=by, of_site=not own.base_url)
    if found is not None and found.problem:
        raise InvalidConfig(found.problem.rstrip("."))
    address = own.base_url or settings.JUDGE_ADDRESSES.get(name, "")
    made = JudgeSettings(
        name,
        base_url=address,
        model=model,
        account=own.account or settings.CLOUDFLARE_ACCOUNT_ID,
        key_source=f"{found.source} {found.place}".strip() if found else "",
        private=allowances().private_addresses or bool(address and not own.base_url),
        recovery=recovery,
    )
    return made, found.key if found else None


def why_not(name: str, *, by: User) -> str:
    """Why this judge cannot be asked by this person now; blank when it can."""
    if name not in ADAPTERS:
        return registry.missing(name)
    try:
        made, key = described(name, by=by, model=recommended(name))
        remote.target(made, key=key)
    except InvalidConfig as missing:
        return f"{missing}."
    return ""


def connection(provider: str, *, by: User) -> Connection:
    """Where this person's provider is; an empty one where nothing was set."""
    return Connection.objects.filter(user=by, provider=provider).first() or Connection(user=by, provider=provider)


def check_key(provider: str, key: Key) -> None:
    """Raises `InvalidConfig` for a key that plainly belongs to another provider."""
    remote.target(JudgeSettings(provider, base_url="https://localhost", account="none", model="any"), key=key)


def choose(*, purpose: Purpose, judge: str, model: str, by: User) -> None:
    """Set the judge and model of a purpose; raises `NotAllowed`, `UnknownJudge` and `InvalidConfig`."""
    require(Role.MEMBER, by=by)
    if judge not in {info.name for info in offered()}:
        raise unknown(judge)
    # The model of a judge of this machine is not for choosing.
    named = checked_model(model, label=ADAPTERS[judge].label) if model.strip() and judge in ADAPTERS else ""
    if chosen(purpose, by=by) == Chosen(judge, named):
        return
    with transaction.atomic():
        JudgeChoice.objects.update_or_create(user=by, purpose=purpose, defaults={"judge": judge, "model": named})
        audit.note("judge.chosen", f"{purpose} {judge} {named}".strip(), by=by)


def connect(*, provider: str, base: str = "", account: str = "", by: User) -> None:
    """Set where a provider is; blank is the site's own. Raises `NotAllowed` and `InvalidConfig`."""
    require(Role.MEMBER, by=by)
    address = base_url(base, private=allowances().private_addresses).text if base.strip() else ""
    if account.strip():
        remote.target(JudgeSettings(provider, account=account.strip(), model="any"), key=Key("sk-or-any"))
    old = connection(provider, by=by)
    if (old.base_url, old.account) == (address, account.strip()):
        return
    with transaction.atomic():
        values: dict[str, Any] = {
            "base_url": address,
            "account": account.strip(),
            "models_listed": [],
            "listed_at": None,
        }
        Connection.objects.update_or_create(user=by, provider=provider, defaults=values)
        Health.objects.filter(user=by, judge=provider).delete()
        audit.note("connection.set", f"{provider} {address or 'the usual address'}", by=by)


def allow(*, private_addresses: bool, site_keys_for_all: bool, by: User) -> None:
    """Set what the operator allows; raises `NotAllowed`."""
    require(Role.OPERATOR, by=by)
    values = {"private_addresses": private_addresses, "site_keys_for_all": site_keys_for_all}
    with transaction.atomic():
        Allowances.objects.update_or_create(pk=1, defaults=values)
        audit.note("allowances.set", " ".join(name for name, on in values.items() if on) or "none", by=by)


_lock = threading.Lock()
_made: dict[Identity, tuple[WatchedJudge, float]] = {}


def _kept(made: JudgeSettings, key: Key | None) -> WatchedJudge:
    """One judge for the same settings and key, so that its connections are used again."""
    identity = made, hashlib.sha256(key.reveal().encode()).hexdigest() if key else ""
    now = time.monotonic()
    with _lock:
        judge = _made[identity][0] if identity in _made else registry.make(made, key=key)
        _made[identity] = judge, now
        for each in [each for each, (_, used) in _made.items() if now - used > _IDLE_S]:
            # Somebody may be asking it: its connections are closed when the last one has let go of it.
            del _made[each]
    return judge


def close_all() -> None:
    """Close every connection to a judge; the next question opens another."""
    with _lock:
        closing = [judge for judge, _ in _made.values()]
        _made.clear()
    for each in closing:
        each.close()
