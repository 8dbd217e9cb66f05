"""Asking once: every answer is kept before the next request is sent, and what is kept is not asked again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from policy.calibration.measuring import reordered
from policy.calibration.passport import Judged
from policy.engine.failures import Failure, FailureCode, HostFault, JudgeFailed
from policy.engine.judge import Judge, JudgeReply, JudgeRequest
from policy.engine.totals import Totals
from policy.ledger import RecordedJudge, body_read
from policy.measurements.models import Answer, Measurement
from policy.models import LedgerEntry
from policy.services import health

ORIGIN = "measurement"
LOST = Failure(
    FailureCode.ABORTED,
    "the worker was lost while the judge was asked; it may have been paid for, so it is not repeated by itself",
)


class AnsweredByAnother(HostFault):
    """Another model answered than the one whose answers are measured: two models are never mixed."""

    def __init__(self, before: str, now: str) -> None:
        super().__init__(f"the judge answered as {now or 'a model without a name'}, before as {before}")
        self.before, self.now = before, now


@dataclass(slots=True)
class Take:
    """One pass over the fixtures of a measurement: a repeat, or the first one; knows what it has asked already.

    `known` are the ledger's rows of earlier chunks by request digest: a worker that was killed left them there.
    """

    measurement: Measurement
    repeat: int
    known: dict[str, LedgerEntry] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # A request may have taken several attempts: the last one counts.
        rows = LedgerEntry.objects.filter(origin=ORIGIN, origin_id=self.origin_id).defer("request").order_by("id")
        if self.measurement.retried_at is not None:
            rows = rows.filter(at__gt=self.measurement.retried_at)
        self.known = {row.request_digest: row for row in rows}

    @property
    def name(self) -> str:
        """What sets these answers apart from others to the same request; empty where any answer will do."""
        fresh = self.measurement.fresh or self.repeat > 0
        return f"{self.measurement.public_id}/{self.repeat}" if fresh else ""

    @property
    def origin_id(self) -> str:
        return self.measurement.public_id + (f"/{self.repeat}" if self.repeat else "")


class AskedOnce:
    """A judge for one fixture of a measurement. `digests` are its requests, `sent` how many really left."""

    def __init__(self, judge: Judge, take: Take, *, order: str, identity: Judged) -> None:
        self.name = judge.name
        by = take.measurement.by
        # Progress is told by the readings; what a judge behind HTTP does is news for Settings.
        tell = health.listener(by) if getattr(judge, "tells_attempts", False) else _nobody
        self._recorded = RecordedJudge(judge, origin=ORIGIN, origin_id=take.origin_id, tell=tell, user=by)
        self._take, self._order, self._identity = take, order, identity
        self.digests: list[str] = []
        self.sent = 0
        self.latency_ms: float | None = None

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        measurement = self._take.measurement
        request = reordered(request, self._order, measurement.seed)
        self.digests.append(request.digest)
        answer = self._stored(request.digest) or self._from_ledger(request.digest)
        if answer is None:
            answer = self._asked(request, timeout_s)
        self._settle(answer.answered_model)
        self.latency_ms = (self.latency_ms or 0.0) + answer.latency_ms
        return _reply(answer)

    def _asked(self, request: JudgeRequest, timeout_s: float) -> Answer:
        self.sent += 1
        try:
            reply = self._recorded.ask(request, timeout_s=timeout_s)
        except JudgeFailed as failed:
            if failed.failure.unsent:
                self.sent -= 1
                self.digests.pop()
            raise
        raw = _text(reply.raw)
        # Some providers wrap the body that the engine reads.
        return self._keep(request.digest, reply.body, body_read(reply, raw) or raw, reply.latency_ms, reply.totals)

    def _stored(self, digest: str) -> Answer | None:
        found = Answer.objects.filter(request_digest=digest, take=self._take.name, **self._who())
        model = self._take.measurement.answered_model
        return (found.filter(answered_model=model) if model else found).order_by("-id").first()

    def _from_ledger(self, digest: str) -> Answer | None:
        """What an earlier worker of this measurement has asked already; raises what came instead of an answer."""
        row = self._take.known.get(digest)
        if row is None:
            return None
        if row.status == LedgerEntry.Status.SENT:
            raise JudgeFailed(LOST)
        if row.status == LedgerEntry.Status.FAILED:
            raise JudgeFailed(Failure(FailureCode(row.failure_code), row.failure_message))
        read = row.body or row.raw_reply
        try:
            body = json.loads(read)
        except ValueError as error:
            raise JudgeFailed(Failure(FailureCode.INVALID_RESPONSE, "the reply is not JSON")) from error
        return self._keep(digest, body, read, row.latency_ms or 0.0, Totals(row.totals or Totals.STRICT))

    def _keep(self, digest: str, body: Any, read: str, latency_ms: float, totals: Totals) -> Answer:
        model = body.get("model") if isinstance(body, Mapping) else None
        kept, _ = Answer.objects.get_or_create(
            request_digest=digest,
            take=self._take.name,
            answered_model=_named(model),
            **self._who(),
            defaults={"body": read, "latency_ms": latency_ms, "totals": totals.value},
        )
        return kept

    def _settle(self, model: str) -> None:
        """The first answer says which model is measured."""
        measurement = self._take.measurement
        if not measurement.answered_model:
            measurement.answered_model = model
        elif measurement.answered_model != model:
            raise AnsweredByAnother(measurement.answered_model, model)

    def _who(self) -> dict[str, str]:
        who = self._identity
        return {"judge": who.judge, "endpoint": who.endpoint, "requested_model": who.requested_model}


def _reply(answer: Answer) -> JudgeReply:
    try:
        body = json.loads(answer.body)
    except ValueError as error:
        raise JudgeFailed(Failure(FailureCode.INVALID_RESPONSE, "the reply is not JSON")) from error
    return JudgeReply(body, answer.body.encode(), answer.latency_ms, totals=Totals(answer.totals))


def _named(model: object) -> str:
    return model[:200].replace("\x00", "\ufffd") if isinstance(model, str) else ""


def _text(raw: bytes) -> str:
    # PostgreSQL stores no NUL in a text.
    return raw.decode(errors="replace").replace("\x00", "\ufffd")


def _nobody(*told: object) -> None:
    """The rows of the ledger are enough."""
