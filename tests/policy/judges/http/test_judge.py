"""One judge for many callers: parallel questions, kept connections, a list of models, a cancelled caller."""

from __future__ import annotations

import asyncio
import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from policy.engine.drive import TOO_LATE, run_async
from policy.engine.failures import FailureCode, HostFault, JudgeFailed
from policy.engine.judge import JudgeRequest
from policy.engine.questions import Noul
from policy.judges.attempts import Attempt, WatchedJudge
from policy.judges.cache import CachedJudge, MemoryStore
from policy.judges.http.judge import AsyncHttpJudge, HttpJudge
from policy.judges.recovery import RecoveringJudge
from tests.policy.engine.doubles import one_request
from tests.policy.judges.http.asking import CANARY, REPLY, REQUEST, ask, in_process, replies, target
from tests.policy.judges.http.far_side import Visit, far_side, says, stalls

ROOT = Path(__file__).parents[4]


def echo(visit: Visit) -> None:
    """Answers with the task as the name of the model, so that nobody gets another's answer unnoticed."""
    task = json.loads(visit.body)["state"]["task"]
    says(200, {**REPLY, "model": task, "answers": {}})(visit)


def test_parallel_questions_each_get_their_own_answer() -> None:
    with far_side(echo) as side:
        judge = HttpJudge(target(base_url=side.url))

        def asked(number: int) -> str:
            request = JudgeRequest({"task": f"t{number}"}, {"go": Noul("?")}, "t")
            return str(judge.ask(request, timeout_s=8).body["model"])

        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(asked, range(24))) == [f"t{number}" for number in range(24)]
        judge.close()


async def test_awaited_parallel_questions_each_get_their_own_answer() -> None:
    with far_side(echo) as side:
        async with AsyncHttpJudge(target(base_url=side.url)) as judge:
            requests = [JudgeRequest({"task": f"t{number}"}, {"go": Noul("?")}, "t") for number in range(12)]
            told = await asyncio.gather(*(judge.ask(request, timeout_s=8) for request in requests))
    assert [reply.body["model"] for reply in told] == [f"t{number}" for number in range(12)]


def test_a_connection_is_used_again_and_a_closed_judge_opens_a_new_one() -> None:
    with far_side(says(200, REPLY)) as side:
        judge = HttpJudge(target(base_url=side.url))
        for _ in range(3):
            judge.ask(REQUEST, timeout_s=5)
        judge.close()
        judge.ask(REQUEST, timeout_s=5)
        judge.close()
        ports = [visit.handler.client_address[1] for visit in side.visits]
    assert len(set(ports[:3])) == 1
    assert ports[3] != ports[0]


def test_a_judge_that_is_closed_while_it_is_asked_fails_by_name() -> None:
    judge = HttpJudge(target(), opener=in_process(replies(REPLY)))

    def close(attempt: Attempt) -> None:
        judge.close()

    with pytest.raises(JudgeFailed, match="the judge was closed while it was asked"):
        judge.ask(REQUEST, timeout_s=5, on_attempt=close)


async def test_a_budget_that_ends_interrupts_the_attempt_and_says_so() -> None:
    attempts: list[Attempt] = []

    class Heard:
        name = "typesafe"

        def __init__(self, judge: AsyncHttpJudge) -> None:
            self.judge = judge

        async def ask(self, request: JudgeRequest, *, timeout_s: float) -> object:
            return await self.judge.ask(request, timeout_s=60, on_attempt=attempts.append)

    with far_side(stalls) as side:
        async with AsyncHttpJudge(target(base_url=side.url)) as judge:
            told = await run_async(one_request(), Heard(judge), budget_ms=150)  # type: ignore[arg-type]
    assert told == TOO_LATE
    assert [attempt.status.value for attempt in attempts] == ["pending", "cancelled"]
    assert attempts[-1].failure is not None
    assert attempts[-1].failure.code is FailureCode.ABORTED


def test_an_interrupted_caller_closes_the_attempt_that_is_under_way() -> None:
    def interrupted(request: httpx.Request) -> httpx.Response:
        raise KeyboardInterrupt

    attempts: list[Attempt] = []
    judge = HttpJudge(target(), opener=in_process(interrupted))
    with pytest.raises(KeyboardInterrupt):
        judge.ask(REQUEST, timeout_s=5, on_attempt=attempts.append)
    judge.close()
    assert [attempt.status.value for attempt in attempts] == ["pending", "cancelled"]


def test_a_far_side_sets_no_cookies() -> None:
    with far_side(says(200, REPLY, Set_Cookie="who=you; Path=/")) as side:
        judge = HttpJudge(target(base_url=side.url))
        for _ in range(2):
            judge.ask(REQUEST, timeout_s=5)
        judge.close()
        assert "cookie" not in side.visits[1].headers


def test_a_host_that_cannot_record_an_attempt_stops_the_asking() -> None:
    def full(attempt: Attempt) -> None:
        raise HostFault("the disk is full")

    judge = HttpJudge(target(), opener=in_process(replies(REPLY)))
    told: list[Attempt] = []

    def full_later(attempt: Attempt) -> None:
        told.append(attempt)
        if len(told) == 2:
            full(attempt)

    for hear in (full, full_later):
        with pytest.raises(HostFault):
            judge.ask(REQUEST, timeout_s=5, on_attempt=hear)
    judge.close()
    assert len(told) == 2


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ({"models": [{"name": "jev-latest"}, {"name": "jev-preview", "extra": 1}]}, ("jev-latest", "jev-preview")),
        ({"data": [{"id": "laya"}, {"id": 3}, "odd"]}, ("laya",)),
        ({"models": []}, ()),
    ],
)
def test_a_list_of_models_is_read_in_both_shapes(body: object, names: tuple[str, ...]) -> None:
    judge = HttpJudge(target("compatible", base_url="http://localhost:1"), opener=in_process(replies(body)))
    assert judge.models(timeout_s=5) == names
    judge.close()


@pytest.mark.parametrize("body", [{}, [], {"models": {}}, b"no JSON"])
def test_a_list_of_models_that_cannot_be_read_is_a_failure(body: object) -> None:
    judge = HttpJudge(target(), opener=in_process(replies(body)))
    with pytest.raises(JudgeFailed) as failed:
        judge.models(timeout_s=5)
    assert failed.value.failure.code is FailureCode.INVALID_RESPONSE
    judge.close()


def test_the_list_is_asked_for_with_a_get_at_the_root_of_the_address() -> None:
    seen: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json={"models": []})

    for path in ("", "/v1", "/v1/systemone", "/systemone", "/v1/decisions"):
        judge = HttpJudge(target("compatible", base_url=f"http://localhost:1{path}"), opener=in_process(handler))
        judge.models(timeout_s=5)
        judge.close()
    assert {(request.method, str(request.url)) for request in seen} == {("GET", "http://localhost:1/v1/models")}
    assert seen[0].headers["authorization"] == f"Bearer {CANARY}"


@pytest.mark.parametrize("name", ["openrouter", "cloudflare"])
def test_a_provider_without_a_list_that_helps_is_not_asked_for_one(name: str) -> None:
    judge = HttpJudge(target(name), opener=in_process(replies(500)))
    assert judge.models(timeout_s=5) is None
    judge.close()


def test_every_judge_over_http_tells_its_attempts() -> None:
    judge = HttpJudge(target())
    for each in (judge, RecoveringJudge(judge), CachedJudge(judge, MemoryStore())):
        assert isinstance(each, WatchedJudge)
        assert (each.name, each.model, each.endpoint) == ("typesafe", "jev-latest", target().endpoint)


def test_a_code_point_at_the_cut_stays_whole() -> None:
    told = ask(target(), handler=replies((400, {"detail": "x" * 199 + "😀" + "y" * 50})))
    assert "x😀…" in told.message
    told.message.encode("utf-8")


def test_the_vendors_client_is_no_part_of_the_product() -> None:
    pinned = (ROOT / "requirements" / "run.txt").read_text(encoding="utf-8")
    assert "typesafe" not in pinned
    found = [path for path in (ROOT / "policy").rglob("*.py") if re.search(r"import typesafe", path.read_text("utf-8"))]
    assert found == []
