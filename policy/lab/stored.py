"""A judgment that was made before: the engine once more on the rows of the ledger, request by request."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from policy.engine.failures import Failure, FailureCode
from policy.engine.judge import JudgeReply, JudgeRequest, TokenSource
from policy.engine.profile import Profile
from policy.engine.totals import Totals
from policy.lab.functions import Steps
from policy.models import LedgerEntry
from policy.services.asking import Exchange, Judgment

ORIGIN = "lab"


class Departed(Exception):
    """The stored requests are not the ones that these inputs ask; the text says how they differ."""


def judgment(call: str, steps: Steps, *, profile: Profile) -> Judgment[Any]:
    """The judgment of one call of the lab; raises `Departed` where the inputs or the code ask something else."""
    # What no call is named after is not looked for: PostgreSQL takes no NUL.
    found = LedgerEntry.objects.filter(call=call, origin=ORIGIN).order_by("attempt") if call.isalnum() else ()
    # The last attempt of a request is the one that was read.
    rows = list({row.step: row for row in found}.values())
    if not rows:
        raise Departed("the ledger holds no such judgment")
    exchanges: list[Exchange] = []
    result = _driven(steps, iter(rows), exchanges)
    if len(exchanges) != len(rows):
        raise Departed("the stored judgment asked more than these inputs need")
    return Judgment(result, tuple(exchanges), rows[0].judge, profile, call)


def _driven(steps: Steps, rows: Iterator[LedgerEntry], exchanges: list[Exchange]) -> Any:
    try:
        request = next(steps)
        while True:
            sent = _sent(request, next(rows, None))
            exchanges.append((request, sent))
            request = steps.send(sent)
    except StopIteration as end:
        return end.value


def _sent(request: JudgeRequest, row: LedgerEntry | None) -> JudgeReply | Failure:
    if row is None or row.status == LedgerEntry.Status.SENT:
        raise Departed("the stored judgment never got all its answers")
    if row.request_digest != request.digest:
        raise Departed("the stored judgment is of other inputs")
    if row.status == LedgerEntry.Status.FAILED:
        return Failure(FailureCode(row.failure_code), row.failure_message)
    source: TokenSource = "reported" if row.token_source == "reported" else "estimated"
    body, totals = _body(row.body or row.raw_reply), Totals(row.totals or Totals.STRICT)
    return JudgeReply(
        body, row.raw_reply.encode(), row.latency_ms or 0.0, source, totals=totals, cached_at=row.cached_at
    )


def _body(raw: str) -> Any:
    try:
        return json.loads(raw)
    except ValueError as error:
        raise Departed("the stored reply cannot be read again") from error
