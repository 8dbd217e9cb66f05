"""The ledger: whatever a judge gives back, its row says how the request ended."""

from __future__ import annotations

from typing import Any

import pytest

from policy.engine.drive import run
from policy.engine.failures import Failure, FailureCode, JudgeFailed
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.ledger import BROKE, RecordedJudge
from policy.models import LedgerEntry
from tests.policy.engine.doubles import one_request

pytestmark = pytest.mark.django_db


class Gives:
    """A judge that gives back, or raises, whatever it was made with."""

    name = "gives"

    def __init__(self, what: Any) -> None:
        self.what = what

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> Any:
        if isinstance(self.what, Exception):
            raise self.what
        return self.what


def asked(what: Any) -> tuple[JudgeReply | Failure, LedgerEntry]:
    judge = RecordedJudge(Gives(what), origin="api", origin_id="user-1", tell=lambda *told: None)
    return run(one_request(), judge, budget_ms=9000), LedgerEntry.objects.get(call=judge.call)


@pytest.mark.parametrize("body", [[], None, "text", 5])
def test_a_reply_whose_body_is_no_object_is_kept_for_the_contract_to_refuse(body: Any) -> None:
    reply = JudgeReply(body, b'["what came"]', 1.0)
    told, row = asked(reply)
    assert told == reply
    assert (row.status, row.raw_reply) == (LedgerEntry.Status.ANSWERED, '["what came"]')


@pytest.mark.parametrize("name", ["m\ud800", "m\x00"])
def test_a_model_name_that_no_database_holds_is_kept_in_part(name: str) -> None:
    _, row = asked(JudgeReply({"model": name}, b"{}", 1.0))
    assert (row.status, row.answered_model) == (LedgerEntry.Status.ANSWERED, "m\ufffd")


@pytest.mark.parametrize("what", [None, {"answers": {}}, JudgeReply({}, "text", 1.0)])  # type: ignore[arg-type]
def test_what_is_no_reply_ends_as_a_failure(what: Any) -> None:
    told, row = asked(what)
    assert isinstance(told, Failure)
    assert (row.status, row.failure_message) == (LedgerEntry.Status.FAILED, BROKE.message)


def test_a_failure_that_no_database_holds_is_kept_in_part() -> None:
    _, row = asked(JudgeFailed(Failure(FailureCode.SERVER, "down\ud800")))
    assert (row.failure_code, row.failure_message) == ("SERVER", "down\ufffd")
