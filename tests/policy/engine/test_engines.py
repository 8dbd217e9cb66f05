"""The engine as one object: settings, limits on requests at once, and ending everything."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from policy.engine.evaluation import AsyncEngine, Engine, Evaluation
from policy.engine.failures import Failure, FailureCode
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.mode import Mode
from policy.engine.model_routing import Route, Target
from policy.engine.profile import InvalidConfig, Limits, Profile
from policy.engine.questions import Noul
from policy.engine.skill_routing import Skill
from policy.judges.scripted import Script, ScriptedJudge
from tests.policy.engine.doubles import Awaited, Clock, SlowJudge, reply, tools

GO = {"go": Noul("Go?")}
SMALL, BIG = Target("acme", "small-1"), Target("acme", "big-2")
SCRIPT = Script(
    {"rel_net": {"noul": 0.9}, "pick_net": {"choice": "dig"}, "route": {"choice": "fast"}, "skill": {"choice": "sql"}}
)
CALLS: dict[str, dict[str, Any]] = {
    "evaluate": {"state": {"a": 1}, "questions": GO},
    "select_tools": {"task": "t", "candidates": tools(net="dig ping")},
    "assess_call": {"task": "t", "tool": "dig", "arguments": {"host": "a"}, "restrictions": ["Only look."]},
    "route_model": {"task": "t", "routes": {"fast": Route(SMALL)}, "default_target": BIG, "available": [SMALL]},
    "route_skill": {"task": "t", "candidates": [Skill("sql", "Queries.")]},
}


class Gate:
    """Holds every request until it is opened; `arrived` counts them."""

    name = "gate"

    def __init__(self) -> None:
        self.open = threading.Event()
        self.arrived = threading.Semaphore(0)

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        self.arrived.release()
        self.open.wait(timeout_s)
        return reply({name: {"type": "noul", "noul": 0.9} for name in request.questions})


class Hanging:
    """Awaited, and never answers; counts who came and who was let go."""

    name = "hanging"

    def __init__(self) -> None:
        self.came = self.left = 0

    async def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        self.came += 1
        try:
            await asyncio.Event().wait()
        finally:
            self.left += 1
        raise AssertionError("an event that nobody sets was set")


def started(count: int, engine: Engine, told: list[Evaluation]) -> list[threading.Thread]:
    threads = [threading.Thread(target=lambda: told.append(engine.evaluate({}, GO))) for _ in range(count)]
    for thread in threads:
        thread.start()
    return threads


def test_a_host_that_says_nothing_is_in_shadow_with_the_defaults() -> None:
    engine = Engine(ScriptedJudge())
    assert (engine.mode, engine.profile, engine.active_requests) == (Mode.SHADOW, Profile(), 0)


@pytest.mark.parametrize(
    ("judge", "options", "message"),
    [
        (None, {}, r"needs a judge with an ask\(\) method; got NoneType"),
        (object(), {}, r"needs a judge with an ask\(\) method"),
        (ScriptedJudge(), {"mode": "on"}, "mode must be off, shadow or enforce"),
    ],
)
def test_an_engine_that_could_not_work_is_refused_at_once(judge: Any, options: Any, message: str) -> None:
    with pytest.raises(InvalidConfig, match=message):
        Engine(judge, **options)


@pytest.mark.parametrize("name", list(CALLS))
async def test_both_engines_decide_the_same(name: str) -> None:
    engine = Engine(ScriptedJudge(SCRIPT), mode="enforce")
    awaited = AsyncEngine(Awaited(ScriptedJudge(SCRIPT)), mode="enforce")
    told, again = getattr(engine, name)(**CALLS[name]), await getattr(awaited, name)(**CALLS[name])
    assert told.decision_json() == again.decision_json()
    assert told.applied


@pytest.mark.parametrize("name", list(CALLS))
def test_a_call_has_the_mode_of_the_engine_unless_it_names_its_own(name: str) -> None:
    engine = Engine(ScriptedJudge(SCRIPT), mode=Mode.OFF)
    assert getattr(engine, name)(**CALLS[name]).mode is Mode.OFF
    assert getattr(engine, name)(**CALLS[name], mode="shadow").mode is Mode.SHADOW


def test_the_profile_of_the_engine_decides() -> None:
    strict = Profile.from_json({"thresholds": {"modelRoute": 0.95}})
    assert (
        Engine(ScriptedJudge(SCRIPT), profile=strict).route_model(**CALLS["route_model"]).rule
        == "model.below-threshold"
    )


def test_the_host_sees_every_exchange_of_a_call() -> None:
    seen: list[Any] = []
    Engine(ScriptedJudge(SCRIPT)).select_tools(**CALLS["select_tools"], on_exchange=lambda *each: seen.append(each))
    assert [request.stage for request, _ in seen] == ["relevance:batch-1", "pick:batch-1"]


def test_the_budget_bounds_a_whole_call() -> None:
    clock = Clock()
    engine = Engine(SlowJudge(clock, delay_s=9), profile=Profile(limits=Limits(budget_ms=500)), clock=clock)
    told = engine.evaluate({}, GO)
    assert told.failure is not None
    assert told.failure.code is FailureCode.TIMEOUT
    assert clock() == 0.5


def test_a_third_request_waits_and_ending_everything_reaches_all_three() -> None:
    gate = Gate()
    engine, told = Engine(gate, profile=Profile(limits=Limits(budget_ms=60_000))), list[Evaluation]()
    threads = started(3, engine, told)
    gate.arrived.acquire()
    gate.arrived.acquire()
    while not engine.waiting_requests:
        threading.Event().wait(0.001)
    assert engine.active_requests == 2
    assert engine.abort_all("closing down") == 3
    while engine.waiting_requests:
        threading.Event().wait(0.001)
    gate.open.set()
    for thread in threads:
        thread.join()
    failures = [each.failure for each in told]
    assert [failure.code for failure in failures if failure] == [FailureCode.ABORTED] * 3
    assert all(failure.message.endswith(": closing down") for failure in failures if failure)
    assert not gate.arrived.acquire(blocking=False)
    assert engine.active_requests == 0


def test_an_engine_goes_on_after_everything_was_ended() -> None:
    engine = Engine(ScriptedJudge())
    assert engine.abort_all() == 0
    assert engine.evaluate({}, GO).ok


async def test_ending_everything_interrupts_awaited_judges_and_those_in_the_queue() -> None:
    judge = Hanging()
    engine = AsyncEngine(judge, profile=Profile(limits=Limits(budget_ms=60_000)))
    calls = [asyncio.ensure_future(engine.evaluate({}, GO)) for _ in range(5)]
    while engine.waiting_requests < 3:
        await asyncio.sleep(0)
    assert engine.abort_all("closing down") == 5
    told = [each.failure for each in await asyncio.gather(*calls)]
    assert [failure.code for failure in told if failure] == [FailureCode.ABORTED] * 5
    assert (judge.came, judge.left, engine.active_requests) == (2, 2, 0)


async def test_a_cancelled_task_frees_its_slot() -> None:
    engine = AsyncEngine(Hanging(), profile=Profile(limits=Limits(max_concurrent=1)))
    task = asyncio.ensure_future(engine.evaluate({}, GO))
    while not engine.active_requests:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert engine.active_requests == 0
    assert engine.abort_all() == 0


def test_a_caller_may_cancel_its_own_call() -> None:
    told = Engine(ScriptedJudge()).evaluate({}, GO, cancelled=lambda: "changed my mind")
    assert told.failure == Failure(
        FailureCode.ABORTED, "the caller cancelled before this request was sent: changed my mind", unsent=True
    )


def test_a_wrong_call_holds_nothing() -> None:
    engine = Engine(ScriptedJudge())
    with pytest.raises(InvalidConfig):
        engine.evaluate({}, {})
    assert engine.abort_all() == 0
