"""HTTP judges from a small record of settings, with the key given apart."""

from __future__ import annotations

from policy.engine.profile import InvalidConfig
from policy.judges.attempts import AsyncWatchedJudge, WatchedJudge
from policy.judges.cloudflare import Cloudflare
from policy.judges.compatible import Compatible
from policy.judges.http.adapter import Adapter
from policy.judges.http.address import base_url
from policy.judges.http.judge import AsyncHttpJudge, HttpJudge
from policy.judges.http.retries import NO_RETRIES
from policy.judges.http.target import Target
from policy.judges.keys import Key
from policy.judges.openrouter import OpenRouter
from policy.judges.recovery import POLICY, AsyncRecoveringJudge, RecoveringJudge
from policy.judges.settings import JudgeSettings
from policy.judges.typesafe import TypeSafe

ADAPTERS: tuple[type[Adapter], ...] = (TypeSafe, OpenRouter, Cloudflare, Compatible)


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
    raise InvalidConfig(
        f"there is no HTTP judge {settings.name!r:.80}; use one of: {', '.join(each.name for each in ADAPTERS)}"
    )


def _recovers(settings: JudgeSettings) -> bool:
    if settings.recovery not in ("none", POLICY):
        raise InvalidConfig(f"recovery must be none or {POLICY}, not {settings.recovery!r:.80}")
    return settings.recovery == POLICY
