"""What the page of keys and judges shows: every figure of it from rows, files and the environment, no secret."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings

from policy.engine.failures import FailureCode
from policy.judges import registry
from policy.pages.model_card import ModelCard, model_card
from policy.people import vault
from policy.people.key_sources import Found, allowances, found
from policy.people.models import Allowances, Connection, Health, Purpose, Role, User
from policy.services import checking, judges
from policy.services.health import SLOW_MS, of

# Words for the last failure; whatever is not here is "fails".
_WORDS = {
    FailureCode.AUTHENTICATION: "refused",
    FailureCode.PERMISSION: "refused",
    FailureCode.RATE_LIMIT: "limited",
    FailureCode.CONNECTION: "offline",
    FailureCode.TIMEOUT: "no answer",
    FailureCode.INVALID_CONFIG: "not set up",
}
MOST_MODELS = 8
# It says what a script wrote down: nothing to connect and nothing to choose for work.
_NOT_FOR_WORK = frozenset({"scripted"})


@dataclass(frozen=True, slots=True)
class Mark:
    """A state as it is shown: icon, word, colour."""

    tone: str
    icon: str
    word: str


@dataclass(frozen=True, slots=True)
class Card:
    """One provider: which key is in force, what else there is, where it is, how its last check went."""

    name: str
    label: str
    description: str
    model: str
    mark: Mark
    key: Found | None
    others: tuple[Found, ...]
    needs_key: bool
    connection: Connection
    site_place: str
    health: Health | None
    meaning: str
    fault: str = ""

    @property
    def where(self) -> str:
        """What must be known of the place besides a key; blank where nothing has to be."""
        return {"compatible": "address", "cloudflare": "account"}.get(self.name, "")

    @property
    def address_form(self) -> str:
        return "https://host/path"

    @property
    def own_place(self) -> str:
        return self.connection.account if self.name == "cloudflare" else self.connection.base_url

    @property
    def models(self) -> str:
        """The first models that the provider listed, and how many there are."""
        listed = [str(each) for each in self.connection.models_listed]
        more = f" and {len(listed) - MOST_MODELS} more" if len(listed) > MOST_MODELS else ""
        return (", ".join(listed[:MOST_MODELS]) + more) or "none listed"

    @property
    def has_personal_key(self) -> bool:
        return self.key is not None and self.key.source == "personal"


@dataclass(frozen=True, slots=True)
class Row:
    """One purpose: the judge and model that are set for it, and whether the model stays what it is."""

    purpose: Purpose
    judge: str
    model: str
    asked_of: str
    asked: str
    moves: bool
    trouble: str
    remote: bool
    suggestions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One judge of the health panel."""

    name: str
    mark: Mark
    health: Health | None
    meaning: str
    in_workers: bool = False
    """Whether only a worker can ask it: there is nothing to check from a page."""


@dataclass(frozen=True, slots=True)
class Desk:
    cards: tuple[Card, ...]
    rows: tuple[Row, ...]
    lines: tuple[Line, ...]
    judges: tuple[str, ...]
    model: ModelCard
    allowed: Allowances
    may_change: bool
    may_allow: bool
    closed: str
    faults: Mapping[str, str] = field(default_factory=dict)


def desk(by: User, *, faults: Mapping[str, str] | None = None, typed: Mapping[str, str] | None = None) -> Desk:
    """The page for this person; `faults` by form, `typed` is what a refused form held (never a key)."""
    known, wrong = of(by), faults or {}
    cards = tuple(_card(info.name, by, known.get(info.name), wrong) for info in registry.remote())
    names = tuple(info.name for info in judges.offered() if info.name not in _NOT_FOR_WORK)
    return Desk(
        cards=cards,
        rows=tuple(_row(purpose, by, typed or {}) for purpose in Purpose),
        lines=tuple(_line(name, by, known.get(name)) for name in names),
        judges=names,
        model=model_card(),
        allowed=allowances(),
        may_change=by.role != Role.READER,
        may_allow=by.role == Role.OPERATOR,
        closed=closed(),
        faults=wrong,
    )


def mark(name: str, by: User, row: Health | None) -> Mark:
    """How a judge stands: what came last counts, and before anything came whether it can be asked at all."""
    if judges.why_not(name, by=by):
        return Mark("off", "void", "not set up")
    if row is None or (row.failed_at is None and row.answered_at is None):
        return Mark("off", "void", "not checked")
    if failed_last(row):
        code = FailureCode(row.failure_code)
        return Mark("ask", "warn", "limited") if code is FailureCode.RATE_LIMIT else Mark("bad", "bad", word(code))
    if row.latency_ms is not None and row.latency_ms > SLOW_MS:
        return Mark("ask", "warn", "slow")
    return Mark("ok", "good", "works")


def failed_last(row: Health | None) -> bool:
    """Whether the last that came of a judge was a failure."""
    if row is None or row.failed_at is None:
        return False
    return row.answered_at is None or row.failed_at > row.answered_at


def word(code: FailureCode) -> str:
    """A failure in a word or two."""
    return _WORDS.get(code, "fails")


def _card(name: str, by: User, row: Health | None, faults: Mapping[str, str]) -> Card:
    adapter, info = judges.ADAPTERS[name], registry.info(name)
    own = judges.connection(name, by=by)
    keys = tuple(found(name, by=by, of_site=not own.base_url))
    standing = mark(name, by, row)
    if keys and keys[0].problem:
        standing = Mark("bad", "bad", "key unusable")
    elif not keys and adapter.needs_key:
        standing = Mark("off", "key", "no key")
    return Card(
        name=name,
        label=info.label.removeprefix("The ").capitalize() if name == "compatible" else info.label,
        description=info.description,
        model=judges.recommended(name),
        mark=standing,
        key=keys[0] if keys else None,
        others=keys[1:],
        needs_key=adapter.needs_key,
        connection=own,
        site_place=_site_place(name),
        health=row,
        meaning=checking.meaning(row) if row is not None and failed_last(row) else "",
        fault=faults.get(name, ""),
    )


def _site_place(name: str) -> str:
    given: str = settings.CLOUDFLARE_ACCOUNT_ID if name == "cloudflare" else settings.JUDGE_ADDRESSES.get(name, "")
    return given


def _row(purpose: Purpose, by: User, typed: Mapping[str, str]) -> Row:
    kept = judges.chosen(purpose, by=by)
    name = typed.get(f"{purpose}-judge", kept.judge)
    model = typed.get(f"{purpose}-model", kept.model)
    remote = kept.judge in judges.ADAPTERS
    return Row(
        purpose=purpose,
        judge=name,
        model=model,
        asked_of=kept.judge,
        asked=kept.model or judges.recommended(kept.judge),
        moves=judges.moves(kept.judge, kept.model),
        trouble=judges.why_not(kept.judge, by=by),
        remote=remote,
        suggestions=_suggestions(by),
    )


def _suggestions(by: User) -> tuple[str, ...]:
    """Models to choose from: the recommended ones, then what the providers listed at their last check."""
    listed = [str(each) for row in Connection.objects.filter(user=by) for each in row.models_listed]
    return tuple(dict.fromkeys([*judges.RECOMMENDED.values(), *listed]))


def _line(name: str, by: User, row: Health | None) -> Line:
    meaning: Any = checking.meaning(row) if row is not None and row.failed_at is not None else ""
    return Line(name, mark(name, by, row), row, meaning, registry.info(name).in_workers)


def closed() -> str:
    """Why no key can be stored or read now; blank when keys can."""
    try:
        vault.look()
    except vault.VaultClosed as closed:
        return str(closed)
    return ""
