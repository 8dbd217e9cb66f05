"""When the transport asks again: what can help, as long as the far side asks for, within the caller's budget."""

from __future__ import annotations

from datetime import UTC, datetime

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine.profile import InvalidConfig
from policy.judges.http.retries import NO_RETRIES, Retries, asked_wait_s
from tests.policy.judges.http.asking import REPLY, ask, replies, target

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
IN_TIME = 20.0


@pytest.mark.parametrize(
    "status", [408, 429, 500, 502, 503, 504, 529, httpx.ConnectError("no"), httpx.ReadTimeout("no")]
)
def test_what_may_pass_is_asked_again_and_the_answer_counts(status: object, awaited: bool) -> None:
    told = ask(target(), handler=replies(status, REPLY), awaited=awaited)
    assert told.reply is not None
    assert told.reply.body == REPLY
    assert [attempt.index for attempt in told.ended] == [1, 2]
    assert told.pauses == [0.5]


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 405, 409, 413, 422])
def test_what_stays_as_it_is_is_asked_once(status: int, awaited: bool) -> None:
    told = ask(target(), handler=replies(status), awaited=awaited)
    assert told.statuses == ["http_error"]
    assert told.pauses == []


@pytest.mark.parametrize("body", [b"{", b"", {"answers": {}, "model": 1}, {}, [], {"model": "m", "answers": None}])
def test_a_reply_that_is_no_answer_is_never_asked_for_again(body: object) -> None:
    told = ask(target(), handler=replies(body, REPLY))
    assert len(told.ended) == 1
    assert told.pauses == []


def test_pauses_double_up_to_five_seconds_and_the_last_failure_is_told() -> None:
    told = ask(target(), handler=replies(500), retries=Retries(more=5), timeout_s=60)
    assert told.pauses == [0.5, 1, 2, 4, 5]
    assert told.message.endswith("Try again later. Asked 6 times.")
    assert [attempt.wait_ms for attempt in told.ended] == [0, 500, 1000, 2000, 4000, 5000]


def test_a_quarter_of_a_pause_may_be_taken_off() -> None:
    assert Retries().pause_s(1, chance=0.0) == 0.5
    assert Retries().pause_s(1, chance=0.999) == pytest.approx(0.375, abs=0.001)


@pytest.mark.parametrize(
    ("headers", "pause"),
    [
        ({"Retry_After": "3"}, 3.0),
        ({"Retry_After": "0"}, 0.0),
        ({"retry_after_ms": "1500", "Retry_After": "9"}, 1.5),
        ({"Retry_After": "Mon, 30 Nov 2026 12:00:04 GMT"}, 4.0),
        ({"Retry_After": "Mon, 30 Nov 2026 12:00:04"}, 4.0),
        ({"Retry_After": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"Retry_After": "soon"}, 0.5),
        ({"Retry_After": "-1"}, 0.5),
        ({"Retry_After": "nan"}, 0.5),
        ({"retry_after_ms": "1e400"}, 0.5),
    ],
)
def test_the_far_side_says_how_long_to_wait(headers: dict[str, str], pause: float, awaited: bool) -> None:
    told = ask(target(), handler=replies(503, REPLY, **headers), awaited=awaited)
    assert told.pauses == [pause]


def test_a_wait_beyond_the_budget_is_not_begun_and_said() -> None:
    told = ask(target(), handler=replies(429, REPLY, Retry_After="60"), timeout_s=8)
    assert (told.code, told.pauses, len(told.ended)) == ("RATE_LIMIT", [], 1)
    assert "It asks to wait 60 s; 8 s of the time budget are left." in told.message


def test_our_own_pause_beyond_the_budget_is_not_begun_either() -> None:
    told = ask(target(), handler=replies(500), timeout_s=0.4)
    assert (told.code, told.pauses) == ("SERVER", [])
    assert "The next attempt would have to wait 0.5 s" in told.message


def test_without_time_nothing_is_sent() -> None:
    told = ask(target(), handler=replies(REPLY), timeout_s=0.01)
    assert told.code == "TIMEOUT"
    assert told.attempts == []
    assert told.failure is not None
    assert told.failure.unsent


@given(left=st.floats(0.05, 1000), tried=st.integers(0, 3), more=st.integers(0, 3))
def test_an_attempt_ends_before_the_budget_and_leaves_time_for_the_next(left: float, tried: int, more: int) -> None:
    limit = Retries(more=more).limit_s(left, tried=tried)
    assert 0 < limit < left
    if tried < more:
        assert left - limit >= 0.4 * left


def test_every_attempt_is_told_when_it_is_sent_and_when_it_ended() -> None:
    told = ask(target(), handler=replies(529, REPLY))
    assert [(attempt.index, attempt.status.value) for attempt in told.attempts] == [
        (1, "pending"),
        (1, "http_error"),
        (2, "pending"),
        (2, "answered"),
    ]
    last = told.attempts[-1]
    assert (last.http_status, last.answered_model, last.input_tokens, last.output_tokens) == (200, "jev-1.13.0", 120, 3)
    assert told.attempts[1].input_tokens is None


def test_every_attempt_sends_the_same_bytes() -> None:
    seen: list[bytes] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request.content)
        return httpx.Response(500)

    ask(target(), handler=handler)
    assert len(seen) == 3
    assert len(set(seen)) == 1


def test_no_retries_is_one_attempt() -> None:
    assert len(ask(target(), handler=replies(500), retries=NO_RETRIES).ended) == 1


@pytest.mark.parametrize("wrong", [{"more": -1}, {"more": True}, {"more": 1.5}, {"attempt_s": 0}, {"attempt_s": 1e400}])
def test_unusable_retries_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(InvalidConfig, match="must be"):
        Retries(**wrong)  # type: ignore[arg-type]


def test_no_header_asks_for_nothing() -> None:
    assert asked_wait_s({}, now=NOON) is None
