"""Stored answers in the database: any number of processes pay once for the same question."""

from __future__ import annotations

import hashlib
import json
import logging
from typing import cast

from django.db import Error as DatabaseFault
from django.db import transaction
from django.db.models import Q

from policy.engine.judge import JudgeReply, TokenSource
from policy.engine.totals import Totals
from policy.judges.cache import CacheKey, Kept
from policy.models import StoredAnswer

logger = logging.getLogger(__name__)

MOST_ANSWERS = 4096
# A longer reply is not kept: answers of our questions have a few kilobytes.
MOST_BYTES = 256 * 1024


class DatabaseStore:
    """A `Store` of at most `most` answers; the one that was given longest ago goes first.

    Give it to a `CachedJudge` where somebody chose to use answers again. It keeps answers only: neither the state nor
    the questions are in it, their digest is. Without its table it has nothing and says so in the log.
    """

    def __init__(self, *, most: int = MOST_ANSWERS) -> None:
        self._most = most

    def find(self, key: CacheKey) -> Kept | None:
        try:
            row = StoredAnswer.objects.filter(key=_name(key)).first()
            return None if row is None else _kept(row)
        except (DatabaseFault, ValueError) as error:
            logger.warning("a stored answer cannot be read", extra={"reason": type(error).__name__})
            return None

    def keep(self, key: CacheKey, kept: Kept) -> None:
        if len(kept.reply.raw) > MOST_BYTES:
            return
        try:
            with transaction.atomic():
                StoredAnswer.objects.update_or_create(key=_name(key), defaults=_columns(key, kept))
                self._trim()
        except DatabaseFault as error:
            logger.warning("an answer cannot be stored", extra={"reason": type(error).__name__})

    def _trim(self) -> None:
        last = StoredAnswer.objects.order_by("-at", "-pk")[self._most : self._most + 1].values_list("at", "pk").first()
        if last is not None:
            at, pk = last
            StoredAnswer.objects.filter(Q(at__lt=at) | Q(at=at, pk__lte=pk)).delete()


def _name(key: CacheKey) -> str:
    parts = [key.judge, key.endpoint, key.model, key.request_digest]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _columns(key: CacheKey, kept: Kept) -> dict[str, object]:
    reply = kept.reply
    return {
        "judge": key.judge,
        "endpoint": key.endpoint[:300],
        "requested_model": key.model[:120],
        "request_digest": key.request_digest,
        "answered_model": kept.model[:120],
        "at": kept.at,
        "body": json.dumps(reply.body),
        "raw": reply.raw,
        "latency_ms": reply.latency_ms,
        "token_source": reply.token_source,
        "totals": reply.totals.value,
        "notes": list(reply.notes),
    }


def _kept(row: StoredAnswer) -> Kept:
    reply = JudgeReply(
        body=json.loads(row.body),
        raw=bytes(row.raw),
        latency_ms=row.latency_ms,
        token_source=cast(TokenSource, row.token_source),
        notes=tuple(row.notes),
        totals=Totals(row.totals),
    )
    return Kept(reply, row.answered_model, row.at)
