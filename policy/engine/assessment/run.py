"""The assessment itself: what can be known without a judge, then three questions in one request, then the rules."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from policy.engine import arguments as schemas
from policy.engine import rules
from policy.engine.answers import Answer, NoulAnswer, ScoreAnswer
from policy.engine.assessment.records import Assessment, Risk, Rule, Status, Values
from policy.engine.bounded_call import Loss
from policy.engine.call_questions import (
    MATCHES_TASK,
    MISSING_INFORMATION,
    QUESTIONS,
    RISK,
    RISK_LEVELS,
    RISK_TEXT,
    VIOLATES_RESTRICTION,
)
from policy.engine.call_state import CALL_NOTICE, CallState, call_state
from policy.engine.canonical import digest
from policy.engine.decisions import Action, Decision, strictest
from policy.engine.diagnostics import Diagnostics
from policy.engine.failures import Failure, FailureCode, Violation
from policy.engine.journal import Inquiry, Journal
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.mode import Mode, mode_of
from policy.engine.profile import InvalidConfig, Profile, Thresholds
from policy.engine.questions import Question, Score

QUESTION_SET = "tool-call/1"
LEVELS = range(2, 11)
TOO_BIG = "call arguments do not fit the assessment bound"
RULES_TOO_BIG = "the restrictions cannot be put to a judge as they are"
MOST_LISTED = 8

_OPTIONAL = frozenset({RISK})
_STATUSES = {action: Status(action.value) for action in Action}

Steps = Generator[JudgeRequest, JudgeReply | Failure, Assessment]


def assess_call(
    *,
    task: str,
    tool: str,
    arguments: Any,
    step: str | None = None,
    restrictions: Sequence[str] = (),
    schema: Mapping[str, Any] | None = None,
    profile: Profile,
    mode: Mode = Mode.ENFORCE,
    include_risk: bool = False,
    risk_levels: Sequence[str] = RISK_LEVELS,
    redact_keys: Iterable[str] = (),
) -> Steps:
    """Weigh one call against its task and the restrictions; drive it with `policy.engine.drive`.

    Nothing is sent where a judge would not see the whole call and every restriction, or where the tool's `schema`
    requires an argument that is missing. A failure is `onFailure.toolAssessment`, never an allow; a `risk` (2 to 10
    levels) never gates. Raises `InvalidConfig` for an unusable option, at once and not when driven.
    """
    if isinstance(restrictions, str) or not all(isinstance(each, str) for each in restrictions):
        raise InvalidConfig("restrictions must be a list of texts; put a single one into a list")
    state = call_state(
        task=task,
        tool=tool,
        arguments=arguments,
        step=step,
        restrictions=restrictions,
        limits=profile.limits,
        redact_keys=redact_keys,
    )
    return _Run(
        state=state,
        missing=None if schema is None else _missing(schema, arguments),
        questions={**QUESTIONS, RISK: _risk(risk_levels)} if include_risk else QUESTIONS,
        profile=profile,
        mode=mode_of(mode),
    ).steps()


def question_set_digest() -> str:
    """SHA-256 of the fixed texts: measurements under another digest are measurements of other questions."""
    texts = {name: question.to_wire() for name, question in QUESTIONS.items()}
    return digest([QUESTION_SET, texts, RISK_TEXT, list(RISK_LEVELS), CALL_NOTICE])


@dataclass(slots=True)
class _Run:
    state: CallState
    missing: Decision | None
    questions: Mapping[str, Question]
    profile: Profile
    mode: Mode
    journal: Journal = field(default_factory=Journal)

    def steps(self) -> Steps:
        if self.mode is Mode.OFF:
            self.journal.stages.append("mode:off")
            return self._ended(Status.OFF, ())
        if self.state.losses:
            self.journal.stages.append("arguments:incomplete")
            return self._incomplete(self.state.losses)
        if self.missing is not None:
            self.journal.stages.append("arguments:missing")
            return self._decided((self.missing,))
        inquiry = Inquiry("assessment", self.questions, ("assessment:batched",), optional=_OPTIONAL)
        asked = yield from self.journal.ask(self.state.state, [inquiry])
        failure = asked.failure
        if failure is None:
            return self._judged(asked.answers)
        action = self.profile.on_failure.tool_assessment
        rule = Rule.FAILURE_HOLD if action is Action.HOLD else Rule.FAILURE_ASK
        return self._failed(rule, f"no assessment available: {failure.code.value}", failure)

    def _judged(self, answers: Mapping[str, Answer]) -> Assessment:
        fired = rules.decide(_rules(self.profile.thresholds), answers, applied=self._applied)
        cuts = self.profile.thresholds
        values = _values(answers)
        if not fired:
            return self._ended(Status.ALLOW, (_clear(cuts, values, self._applied),), values=values)
        return self._decided(fired, values=values)

    def _decided(self, decisions: tuple[Decision, ...], *, values: Values | None = None) -> Assessment:
        action = strictest([decision.action for decision in decisions])
        return self._ended(_STATUSES[action], decisions, values=values)

    def _incomplete(self, losses: Sequence[Loss]) -> Assessment:
        """The whole call or nothing: a slice of it is never put to a judge."""
        listed = "; ".join(str(loss) for loss in losses[:MOST_LISTED])
        what = RULES_TOO_BIG if losses[0].path.startswith("restrictions") else TOO_BIG
        failure = Failure(
            FailureCode.INCOMPLETE_INPUT,
            f"{what}, so nothing was sent: {listed}; shorten it, or raise the limits of the profile",
            tuple(Violation(loss.path, str(loss.kind)) for loss in losses[:MOST_LISTED]),
        )
        return self._failed(Rule.INCOMPLETE, f"{what} ({listed})", failure)

    def _failed(self, rule: Rule, reason: str, failure: Failure) -> Assessment:
        action = self.profile.on_failure.tool_assessment
        return self._ended(_STATUSES[action], (Decision(action, rule.value, reason),), failure=failure)

    @property
    def _applied(self) -> bool:
        return self.mode is Mode.ENFORCE

    def _ended(
        self,
        status: Status,
        decisions: Sequence[Decision],
        *,
        values: Values | None = None,
        failure: Failure | None = None,
    ) -> Assessment:
        sent = bool(self.journal.notes)
        return Assessment(
            status=status,
            mode=self.mode,
            tool=self.state.call.tool,
            signature=self.state.call.signature,
            values=values or Values(),
            decisions=tuple([_as(each, applied=self._applied) for each in decisions]),
            restrictions=self.state.restrictions,
            losses=self.state.losses,
            failure=failure,
            diagnostics=Diagnostics(
                question_set=QUESTION_SET,
                stages=tuple(self.journal.stages),
                requests=tuple(self.journal.notes),
                loss=self.state.loss,
                state=self.state.state if sent else {},
            ),
        )


def _as(decision: Decision, *, applied: bool) -> Decision:
    return decision if decision.applied is applied else replace(decision, applied=applied)


@lru_cache(maxsize=64)
def _rules(cuts: Thresholds) -> tuple[rules.Rule, ...]:
    """The three rules of seed 000, in its order and its words."""
    at_least, below = rules.RuleKind.NOUL_AT_LEAST, rules.RuleKind.NOUL_BELOW
    return (
        rules.Rule(
            Rule.VIOLATION.value,
            at_least,
            VIOLATES_RESTRICTION,
            Action.DENY,
            "action likely contradicts an explicitly stated restriction",
            cuts.restriction,
        ),
        rules.Rule(
            Rule.MISSING.value,
            at_least,
            MISSING_INFORMATION,
            Action.ASK,
            "required information is likely missing",
            cuts.missing_information,
        ),
        rules.Rule(
            Rule.MISMATCH.value,
            below,
            MATCHES_TASK,
            Action.ASK,
            "call likely does not serve the current task",
            cuts.task_match,
        ),
    )


def _clear(cuts: Thresholds, values: Values, applied: bool) -> Decision:
    """An allow says what it measured as well."""
    measured = (values.violates_restriction, values.missing_information, values.matches_task)
    reason = _clear_text(cuts) % tuple([rules.number_text(value or 0.0) for value in measured])
    return Decision(Action.ALLOW, Rule.CLEAR.value, reason, applied=applied)


@lru_cache(maxsize=64)
def _clear_text(cuts: Thresholds) -> str:
    """What the three answers are compared with, with places for what was measured."""
    restriction, missing, match = map(rules.number_text, (cuts.restriction, cuts.missing_information, cuts.task_match))
    return (
        f"no rule against the call fired ({VIOLATES_RESTRICTION}=%s < {restriction}, "
        f"{MISSING_INFORMATION}=%s < {missing}, {MATCHES_TASK}=%s >= {match})"
    )


def _missing(schema: Mapping[str, Any], given: Any) -> Decision | None:
    """Arguments that are no object give none of those that the schema requires."""
    return schemas.decide(schema, given if isinstance(given, Mapping) else {})


def _risk(levels: Sequence[str]) -> Score:
    if isinstance(levels, str) or len(levels) not in LEVELS or not all(isinstance(level, str) for level in levels):
        raise InvalidConfig(
            f"riskLevels must be a list of {LEVELS[0]} to {LEVELS[-1]} texts, the mildest first; got {levels!r:.80}"
        )
    return Score(RISK_TEXT, tuple(levels))


def _noul(answers: Mapping[str, Answer], name: str) -> float:
    answer = answers[name]
    assert isinstance(answer, NoulAnswer)
    return answer.noul


def _values(answers: Mapping[str, Answer]) -> Values:
    risk = answers.get(RISK)
    return Values(
        matches_task=_noul(answers, MATCHES_TASK),
        missing_information=_noul(answers, MISSING_INFORMATION),
        violates_restriction=_noul(answers, VIOLATES_RESTRICTION),
        risk=Risk(risk.score, risk.confidence) if isinstance(risk, ScoreAnswer) else None,
    )
