"""One request with free questions: the state is bounded and masked, the reply checked, the rules applied."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from policy.engine.answers import Answer
from policy.engine.bounded_call import BoundedValue, bound_value
from policy.engine.bounds import clean_text
from policy.engine.canonical import canonical_json
from policy.engine.diagnostics import Diagnostics
from policy.engine.evaluation.records import Evaluation
from policy.engine.failures import Failure, FailureCode
from policy.engine.journal import Inquiry, Journal
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.mode import Mode, mode_of
from policy.engine.profile import InvalidConfig, Limits, Profile
from policy.engine.questions import Choice, Question, Questions, Score
from policy.engine.rules import Rule, decide, measure

STAGE = "provider"
LEVELS = range(2, 11)
# Worded by seed 000.
OFF = Failure(FailureCode.OFF, "mode is off: no evaluation was performed", unsent=True)

Steps = Generator[JudgeRequest, JudgeReply | Failure, Evaluation]


def evaluate(
    *,
    state: Mapping[str, Any] | str,
    questions: Questions,
    rules: Sequence[Rule] = (),
    profile: Profile,
    mode: Mode = Mode.ENFORCE,
    redact_keys: Sequence[str] = (),
) -> Steps:
    """Ask free questions about a state in one request; drive it with `policy.engine.drive`.

    Strings of the state are cut at `maxStateChars`, lists and depth at their limits, secrets are masked (field names
    of `redact_keys` too); what was lost is told. A state whose JSON is longer than twice `maxStateChars` even so is
    not sent (`INCOMPLETE_INPUT`). Raises `InvalidConfig` for questions that no judge takes, at once.
    """
    _check(questions, profile.limits)
    limits = profile.limits
    if not isinstance(state, Mapping | str):
        raise InvalidConfig(f"a state must be an object or a text; got {type(state).__name__}")
    bounded = bound_value(
        state,
        max_chars=limits.max_state_chars,
        max_items=limits.max_array_items,
        max_depth=limits.max_depth,
        redact_keys=redact_keys,
    )
    return _steps(bounded, dict(questions), tuple(rules), limits, mode_of(mode))


def _steps(bounded: BoundedValue, questions: Questions, rules: Sequence[Rule], limits: Limits, mode: Mode) -> Steps:
    journal = Journal()
    chars = len(canonical_json(bounded.value))

    def ended(answers: Mapping[str, Answer], failure: Failure | None) -> Evaluation:
        return Evaluation(
            mode=mode,
            answers=answers,
            decisions=decide(rules, answers, applied=mode is Mode.ENFORCE),
            skipped=tuple(rule.id for rule in rules if measure(rule, answers.get(rule.question)) is None),
            failure=failure,
            losses=bounded.losses,
            diagnostics=Diagnostics(
                stages=tuple(journal.stages),
                requests=tuple(journal.notes),
                state=bounded.value,
                question_sizes={
                    name: len(each.criteria) for name, each in questions.items() if isinstance(each, Choice)
                },
            ),
        )

    if mode is Mode.OFF:
        journal.stages.append("mode:off")
        return ended({}, OFF)
    if chars > 2 * limits.max_state_chars:
        journal.stages.append("state:incomplete")
        return ended({}, _too_long(chars, limits))
    asked = yield from journal.ask(bounded.value, [Inquiry(STAGE, questions, (STAGE,))])
    return ended(asked.answers, asked.failure)


def _too_long(chars: int, limits: Limits) -> Failure:
    most = 2 * limits.max_state_chars
    message = (
        f"the state has {chars} characters of JSON, and at most {most} are sent: shorten it or raise maxStateChars"
    )
    return Failure(FailureCode.INCOMPLETE_INPUT, message, unsent=True)


def _check(questions: Questions, limits: Limits) -> None:
    if not questions:
        raise InvalidConfig("an evaluation needs at least one question")
    for name, question in questions.items():
        if not isinstance(name, str) or not name.strip() or clean_text(name).lost:
            raise InvalidConfig(f"the id of a question must be a non-empty text; got {name!r:.80}")
        _check_options(name, question, limits.max_options_per_question)


def _check_options(name: str, question: Question, most: int) -> None:
    if isinstance(question, Score) and len(question.levels) not in LEVELS:
        raise InvalidConfig(f'question "{name}" needs 2 to 10 levels; it has {len(question.levels)}')
    if isinstance(question, Choice):
        if not 1 <= len(question.criteria) <= most:
            count = len(question.criteria)
            raise InvalidConfig(f'question "{name}" needs 1 to {most} labels (maxOptionsPerQuestion); it has {count}')
        if odd := [label for label in question.criteria if not isinstance(label, str) or clean_text(label).lost]:
            raise InvalidConfig(f'question "{name}" has a label that cannot be sent: {odd[0]!r:.80}')
