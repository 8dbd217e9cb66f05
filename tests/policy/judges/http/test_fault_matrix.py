"""Faults of a real far side, one row each: the code, the attempts, and no key in any text."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from policy.judges.http.retries import Retries
from tests.policy.judges.http.asking import CANARY, REPLY, Told, ask, target
from tests.policy.judges.http.far_side import (
    Act,
    announces,
    drips,
    endless,
    far_side,
    hangs_up,
    nobody,
    repeats_the_key,
    resets,
    says,
    stalls,
)

ONE_MORE = Retries(more=1)
ELSEWHERE = "http://198.51.100.7/v1/systemone"


@dataclass(frozen=True)
class Row:
    """One fault: what the far side does, the code, the statuses of the attempts, and a part of the message."""

    name: str
    act: Act | None
    code: str
    statuses: tuple[str, ...]
    says: str
    retries: Retries = ONE_MORE
    pauses: int = 0


BRIEF = Retries(more=1, attempt_s=0.15)
MATRIX = (
    Row("connection refused", None, "CONNECTION", ("transport_error",) * 2, "nothing listens", pauses=1),
    Row(
        "reset in the middle of the reply", resets, "CONNECTION", ("transport_error",) * 2, "broke in the mid", pauses=1
    ),
    Row("hangs up", hangs_up, "CONNECTION", ("transport_error",) * 2, "ended before the reply", pauses=1),
    Row("stalls", stalls, "TIMEOUT", ("timeout",) * 2, "no whole reply within 0.15 s", BRIEF, pauses=1),
    Row("drips its header", drips, "TIMEOUT", ("timeout",) * 2, "no whole reply within 0.15 s", BRIEF, pauses=1),
    Row(
        "429 with Retry-After",
        says(429, {"detail": {"message": "slow down"}}, Retry_After="1"),
        "RATE_LIMIT",
        ("http_error",) * 2,
        "asks for fewer requests (HTTP 429, rate_limit): slow down",
        pauses=1,
    ),
    Row("500", says(500, b"oh no"), "SERVER", ("http_error",) * 2, "(HTTP 500, server_fault): oh no", pauses=1),
    Row("529", says(529, {"error": "full"}), "SERVER", ("http_error",) * 2, "(HTTP 529, overloaded): full", pauses=1),
    Row("2 MB", says(200, b" " * 2_000_000), "INVALID_RESPONSE", ("body_limit",), "longer than 1048576 bytes"),
    Row("announces 2 MB", announces(2_000_000), "INVALID_RESPONSE", ("body_limit",), "longer than 1048576", BRIEF),
    Row("no end", endless, "INVALID_RESPONSE", ("body_limit",), "longer than 1048576 bytes"),
    Row("another origin", says(307, Location=ELSEWHERE), "INVALID_RESPONSE", ("http_error",), "another origin"),
    Row("invalid JSON", says(200, b'{"model": "jev'), "INVALID_RESPONSE", ("invalid_json",), "at character 10"),
    Row("NaN", says(200, {**REPLY, "x": float("nan")}), "INVALID_RESPONSE", ("invalid_json",), "x NaN is no number"),
    Row("nothing", says(200, b""), "INVALID_RESPONSE", ("empty_body",), "body is empty"),
    Row("repeats the key with 400", repeats_the_key(400), "BAD_REQUEST", ("http_error",), "bad Bearer [redacted]"),
    Row("repeats the key with 401", repeats_the_key(401), "AUTHENTICATION", ("http_error",), "valid key on Settings"),
    Row("repeats the key with 302", repeats_the_key(302), "INVALID_RESPONSE", ("http_error",), "elsewhere.example"),
)
by_row = pytest.mark.parametrize("row", MATRIX, ids=lambda row: row.name)


@contextmanager
def asked(row: Row, *, awaited: bool) -> Iterator[Told]:
    if row.act is None:
        yield ask(target(base_url=nobody()), retries=row.retries, awaited=awaited)
        return
    with far_side(row.act) as side:
        yield ask(target(base_url=side.url), retries=row.retries, awaited=awaited)
        assert len(side.visits) == len(row.statuses)


@by_row
def test_the_fault_is_named_and_counted(row: Row, awaited: bool) -> None:
    with asked(row, awaited=awaited) as told:
        assert (told.code, tuple(told.statuses)) == (row.code, row.statuses)
        assert row.says in told.message
        assert len(told.pauses) == row.pauses
        assert all(attempt.latency_ms is not None for attempt in told.ended)


@by_row
def test_the_key_is_in_no_text_of_it(row: Row, awaited: bool, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ("httpx", "httpcore", "httpcore.http11", "httpcore.connection"):
        caplog.set_level(logging.DEBUG, logger=name)
    with asked(row, awaited=awaited) as told:
        assert told.error is not None
        trace = traceback.TracebackException.from_exception(told.error, capture_locals=True)
        texts = ["".join(trace.format()), repr(told), str(told.error), repr(vars(told.error)), caplog.text]
    assert not [text for text in texts if CANARY in text]
    assert CANARY not in repr(told.error.__context__)


def test_a_key_that_comes_back_as_an_answer_is_erased_before_anything_reads_it(awaited: bool) -> None:
    with far_side(repeats_the_key(200)) as side:
        told = ask(target(base_url=side.url), awaited=awaited)
    assert told.reply is not None
    assert told.reply.body["model"] == "Bearer [redacted]"
    assert CANARY not in repr(told)


def test_what_was_sent_carries_the_key_once_and_only_in_its_header(awaited: bool) -> None:
    with far_side(says(200, REPLY)) as side:
        ask(target(base_url=side.url), awaited=awaited)
    (visit,) = side.visits
    assert visit.headers["authorization"] == f"Bearer {CANARY}"
    assert CANARY not in visit.path
    assert CANARY.encode() not in visit.body
