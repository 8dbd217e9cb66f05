"""The routing itself: one choice over the configured classes; a route is never invented."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from policy.engine.answers import ChoiceAnswer
from policy.engine.bounds import bound_line
from policy.engine.canonical import digest
from policy.engine.contract import invalid_reply
from policy.engine.diagnostics import Diagnostics
from policy.engine.failures import Failure
from policy.engine.journal import Inquiry, Journal
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.mode import Mode, mode_of
from policy.engine.model_routing.records import (
    Dropped,
    DropReason,
    ModelRouting,
    Route,
    RouteClass,
    Rule,
    Status,
    Target,
)
from policy.engine.profile import InvalidConfig, Profile
from policy.engine.questions import Choice
from policy.engine.task_state import task_state

QUESTION_SET = "model-route/1"
QUESTION = "route"
KEEP = "default"
MAX_DESCRIPTION_CHARS = 200
MAX_TARGET_CHARS = 200

ROUTE_TEXT = "Which configured model route fits this task?"
KEEP_TEXT = "Keep the currently selected model."
CLASS_TEXT = 'Route "{route}" ({target}).'


Steps = Generator[JudgeRequest, JudgeReply | Failure, ModelRouting]


def route_model(
    *,
    task: str,
    step: str | None = None,
    routes: Mapping[str, Route | None],
    default_target: Target,
    available: Sequence[Target],
    profile: Profile,
    mode: Mode = Mode.ENFORCE,
) -> Steps:
    """Ask which class fits the task; drive it with `policy.engine.drive`.

    A class without a route is not offered and recorded. Routed only when the class has at least `modelRoute` and its
    target is among `available`; anything else, a failure included, keeps the default target (status `fallback`).
    Raises `InvalidConfig` for an unknown class or mode, at once and not when driven.
    """
    return _Run(
        task=task,
        step=step,
        routes={_class_of(name): route for name, route in routes.items() if route is not None},
        dropped=tuple(
            Dropped(_class_of(name).value, DropReason.NO_TARGET) for name, route in routes.items() if route is None
        ),
        default_target=default_target,
        available=frozenset(available),
        profile=profile,
        mode=mode_of(mode),
    ).steps()


def question_set_digest() -> str:
    """SHA-256 of the fixed texts: measurements under another digest are measurements of other questions."""
    return digest([QUESTION_SET, ROUTE_TEXT, KEEP_TEXT, CLASS_TEXT])


@dataclass(slots=True)
class _Run:
    task: str
    step: str | None
    routes: Mapping[RouteClass, Route]
    dropped: tuple[Dropped, ...]
    default_target: Target
    available: frozenset[Target]
    profile: Profile
    mode: Mode
    journal: Journal = field(default_factory=Journal)
    loss: dict[str, int] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    state: Mapping[str, Any] = field(default_factory=dict)

    def steps(self) -> Steps:
        if self.mode is Mode.OFF:
            self.journal.stages.append("mode:off")
            return self._kept(Rule.OFF, "mode is off")
        if not self.routes:
            self.journal.stages.append("prefilter:no-routes")
            return self._kept(Rule.NO_ROUTES, "no routes configured")
        inquiry = Inquiry("route", {QUESTION: self._question()}, ("model:choice",))
        asked = yield from self.journal.ask(self._state(), [inquiry])
        answer = asked.answers.get(QUESTION)
        if isinstance(answer, ChoiceAnswer):
            return self._judged(answer)
        failure = asked.failure or invalid_reply(())
        reason = f"routing failed ({failure.code.value}); keeping the existing model"
        return self._kept(Rule.FAILURE, reason, failure=failure)

    def _state(self) -> Mapping[str, Any]:
        bounded = task_state(self.task, self.step, max_state_chars=self.profile.limits.max_state_chars)
        state = {**bounded.state, "default": self._line("default", str(self.default_target), MAX_TARGET_CHARS)}
        self.loss.update(bounded.loss)
        self.state = state
        return state

    def _question(self) -> Choice:
        criteria = {KEEP: KEEP_TEXT, **{name.value: self._criterion(name, it) for name, it in self.routes.items()}}
        self.sizes[QUESTION] = len(criteria)
        return Choice(ROUTE_TEXT, criteria)

    def _criterion(self, name: RouteClass, route: Route) -> str:
        target = self._line(f"target:{name.value}", str(route.target), MAX_TARGET_CHARS)
        text = CLASS_TEXT.format(route=name.value, target=target)
        if not route.description:
            return text
        return f"{text} {self._line(f'route:{name.value}', route.description, MAX_DESCRIPTION_CHARS)}"

    def _line(self, place: str, text: str, max_chars: int) -> str:
        bounded = bound_line(text, max_chars)
        if bounded.lost:
            self.loss[place] = bounded.lost
        return bounded.text

    def _judged(self, answer: ChoiceAnswer) -> ModelRouting:
        """The first rule that holds: kept by the judge, too weak, not available, routed. Confidence plays no part."""
        cut, share = self.profile.thresholds.model_route, answer.probabilities[answer.choice]
        if answer.choice == KEEP:
            return self._kept(Rule.KEPT, "model chose to keep the existing route", answer)
        if share < cut:
            shown = repr(cut).removesuffix(".0")
            return self._kept(Rule.BELOW_THRESHOLD, f"route probability {share:.3f} below threshold {shown}", answer)
        route = RouteClass(answer.choice)
        target = self.routes[route].target
        if target not in self.available:
            reason = f'route "{route}" target {target} is not available'
            return self._kept(Rule.NOT_AVAILABLE, reason, answer)
        reason = f'route "{route}" selected and verified available'
        return self._ended(Status.ROUTED, Rule.ROUTED, reason, target, answer=answer, route=route)

    def _kept(
        self, rule: Rule, reason: str, answer: ChoiceAnswer | None = None, *, failure: Failure | None = None
    ) -> ModelRouting:
        status = Status.OFF if rule is Rule.OFF else Status.FALLBACK
        return self._ended(status, rule, reason, self.default_target, answer=answer, failure=failure)

    def _ended(
        self,
        status: Status,
        rule: Rule,
        reason: str,
        target: Target,
        *,
        answer: ChoiceAnswer | None,
        route: RouteClass | None = None,
        failure: Failure | None = None,
    ) -> ModelRouting:
        return ModelRouting(
            status=status,
            rule=rule,
            reason=reason,
            mode=self.mode,
            target=target,
            route=route,
            choice=None if answer is None else answer.choice,
            probability=None if answer is None else answer.probabilities[answer.choice],
            confidence=None if answer is None else answer.confidence,
            probabilities={} if answer is None else answer.probabilities,
            dropped=self.dropped,
            failure=failure,
            diagnostics=Diagnostics(
                question_set=QUESTION_SET,
                stages=tuple(self.journal.stages),
                requests=tuple(self.journal.notes),
                question_sizes=self.sizes,
                loss=self.loss,
                state=self.state,
            ),
        )


def _class_of(name: str) -> RouteClass:
    if name not in tuple(RouteClass):
        raise InvalidConfig(f"a route class must be one of {', '.join(RouteClass)}; got {name!r:.80}")
    return RouteClass(name)
