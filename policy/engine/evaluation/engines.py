"""The engine as one object: a judge, a profile and a mode, for callers that block and for callers that await."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, Required, TypedDict, TypeVar, Unpack

from policy.engine import drive
from policy.engine.assessment import Assessment, assess_call
from policy.engine.evaluation.records import Evaluation
from policy.engine.evaluation.run import evaluate
from policy.engine.failures import Failure
from policy.engine.judge import Judge, JudgeReply, JudgeRequest
from policy.engine.mode import DEFAULT_MODE, Mode, mode_of
from policy.engine.model_routing import ModelRouting, Route, Target, route_model
from policy.engine.profile import InvalidConfig, Profile
from policy.engine.questions import Questions
from policy.engine.rules import Rule
from policy.engine.selection import Candidate, Category, Selection, select_tools
from policy.engine.skill_routing import Skill, SkillRouting, route_skill
from policy.engine.slots import Slots

AnyJudge = TypeVar("AnyJudge")
Result = TypeVar("Result")
Steps = Generator[JudgeRequest, JudgeReply | Failure, Result]


class Terms(TypedDict, total=False):
    """How one call differs from the engine: its `mode`, who may cancel it, who sees its requests."""

    mode: Mode | str
    cancelled: drive.Cancelled | None
    on_exchange: drive.OnExchange | None


class EvaluateCall(Terms, total=False):
    rules: Sequence[Rule]
    redact_keys: Sequence[str]


class SelectCall(Terms, total=False):
    task: Required[str]
    candidates: Required[Sequence[Candidate]]
    categories: Sequence[Category]
    step: str | None
    always_allow: Sequence[str]
    max_selected: int | None
    ask_first: bool
    member_lines: bool


class AssessCall(Terms, total=False):
    task: Required[str]
    tool: Required[str]
    arguments: Required[Any]
    step: str | None
    restrictions: Sequence[str]
    schema: Mapping[str, Any] | None
    include_risk: bool
    risk_levels: Sequence[str]
    redact_keys: Sequence[str]


class ModelCall(Terms, total=False):
    task: Required[str]
    step: str | None
    routes: Required[Mapping[str, Route | None]]
    default_target: Required[Target]
    available: Required[Sequence[Target]]


class SkillCall(Terms, total=False):
    task: Required[str]
    step: str | None
    candidates: Required[Sequence[Skill]]
    max_description_chars: int
    routing_hints: Mapping[str, str] | None


@dataclass(eq=False, slots=True)
class _Stop:
    """Whether one call is to end: the engine's reason, or the caller's own word."""

    cancelled: drive.Cancelled | None
    reason: str = ""

    def __call__(self) -> bool | str:
        return self.reason or (self.cancelled is not None and self.cancelled())


class _Host(Generic[AnyJudge]):
    """What both engines share: settings, slots, and every call that is on its way."""

    def __init__(
        self,
        judge: AnyJudge,
        *,
        profile: Profile | None = None,
        mode: Mode | str = DEFAULT_MODE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if not callable(getattr(judge, "ask", None)):
            raise InvalidConfig(f"an engine needs a judge with an ask() method; got {type(judge).__name__}")
        self.judge = judge
        self.profile = profile or Profile()
        self.mode = mode_of(mode)
        self._clock = clock
        self._slots = Slots(self.profile.limits.max_concurrent)
        self._lock = threading.Lock()
        self._stops: set[_Stop] = set()

    @property
    def active_requests(self) -> int:
        """Requests at the judge now; never more than `maxConcurrent`."""
        return self._slots.held

    @property
    def waiting_requests(self) -> int:
        """Requests that wait for their turn."""
        return self._slots.waiting

    def abort_all(self, reason: str = "the engine aborts all requests") -> int:
        """End every call that is on its way, queued ones too, with `ABORTED` and the reason; returns their number.

        An awaited judge is interrupted; one that blocks goes on, and its reply is thrown away.
        """
        with self._lock:
            for stop in self._stops:
                stop.reason = stop.reason or reason
            return len(self._stops)

    def _begin(self, function: Callable[..., Steps[Result]], call: Mapping[str, Any]) -> Steps[Result]:
        terms = {key: value for key, value in call.items() if key not in ("cancelled", "on_exchange")}
        return function(**{"mode": self.mode, **terms}, profile=self.profile)

    @contextmanager
    def _driving(self, call: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """The options of a driver for one call, which `abort_all` can reach meanwhile."""
        stop = _Stop(call.get("cancelled"))
        with self._lock:
            self._stops.add(stop)
        try:
            yield {
                "budget_ms": self.profile.limits.budget_ms,
                "on_exchange": call.get("on_exchange"),
                "cancelled": stop,
                "slots": self._slots,
                "clock": self._clock,
            }
        finally:
            with self._lock:
                self._stops.discard(stop)


class Engine(_Host[Judge]):
    """For callers that block; threads may share one. Judge failures are results, `InvalidConfig` is raised.

    `maxConcurrent` bounds the requests of all its calls together; a call's whole time, waits included, is bounded by
    `budgetMs`. Every call takes the options of the function of the same name, and `Terms`.
    """

    def evaluate(
        self, state: Mapping[str, Any] | str, questions: Questions, **call: Unpack[EvaluateCall]
    ) -> Evaluation:
        return self._run(evaluate, {"state": state, "questions": questions, **call})

    def select_tools(self, **call: Unpack[SelectCall]) -> Selection:
        return self._run(select_tools, call)

    def assess_call(self, **call: Unpack[AssessCall]) -> Assessment:
        return self._run(assess_call, call)

    def route_model(self, **call: Unpack[ModelCall]) -> ModelRouting:
        return self._run(route_model, call)

    def route_skill(self, **call: Unpack[SkillCall]) -> SkillRouting:
        return self._run(route_skill, call)

    def _run(self, function: Callable[..., Steps[Result]], call: Mapping[str, Any]) -> Result:
        steps = self._begin(function, call)
        with self._driving(call) as options:
            return drive.run(steps, self.judge, **options)


class AsyncEngine(_Host[drive.AsyncJudge]):
    """The same for callers that await; a judge is interrupted by the budget, by a cancel and by `abort_all`."""

    async def evaluate(
        self, state: Mapping[str, Any] | str, questions: Questions, **call: Unpack[EvaluateCall]
    ) -> Evaluation:
        return await self._run(evaluate, {"state": state, "questions": questions, **call})

    async def select_tools(self, **call: Unpack[SelectCall]) -> Selection:
        return await self._run(select_tools, call)

    async def assess_call(self, **call: Unpack[AssessCall]) -> Assessment:
        return await self._run(assess_call, call)

    async def route_model(self, **call: Unpack[ModelCall]) -> ModelRouting:
        return await self._run(route_model, call)

    async def route_skill(self, **call: Unpack[SkillCall]) -> SkillRouting:
        return await self._run(route_skill, call)

    async def _run(self, function: Callable[..., Steps[Result]], call: Mapping[str, Any]) -> Result:
        steps = self._begin(function, call)
        with self._driving(call) as options:
            return await drive.run_async(steps, self.judge, **options)
