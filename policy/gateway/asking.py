"""Asking a judge for a caller of `/v1`: its turn, one ledger call, stored answers where the caller wants them."""

from __future__ import annotations

import json
import math
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, cast

from policy.engine import drive
from policy.engine.failures import Failure
from policy.engine.judge import Judge, JudgeReply, JudgeRequest
from policy.gateway.names import Named
from policy.gateway.refusals import TOO_LONG, of_failure, refusal
from policy.gateway.requests import WireRequest
from policy.judges.attempts import WatchedJudge
from policy.judges.cache import CachedJudge
from policy.judges.http.retries import NO_RETRIES
from policy.ledger import RecordedJudge
from policy.models import LedgerEntry, Origin
from policy.people.models import Role, User
from policy.people.services import require
from policy.response_cache import DatabaseStore
from policy.services import health, judges
from policy.services.turns import slots_of

# One call, its wait for a turn included; the first questions about a new list of options take `local` seconds.
BUDGET_MS = 60_000
BYTES_PER_TOKEN = 4
# The vendor's limits in tokens. A judge behind HTTP counts for itself, ours count by bytes.
MOST_TOKENS = 64_000
MOST_STATE_TOKENS = 32_000
# Its instructions and criteria must be texts.
_TEXTS_ONLY = frozenset({"openrouter"})


@dataclass(slots=True)
class _News:
    """Hears what the ledger hears: the last word of a judge's server for what it meant."""

    by: User
    reason: str = ""

    def tell(self, entry: LedgerEntry, came: JudgeReply | Failure | None) -> None:
        self.reason = entry.reason
        health.listener(self.by)(entry, came)


def ask(request: WireRequest, *, named: Named, stored: bool, call: str, by: User) -> JudgeReply:
    """The judge's reply, unchecked. `call` is the ledger's; `stored` lets an answer that was paid for serve again.

    The caller owns the retries, as with the vendor: a judge behind HTTP is asked once. Raises `Refusal` for a failed
    judge and for too long a request, `Busy`, `NotAllowed`, `InvalidConfig` and `HostFault`.
    """
    require(Role.MEMBER, by=by)
    judge = judges.judge(named.judge, by=by, model=named.model, retries=NO_RETRIES)
    # What is computed in this process costs nothing: there is nothing to store.
    if stored and named.judge in judges.ADAPTERS:
        judge = CachedJudge(cast(WatchedJudge, judge), DatabaseStore())
    if named.judge not in judges.ADAPTERS:
        _refuse_long(request)
    sent = request.in_texts() if named.judge in _TEXTS_ONLY else request
    came, reason = _driven(sent, judge, call=call, by=by)
    if isinstance(came, Failure):
        raise of_failure(came, judge=named.judge, reason=reason)
    return came


def _driven(request: WireRequest, judge: Judge, *, call: str, by: User) -> tuple[JudgeReply | Failure, str]:
    news = _News(by)
    recorded = RecordedJudge(judge, origin=Origin.GATEWAY, origin_id=f"user-{by.pk}", user=by, tell=news.tell)
    recorded.call = call
    limit = judges.profile(judge.name).limits.max_concurrent
    slots = slots_of(judge.name, limit=limit)
    return drive.run(_once(request), recorded, budget_ms=BUDGET_MS, slots=slots), news.reason


def _once(request: JudgeRequest) -> Generator[JudgeRequest, JudgeReply | Failure, JudgeReply | Failure]:
    return (yield request)


def _refuse_long(request: WireRequest) -> None:
    """Raises `Refusal` 400 where the vendor would for its limits, by an estimate of four bytes a token."""
    wire = request.wire
    state, longest = _tokens(wire["state"]), max(map(_tokens, wire["questions"].values()))
    if (whole := math.ceil(len(request.encoded()) / BYTES_PER_TOKEN)) > MOST_TOKENS:
        raise refusal(400, TOO_LONG, f"The request has some {whole:,} tokens; {MOST_TOKENS:,} are the most.")
    if (part := state + longest) > MOST_STATE_TOKENS:
        raise refusal(
            400,
            TOO_LONG,
            f"State and longest question have some {part:,} tokens together; {MOST_STATE_TOKENS:,} are the most.",
        )


def _tokens(value: Any) -> int:
    return math.ceil(len(json.dumps(value, ensure_ascii=False).encode()) / BYTES_PER_TOKEN)
