"""A person's way to a model for Codex CLI: kept, checked, and put together when a lane begins."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import transaction

from arena.agents.codex import home, program
from arena.agents.codex.connection import Connection, Provider
from arena.agents.codex.program import Program, Unusable
from arena.codex.models import CodexAccess
from arena.errors import Invalid
from policy.engine.profile import InvalidConfig
from policy.judges.http.adapter import checked_model
from policy.judges.http.address import base_url
from policy.judges.keys import Key
from policy.people import audit, provider_keys
from policy.people.key_sources import Found, allowances, in_force
from policy.people.models import Role, User
from policy.people.services import require
from policy.people.vault import VaultClosed

PROVIDER = "codex"
"""The name that a key for it is kept under."""
NOT_HERE = "A sign-in is a file of this machine; on a site with several people Codex CLI needs a provider with a key."


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that Codex CLI needs: what it is, what was found, and in a sentence what is wrong with it."""

    name: str
    found: str
    problem: str = ""


def of(by: User) -> CodexAccess:
    """What this person set, or what holds where nothing is set: their sign-in in its usual place."""
    return CodexAccess.objects.filter(user=by).first() or CodexAccess(user=by)


def key_of(by: User) -> Found | None:
    """The person's own key; a key of the site goes to no address of a person's choice."""
    return in_force(PROVIDER, by=by, of_site=False)


def save(*, way: str, sign_in: str, address: str, model: str, key: str = "", by: User) -> CodexAccess:
    """Keep the way; an empty `key` leaves the one that is stored, unless the address has changed.

    Raises `NotAllowed`, and `Invalid` with a sentence for the first thing that cannot be.
    """
    require(Role.MEMBER, by=by)
    if way not in CodexAccess.Way.values:
        raise Invalid("Choose how Codex CLI reaches a model: by your sign-in, or through a provider of yours.")
    old = of(by)
    chosen = CodexAccess(way=way, sign_in=old.sign_in, address=old.address)
    try:
        chosen.model = checked_model(model, label="Codex CLI") if model.strip() else ""
        fresh = Key(key.strip(), source="personal") if key.strip() else None
        if way == CodexAccess.Way.PROVIDER:
            chosen.address = base_url(address, private=allowances().private_addresses).text
        else:
            chosen.sign_in = sign_in.strip()
            home.read_sign_in(_sign_in(chosen))
        _keep(chosen, fresh, moved=chosen.address != old.address, by=by)
    except (InvalidConfig, Unusable, VaultClosed) as wrong:
        raise Invalid(f"{wrong}".rstrip(".") + ".") from None
    return of(by)


def remove_key(*, by: User) -> bool:
    """Delete the person's key; false where there was none."""
    return provider_keys.remove(provider=PROVIDER, by=by)


def parts(by: User) -> tuple[Part, ...]:
    """The program, then the way to a model, each with what was found or what is wrong."""
    return (_program_part(), *_way_parts(by))


def why_not(by: User) -> str:
    """Why Codex CLI cannot work for this person, in a sentence that says what to do; empty where it can."""
    return next((part.problem for part in parts(by) if part.problem), "")


def installed() -> Program:
    """The program of this machine; raises `Unusable`."""
    return program.find(settings.CODEX_BIN)


def address(by: User) -> str:
    """Where the person's provider is; blank with a sign-in."""
    kept = of(by)
    return kept.address if kept.way == CodexAccess.Way.PROVIDER else ""


def connection(by: User, *, model: str = "", effort: str = "") -> Connection:
    """What a lane of this person is started with; `model` goes before the one of Settings. Raises `Unusable`."""
    kept = of(by)
    asked = model or kept.model
    if kept.way == CodexAccess.Way.PROVIDER:
        return Connection(asked, effort, provider=Provider(kept.address, _key(by)))
    return Connection(asked, effort, sign_in=_sign_in(kept))


def _keep(chosen: CodexAccess, fresh: Key | None, *, moved: bool, by: User) -> None:
    values = {"way": chosen.way, "sign_in": chosen.sign_in, "address": chosen.address, "model": chosen.model}
    with transaction.atomic():
        CodexAccess.objects.update_or_create(user=by, defaults=values)
        if fresh is not None:
            provider_keys.save(provider=PROVIDER, key=fresh, by=by)
        elif moved:
            # It was given for the address before.
            provider_keys.remove(provider=PROVIDER, by=by)
        audit.note("codex.set", chosen.way, by=by)


def _sign_in(kept: CodexAccess) -> Path:
    if settings.MODE != "local":
        raise Unusable(NOT_HERE)
    try:
        path = Path(kept.sign_in).expanduser()
    except RuntimeError:
        path = Path()
    if not path.is_absolute() or "\0" in kept.sign_in:
        raise Unusable("Name the whole path of the sign-in, such as ~/.codex/auth.json.")
    return path


def _key(by: User) -> str:
    found = key_of(by)
    if found is None:
        return ""
    if found.key is None:
        raise Unusable(found.problem)
    return found.key.reveal()


def _program_part() -> Part:
    try:
        found = installed()
    except Unusable as missing:
        return Part("Program", "", str(missing))
    return Part("Program", f"{found.title} at {found.path}")


def _way_parts(by: User) -> tuple[Part, ...]:
    kept = of(by)
    try:
        if kept.way == CodexAccess.Way.SIGN_IN:
            home.read_sign_in(_sign_in(kept))
            return (Part("Sign-in", kept.sign_in),)
        _key(by)
    except Unusable as wrong:
        return (Part("Sign-in" if kept.way == CodexAccess.Way.SIGN_IN else "Key", "", str(wrong)),)
    found = key_of(by)
    key = "none is sent" if found is None else f"ends in {found.ends_in}" if found.ends_in else "stored"
    return Part("Provider", kept.address), Part("Key", key)
