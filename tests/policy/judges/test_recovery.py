"""Asking again for a wrong total, and for nothing else: at most three identical requests, nothing divided."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from policy.engine.failures import Failure, FailureCode, JudgeFailed
from policy.engine.judge import JudgeReply
from policy.judges import remote
from policy.judges.attempts import Attempt, AttemptStatus
from policy.judges.http.exchange import Clocks
from policy.judges.http.judge import AsyncHttpJudge, HttpJudge
from policy.judges.http.retries import NO_RETRIES
from policy.judges.recovery import AsyncRecoveringJudge, RecoveringJudge, StopReason, stop_reason
from policy.judges.settings import JudgeSettings
from tests.policy.engine.doubles import Clock
from tests.policy.judges.http.asking import (
    ANSWERS,
    REPLY,
    REQUEST,
    in_process,
    in_process_async,
    replies,
    target,
    with_answers,
)

LOW = {"dig": 0.7, "print": 0.2}
SUM = with_answers(tool={**ANSWERS["tool"], "probabilities": LOW})
SUMS = with_answers(
    tool={**ANSWERS["tool"], "probabilities": {"dig": 0.9, "print": 0.2}},
    risk={**ANSWERS["risk"], "probabilities": {"0": 0.6, "1": 0.3, "2": 0.0}},
)
Handler = Callable[[httpx.Request], httpx.Response]


class Asked:
    """A recovering judge, how it ended and every attempt of it."""

    def __init__(self, handler: Handler, *, clock: Clock | None = None, timeout_s: float = 60, **terms: Any) -> None:
        self.attempts: list[Attempt] = []
        self.reply: JudgeReply | None = None
        self.failure: Failure | None = None
        found = target(model=terms.pop("model", "jev-latest"))
        clock = clock or Clock()
        inner = HttpJudge(found, retries=NO_RETRIES, clocks=Clocks(clock), opener=in_process(handler))
        judge = RecoveringJudge(inner, matches=found.matches, clock=clock, **terms)
        try:
            self.reply = judge.ask(REQUEST, timeout_s=timeout_s, on_attempt=self.attempts.append)
        except JudgeFailed as failed:
            self.failure = failed.failure
        finally:
            judge.close()

    @property
    def ended(self) -> list[Attempt]:
        return [attempt for attempt in self.attempts if attempt.status is not AttemptStatus.PENDING]

    @property
    def statuses(self) -> list[str]:
        return [attempt.status.value for attempt in self.ended]

    @property
    def stopped(self) -> StopReason | None:
        return stop_reason(self.attempts, self.failure)


def test_a_wrong_total_is_asked_again_and_the_valid_reply_counts_untouched() -> None:
    asked = Asked(replies(SUM, SUMS, REPLY))
    assert asked.statuses == ["invalid_sum", "invalid_sum", "valid"]
    assert asked.reply is not None
    assert asked.reply.body == REPLY
    assert asked.reply.notes == ("asked 3 times: the totals before were not 1",)
    assert [attempt.index for attempt in asked.attempts] == [1, 1, 2, 2, 3, 3]
    assert asked.stopped is StopReason.VALID


def test_three_wrong_totals_are_the_end_and_nothing_is_divided() -> None:
    asked = Asked(replies(SUM))
    assert asked.statuses == ["invalid_sum"] * 3
    assert asked.failure is not None
    assert asked.failure.code is FailureCode.INVALID_RESPONSE
    assert asked.failure.message.startswith("asked 3 times, and the totals stayed wrong")
    assert [violation.path for violation in asked.failure.violations] == ["answers.tool.probabilities"]
    assert asked.stopped is StopReason.EXHAUSTED


def test_all_requests_have_the_same_bytes() -> None:
    seen: list[bytes] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request.read())
        return httpx.Response(200, json=SUM)

    Asked(handler)
    assert len(seen) == 3
    assert len(set(seen)) == 1


@pytest.mark.parametrize("total", [0.99, 1.01])
def test_a_total_inside_the_band_is_valid_at_once(total: float) -> None:
    shares = {"dig": round(total - 0.2, 2), "print": 0.2}
    asked = Asked(replies(with_answers(tool={**ANSWERS["tool"], "probabilities": shares})))
    assert asked.statuses == ["valid"]


@pytest.mark.parametrize(
    "broken",
    [
        {"tool": {**ANSWERS["tool"], "probabilities": LOW, "choice": "ping"}},
        {"tool": {**ANSWERS["tool"], "probabilities": LOW, "choice": "print"}},
        {"tool": {**ANSWERS["tool"], "probabilities": LOW, "confidence": 1.2}},
        {"tool": {**ANSWERS["tool"], "probabilities": LOW, "type": "score"}},
        {"tool": {**ANSWERS["tool"], "probabilities": {"dig": 0.7}}},
        {"tool": {**ANSWERS["tool"], "probabilities": {**LOW, "ping": 0.1}}},
        {"tool": {**ANSWERS["tool"], "probabilities": {"dig": -0.1, "print": 0.2}}},
        {"tool": {**ANSWERS["tool"], "probabilities": {"dig": "0.7", "print": 0.2}}},
        {"tool": {**ANSWERS["tool"], "probabilities": LOW}, "go": {"type": "noul", "noul": 1.5}},
        {"tool": {**ANSWERS["tool"], "probabilities": LOW}, "go": None},
        {"risk": {**ANSWERS["risk"], "probabilities": {"0": 0.5, "1": 0.1, "2": 0.1}, "score": 7}},
        {"risk": {**ANSWERS["risk"], "score": 1.9}},
        {"go": {"type": "noul", "noul": 1.5}},
    ],
)
def test_any_other_defect_ends_the_asking(broken: dict[str, Any]) -> None:
    asked = Asked(replies(with_answers(**broken), REPLY))
    assert asked.statuses == ["invalid_other"]
    assert asked.reply is not None
    assert asked.stopped is StopReason.FAILURE


def test_an_answer_of_another_version_ends_the_asking() -> None:
    asked = Asked(replies({**SUM, "model": "jev-1.14.0"}, REPLY), model="jev-1.13.0")
    assert asked.statuses == ["invalid_other"]
    assert asked.ended[0].diagnostic is not None
    assert asked.ended[0].diagnostic["modelMatches"] is False


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (500, "http_error"),
        (429, "http_error"),
        (b"", "empty_body"),
        (b"{", "invalid_json"),
        (b" " * (1 << 20) + b" ", "body_limit"),
        (httpx.ConnectError("no"), "transport_error"),
        (httpx.ReadTimeout("no"), "timeout"),
    ],
)
def test_a_failure_is_final_before_and_after_a_wrong_total(outcome: Any, status: str) -> None:
    for before in ([], [SUM]):
        asked = Asked(replies(*before, outcome, REPLY))
        assert asked.statuses == ["invalid_sum"] * len(before) + [status]
        assert asked.failure is not None
        assert asked.stopped in (StopReason.FAILURE, StopReason.TIMEOUT)


@pytest.mark.parametrize(("timeout_s", "second"), [(60, 45.0), (30, 30.0)])
def test_one_deadline_covers_all_requests(timeout_s: float, second: float) -> None:
    clock, limits = Clock(), list[float]()

    def handler(request: httpx.Request) -> httpx.Response:
        limits.append(clock())
        clock.pass_s(second - 0.04)
        return httpx.Response(200, json=SUM)

    asked = Asked(handler, clock=clock, timeout_s=timeout_s)
    assert asked.statuses == ["invalid_sum"]
    assert asked.failure is not None
    assert asked.failure.code is FailureCode.TIMEOUT
    assert asked.stopped is StopReason.TIMEOUT


def test_the_hosts_own_limit_is_asked_before_every_further_request() -> None:
    allowed = iter([True, False])
    asked = Asked(replies(SUM), may_ask_again=lambda: next(allowed))
    assert asked.statuses == ["invalid_sum"] * 2
    assert asked.stopped is StopReason.LOCAL_LIMIT


def test_a_diagnostic_tells_structure_only() -> None:
    shares = {**LOW, "a label that the far side made up": 0.1, "print": 7}
    asked = Asked(replies(with_answers(tool={**ANSWERS["tool"], "choice": "made up", "probabilities": shares})))
    (attempt,) = asked.ended
    assert attempt.diagnostic is not None
    assert attempt.diagnostic["questions"]["tool"] == {
        "answerTypeMatches": True,
        "confidenceValid": True,
        "missingOptions": 0,
        "unexpectedOptions": 1,
        "probabilitySum": None,
        "choiceInSet": False,
        "leadingChoice": None,
    }
    assert attempt.projection == {"go": {}, "tool": {"dig": 0.7}, "risk": {"0": 0.7, "1": 0.3, "2": 0.0}}
    assert "made up" not in json.dumps([attempt.diagnostic, attempt.projection])


def test_every_attempt_keeps_its_tokens_and_its_raw_reply() -> None:
    asked = Asked(replies({**SUM, "usage": None}, REPLY))
    assert [attempt.input_tokens for attempt in asked.ended] == [None, 120]
    assert [json.loads(attempt.raw or b"")["answers"] == ANSWERS for attempt in asked.ended] == [False, True]


def test_the_time_of_the_reply_covers_all_requests() -> None:
    clock = Clock()
    inner = replies(SUM, REPLY)

    def handler(request: httpx.Request) -> httpx.Response:
        clock.pass_s(2)
        return inner(request)

    asked = Asked(handler, clock=clock)
    assert asked.reply is not None
    assert asked.reply.latency_ms == pytest.approx(4000)
    assert [attempt.latency_ms for attempt in asked.ended] == pytest.approx([2000, 2000])


def test_awaited_it_asks_the_same_way() -> None:
    attempts: list[Attempt] = []

    async def asked() -> JudgeReply:
        inner = AsyncHttpJudge(target(), retries=NO_RETRIES, opener=in_process_async(replies(SUM, REPLY)))
        judge = AsyncRecoveringJudge(inner)
        try:
            return await judge.ask(REQUEST, timeout_s=5, on_attempt=attempts.append)
        finally:
            await judge.aclose()

    assert asyncio.run(asked()).body == REPLY
    assert [attempt.status.value for attempt in attempts] == ["pending", "invalid_sum", "pending", "valid"]


def test_it_is_off_unless_the_settings_say_so_and_then_it_is_the_only_owner_of_retries() -> None:
    key = target().key
    plain = remote.judge(JudgeSettings("typesafe"), key=key)
    recovering = remote.judge(JudgeSettings("typesafe", recovery="probability_sum_only"), key=key)
    assert isinstance(plain, HttpJudge)
    assert plain.retries.more == 2
    assert isinstance(recovering, RecoveringJudge)
    assert isinstance(recovering._judge, HttpJudge)
    assert recovering._judge.retries is NO_RETRIES


def test_nothing_is_asked_is_no_reason_to_stop() -> None:
    assert stop_reason([], None) is None
