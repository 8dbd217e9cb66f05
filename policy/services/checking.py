"""The check of a judge on Settings: one question, and what its fate means."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from policy.engine.contract import validate
from policy.engine.failures import Failure, FailureCode, JudgeFailed
from policy.engine.judge import Judge, JudgeReply, JudgeRequest
from policy.engine.profile import InvalidConfig
from policy.engine.questions import Noul
from policy.errors import Invalid
from policy.judges import registry, remote
from policy.judges.attempts import Attempt, OnAttempt, unwatched
from policy.judges.http.judge import HttpJudge
from policy.judges.http.retries import NO_RETRIES
from policy.ledger import RecordedJudge
from policy.people import audit
from policy.people.models import Connection, Health, Purpose, Role, User
from policy.people.services import require
from policy.services import health, judges

WITHIN_S = 10.0
REQUEST = JudgeRequest(
    {"statement": "Two and two make four."},
    {"holds": Noul("Does the statement hold?", true="It holds.", false="It does not hold.")},
    "check",
)
_BY_STATUS = {
    401: "The key is not known there. Save a valid key.",
    402: "The key is valid, its credit is used up. Add credit there, or save another key here.",
    403: "The key may not do this. Give it the right there, or save another key.",
    404: "The address or the model is not known there. Correct the base address or the model.",
    408: "It gave up waiting. Check again in a moment.",
    429: "It wants fewer requests, or a quota is used up. Wait, then check again; the key itself is fine.",
}
_BY_CODE = {
    FailureCode.CONNECTION: "It cannot be reached. See that this machine is online and the address is right.",
    FailureCode.TIMEOUT: f"There was no answer within {WITHIN_S:.0f} s. Check again, or look whether it is down.",
    FailureCode.SERVER: "It has trouble on its side. Nothing is wrong here; check again later.",
    FailureCode.INVALID_RESPONSE: "Something answered that is no answer of a judge. Correct the base address.",
    FailureCode.BAD_REQUEST: "It did not accept the question. Choose another model, or correct the address.",
    FailureCode.INVALID_CONFIG: "It is not set up yet.",
}


@dataclass
class _Watched:
    """Keeps what happened on the wire of the one question."""

    judge: HttpJudge
    name: str
    endpoint: str
    model: str
    attempts: list[Attempt] = field(default_factory=list)
    tells_attempts: bool = True

    def ask(self, request: JudgeRequest, *, timeout_s: float, on_attempt: OnAttempt = unwatched) -> JudgeReply:
        def hear(attempt: Attempt) -> None:
            self.attempts.append(attempt)
            on_attempt(attempt)

        return self.judge.ask(request, timeout_s=timeout_s, on_attempt=hear)

    @property
    def http_status(self) -> int | None:
        return self.attempts[-1].http_status if self.attempts else None


def check(name: str, *, by: User) -> Health:
    """Ask one question without a second try and store what came; raises `NotAllowed`, `UnknownJudge`,
    and `Invalid` for a judge that only a worker can ask.

    It is a request like any other: it may cost, and it is a row of the ledger. What the far side lists as its models
    is kept, too.
    """
    require(Role.MEMBER, by=by)
    if name not in judges.ADAPTERS and registry.info(name).in_workers:
        raise Invalid(f"The judge {name} is not checked from here, for it answers in workers only; its card tells.")
    if name not in judges.ADAPTERS:
        return _stored(name, _ask(judges.judge(name, by=by), by), by=by)
    try:
        made, key = judges.described(name, by=by, model=_model(name, by))
        asked = HttpJudge(remote.target(made, key=key), retries=NO_RETRIES)
        watched = _Watched(asked, name, asked.endpoint, asked.model)
    except InvalidConfig as missing:
        return _stored(name, Failure(FailureCode.INVALID_CONFIG, f"{missing}.", unsent=True), by=by)
    try:
        came = _ask(watched, by)
        if isinstance(came, JudgeReply):
            _list_models(watched.judge, by)
    finally:
        watched.judge.close()
    return _stored(name, came, by=by, http_status=watched.http_status)


def meaning(row: Health) -> str:
    """What the last failure of a judge means and what to do about it, in two sentences at most."""
    if row.http_status in _BY_STATUS:
        return _BY_STATUS[row.http_status]
    code = FailureCode(row.failure_code)
    return _BY_CODE.get(code, "It did not answer.")


def _model(name: str, by: User) -> str:
    """The model that is asked most: the first one that is set for this judge."""
    set_for = (judges.chosen(purpose, by=by) for purpose in Purpose)
    return next((each.model for each in set_for if each.judge == name and each.model), judges.recommended(name))


def _ask(judge: Judge, by: User) -> JudgeReply | Failure:
    recorded = RecordedJudge(judge, origin="check", origin_id=f"user-{by.pk}", user=by, tell=_nobody)
    try:
        reply = recorded.ask(REQUEST, timeout_s=WITHIN_S)
    except JudgeFailed as failed:
        return failed.failure
    return validate(reply.body, REQUEST.questions, totals=reply.totals).failure or reply


def _stored(name: str, came: JudgeReply | Failure, *, by: User, http_status: int | None = None) -> Health:
    audit.note("judge.checked", f"{name} {came.code if isinstance(came, Failure) else 'answers'}", by=by)
    return health.write(name, came, by=by, http_status=http_status, checked_at=timezone.now())


def _list_models(judge: HttpJudge, by: User) -> None:
    """Versions that are not listed may exist all the same: no list is no failure."""
    try:
        listed = judge.models(timeout_s=WITHIN_S)
    except JudgeFailed:
        return
    if listed is not None:
        values = {"models_listed": list(listed), "listed_at": timezone.now()}
        Connection.objects.update_or_create(user=by, provider=judge.name, defaults=values)


def _nobody(*told: Any) -> None:
    """Nobody watches a check live."""
