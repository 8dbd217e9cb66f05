"""The ledger: a row for every physical request, stored answers as their own rows, no credential in any of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from django.db import DatabaseError

from policy.engine.failures import Failure, HostFault, JudgeFailed
from policy.engine.judge import Judge, JudgeReply, JudgeRequest
from policy.engine.questions import Noul
from policy.judges.cache import CachedJudge, MemoryStore
from policy.judges.http.judge import HttpJudge
from policy.judges.http.retries import NO_RETRIES
from policy.judges.recovery import RecoveringJudge
from policy.judges.scripted import ScriptedJudge
from policy.ledger import RecordedJudge
from policy.models import LedgerEntry
from policy.people.models import User
from tests.policy.judges.http.asking import (
    ANSWERS,
    CANARY,
    REPLY,
    REQUEST,
    in_process,
    replies,
    target,
    with_answers,
)

pytestmark = pytest.mark.django_db

WRONG_TOTAL = with_answers(tool={**ANSWERS["tool"], "probabilities": {"dig": 0.7, "print": 0.2}})
Heard = list[tuple[int, JudgeReply | Failure | None]]


def http(handler: Callable[[httpx.Request], httpx.Response], name: str = "typesafe", **options: Any) -> HttpJudge:
    return HttpJudge(target(name), opener=in_process(handler), sleep=lambda seconds: None, **options)


def recorded(judge: Judge, **known: Any) -> tuple[RecordedJudge, Heard]:
    heard: Heard = []
    given = {"origin": "api", "origin_id": "user-1", "tell": lambda row, came: heard.append((row.attempt, came))}
    return RecordedJudge(judge, **{**given, **known}), heard


def rows() -> list[LedgerEntry]:
    return list(LedgerEntry.objects.all())


def test_a_row_says_who_asked_whom_and_what_came_back(owner: User) -> None:
    judge, _ = recorded(http(replies(REPLY, x_request_id="req_7")), user=owner)
    judge.ask(REQUEST, timeout_s=5)
    (row,) = rows()
    assert (row.origin, row.origin_id, row.user, row.judge) == ("api", "user-1", owner, "typesafe")
    assert row.endpoint == "https://api.typesafe.ai/v1/systemone"
    assert (row.requested_model, row.answered_model, row.provider_id) == ("jev-latest", "jev-1.13.0", "req_7")
    assert (row.input_tokens, row.output_tokens, row.token_source) == (120, 3, "reported")
    assert (row.status, row.verdict, row.http_status) == ("answered", "answered", 200)
    assert json.loads(row.raw_reply) == REPLY
    assert row.response_bytes == len(json.dumps(REPLY))


def test_every_retry_is_a_row_that_says_what_it_repeats() -> None:
    judge, heard = recorded(http(replies((503, {}), (429, {}), REPLY)))
    judge.ask(REQUEST, timeout_s=20)
    assert [(row.attempt, row.step, row.status, row.after, row.http_status) for row in rows()] == [
        (1, 1, "failed", "", 503),
        (2, 1, "failed", "http_error", 429),
        (3, 1, "answered", "http_error", 200),
    ]
    assert [row.input_tokens for row in rows()] == [None, None, 120]
    assert rows()[1].wait_ms > 0
    assert [attempt for attempt, _ in heard] == [1, 1, 2, 2, 3, 3]


def test_the_requests_of_one_call_are_counted_apart_from_their_attempts() -> None:
    judge, _ = recorded(http(replies((500, {}), REPLY)))
    judge.ask(REQUEST, timeout_s=20)
    judge.ask(REQUEST, timeout_s=20)
    assert [(row.call == judge.call, row.attempt, row.step, row.after) for row in rows()] == [
        (True, 1, 1, ""),
        (True, 2, 1, "http_error"),
        (True, 3, 2, ""),
    ]


def test_a_wrong_total_keeps_its_reply_its_tokens_and_a_diagnostic_of_structure() -> None:
    inner = http(replies(WRONG_TOTAL, REPLY), retries=NO_RETRIES)
    judge, heard = recorded(RecoveringJudge(inner))
    reply = judge.ask(REQUEST, timeout_s=20)
    first, second = rows()
    assert (first.status, first.verdict, first.input_tokens) == ("answered", "invalid_sum", 120)
    assert (first.diagnostic or {})["questions"]["tool"]["probabilitySum"] == pytest.approx(0.9)
    assert (second.verdict, second.after) == ("valid", "invalid_sum")
    told = [came for _, came in heard if isinstance(came, JudgeReply)]
    assert [came.raw for came in told] == [json.dumps(WRONG_TOTAL).encode(), reply.raw]


def test_a_judge_that_stays_wrong_leaves_answered_rows_and_fails() -> None:
    judge, _ = recorded(RecoveringJudge(http(replies(WRONG_TOTAL), retries=NO_RETRIES)))
    with pytest.raises(JudgeFailed):
        judge.ask(REQUEST, timeout_s=20)
    assert [row.verdict for row in rows()] == ["invalid_sum"] * 3


def test_a_request_that_never_left_has_no_row() -> None:
    judge, heard = recorded(http(replies(REPLY)))
    with pytest.raises(JudgeFailed):
        judge.ask(REQUEST, timeout_s=0)
    assert (rows(), heard) == ([], [])


def test_a_stored_answer_is_a_row_of_its_own_with_what_it_would_have_cost() -> None:
    judge, _ = recorded(
        CachedJudge(http(replies(REPLY)), MemoryStore(), now=lambda: datetime(2026, 11, 30, tzinfo=UTC))
    )
    judge.ask(REQUEST, timeout_s=5)
    judge.ask(REQUEST, timeout_s=5)
    asked, again = rows()
    assert (asked.cached_at, again.cached_at) == (None, datetime(2026, 11, 30, tzinfo=UTC))
    assert (again.step, again.status, again.latency_ms) == (2, "answered", 0.0)
    assert (again.input_tokens, again.requested_model, again.answered_model) == (120, "jev-latest", "jev-1.13.0")


def test_a_judge_of_this_process_has_one_row_without_an_endpoint() -> None:
    judge, _ = recorded(ScriptedJudge())
    judge.ask(JudgeRequest({"task": "t"}, {"q": Noul("Is it?")}, "test"), timeout_s=5)
    (row,) = rows()
    assert (row.endpoint, row.status, row.verdict, row.after) == ("", "answered", "", "")


def test_credentials_are_masked_in_the_row_and_the_digest_stays_that_of_what_was_sent() -> None:
    request = JudgeRequest(
        {"task": "log in with password=hunter2-hunter2", "arguments": {"api_key": "Zq7-plain"}},
        {"rotate_token": Noul("Is Bearer abcdefghij0123456789 needed?")},
        "test",
    )
    judge, _ = recorded(ScriptedJudge())
    judge.ask(request, timeout_s=5)
    (row,) = rows()
    kept = json.dumps(row.request)
    assert not any(secret in kept for secret in ("hunter2", "Zq7-plain", "abcdefghij0123456789"))
    assert "rotate_token" in row.request["questions"]
    assert (row.request_digest, row.request_masked) == (request.digest, True)


def test_a_request_without_credentials_is_kept_as_sent() -> None:
    judge, _ = recorded(http(replies(REPLY)))
    judge.ask(REQUEST, timeout_s=5)
    (row,) = rows()
    assert (row.request, row.request_masked) == (REQUEST.to_wire(), False)


def test_a_wrapped_reply_is_kept_as_it_came_and_as_it_was_read() -> None:
    wrapped = {"result": REPLY, "success": True, "errors": [], "messages": []}
    judge, _ = recorded(http(replies(wrapped), "cloudflare"))
    reply = judge.ask(REQUEST, timeout_s=5)
    (row,) = rows()
    assert json.loads(row.raw_reply) == wrapped
    assert json.loads(row.body) == reply.body


def test_the_key_is_in_no_column_even_where_the_far_side_sends_it_back() -> None:
    answers = with_answers(go={"type": "noul", "noul": 0.9, "note": CANARY})
    judge, _ = recorded(http(replies({**REPLY, **answers}, (401, {"error": f"bad key {CANARY}"}), x_request_id=CANARY)))
    judge.ask(REQUEST, timeout_s=5)
    with pytest.raises(JudgeFailed):
        judge.ask(REQUEST, timeout_s=5)
    assert CANARY not in json.dumps(list(LedgerEntry.objects.values()), default=str)


def test_a_host_that_cannot_tell_leaves_the_row_as_sent_and_the_judge_without_blame() -> None:
    def fails(row: LedgerEntry, came: JudgeReply | Failure | None) -> None:
        raise DatabaseError

    judge, _ = recorded(http(replies(REPLY)), tell=fails)
    with pytest.raises(HostFault):
        judge.ask(REQUEST, timeout_s=5)
    assert [(row.status, row.failure_code) for row in rows()] == [("sent", "")]


def test_a_redirect_inside_the_origin_is_a_request_but_no_retry() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/v1/systemone":
            return httpx.Response(307, headers={"location": "/v2/systemone"})
        return httpx.Response(200, json=REPLY)

    judge, _ = recorded(http(handler))
    judge.ask(REQUEST, timeout_s=5)
    first, second = rows()
    assert (first.verdict, second.after) == ("redirected", "redirected")
    assert second.endpoint == "https://api.typesafe.ai/v2/systemone"
