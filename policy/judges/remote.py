"""HTTP judges from a small record of settings, with the key given apart."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from policy.engine.profile import InvalidConfig
from policy.engine.totals import Totals
from policy.judges.attempts import AsyncWatchedJudge, WatchedJudge
from policy.judges.cloudflare import Cloudflare
from policy.judges.compatible import Compatible
from policy.judges.http.adapter import Adapter
from policy.judges.http.address import base_url
from policy.judges.http.judge import AsyncHttpJudge, HttpJudge, Target
from policy.judges.http.retries import NO_RETRIES, Retries
from policy.judges.keys import Key
from policy.judges.openrouter import OpenRouter
from policy.judges.recovery import POLICY, AsyncRecoveringJudge, RecoveringJudge
from policy.judges.typesafe import TypeSafe

Recovery = Literal["none", "probability_sum_only"]
NAMES = ("typesafe", "openrouter", "cloudflare", "compatible")


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """Which judge, where, which model. Blank is the provider's own address and model; nothing is read from the
    environment. `key_source` says where the key came from, for people. `private` is the operator's permission to ask
    inside private networks. `recovery` replaces the retries: a request has one owner.
    """

    name: str
    base_url: str = ""
    model: str = ""
    account: str = ""
    key_source: str = ""
    private: bool = False
    retries: Retries = field(default_factory=Retries)
    recovery: Recovery = "none"
    totals: Totals = Totals.STRICT


def judge(settings: JudgeSettings, *, key: Key | None) -> WatchedJudge:
    """The judge that the settings describe; raises `InvalidConfig`, which names what to mend."""
    found = target(settings, key=key)
    if _recovers(settings):
        return RecoveringJudge(HttpJudge(found, retries=NO_RETRIES), matches=found.matches)
    return HttpJudge(found, retries=settings.retries)


def async_judge(settings: JudgeSettings, *, key: Key | None) -> AsyncWatchedJudge:
    """The same, awaited."""
    found = target(settings, key=key)
    if _recovers(settings):
        return AsyncRecoveringJudge(AsyncHttpJudge(found, retries=NO_RETRIES), matches=found.matches)
    return AsyncHttpJudge(found, retries=settings.retries)


def target(settings: JudgeSettings, *, key: Key | None) -> Target:
    """Whom the settings mean, checked and not yet asked."""
    adapter = _adapter(settings)
    base = base_url(settings.base_url or adapter.default_base, private=settings.private)
    return Target(adapter, base, settings.model or adapter.default_model, key, settings.totals)


def _adapter(settings: JudgeSettings) -> Adapter:
    match settings.name:
        case "typesafe":
            return TypeSafe()
        case "openrouter":
            return OpenRouter()
        case "cloudflare":
            return Cloudflare(settings.account)
        case "compatible":
            return Compatible()
    raise InvalidConfig(f"there is no HTTP judge {settings.name!r:.80}; use one of: {', '.join(NAMES)}")


def _recovers(settings: JudgeSettings) -> bool:
    if settings.recovery not in ("none", POLICY):
        raise InvalidConfig(f"recovery must be none or {POLICY}, not {settings.recovery!r:.80}")
    return settings.recovery == POLICY
