"""Rules over answers: what a host wants decided when a value is reached (seed 000; spec section 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from policy.engine.answers import Answer, ChoiceAnswer, NoulAnswer, ScoreAnswer
from policy.engine.decisions import Action, Decision
from policy.engine.profile import InvalidConfig


class RuleKind(StrEnum):
    """What is compared: at-least includes the value itself, below does not."""

    NOUL_AT_LEAST = "noul-at-least"
    NOUL_BELOW = "noul-below"
    CHOICE_IS = "choice-is"
    CHOICE_NOT = "choice-not"
    CONFIDENCE_BELOW = "confidence-below"
    SCORE_AT_LEAST = "score-at-least"


LABEL_KINDS = frozenset({RuleKind.CHOICE_IS, RuleKind.CHOICE_NOT})


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a host: `value` for the kinds that compare a number, `label` for the two that compare a choice.

    Raises `InvalidConfig` when it could never be applied as written.
    """

    id: str
    kind: RuleKind
    question: str
    action: Action
    reason: str
    value: float | None = None
    label: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", _member(RuleKind, self.kind, f'kind of rule "{self.id}"'))
        object.__setattr__(self, "action", _member(Action, self.action, f'action of rule "{self.id}"'))
        if self.kind in LABEL_KINDS:
            if not isinstance(self.label, str) or self.value is not None:
                raise InvalidConfig(f'rule "{self.id}" compares a choice: it needs a label and no value')
        elif not _is_value(self.value) or self.label is not None:
            raise InvalidConfig(f'rule "{self.id}" compares a number: it needs a value, 0 or more, and no label')


@dataclass(frozen=True, slots=True)
class Found:
    """What a rule found in an answer: whether it fires, the number that it looked at, and both as text."""

    fires: bool
    measured: float
    text: str


def decide(rules: Sequence[Rule], answers: Mapping[str, Answer], *, applied: bool) -> tuple[Decision, ...]:
    """Every rule that fires, in the order of the rules; one without a fitting answer is passed over."""
    fired = []
    for rule in rules:
        looked = _look(rule, answers.get(rule.question))
        if looked is not None and looked[0]:
            found = _found(rule, looked)
            reason = f"{rule.reason} ({found.text})"
            fired.append(Decision(rule.action, rule.id, reason, rule.question, applied, found.measured))
    return tuple(fired)


def measure(rule: Rule, answer: Answer | None) -> Found | None:
    """What the rule finds in the answer; None where there is none, or one of another type."""
    looked = _look(rule, answer)
    return None if looked is None else _found(rule, looked)


def number_text(value: float) -> str:
    """Whole numbers plain, others with three decimals."""
    return f"{value:.3f}" if value % 1 else f"{value:.0f}"


# Whether the rule fires, the number that it looked at, and what that number is or the label that was chosen.
_Look = tuple[bool, float, str]


def _look(rule: Rule, answer: Answer | None) -> _Look | None:
    reader = _READERS[rule.kind]
    return None if answer is None else reader(rule, answer)


def _found(rule: Rule, looked: _Look) -> Found:
    fires, measured, name = looked
    if rule.kind in LABEL_KINDS:
        return Found(fires, measured, f"choice={name}")
    sign = "<" if rule.kind in _BELOW else ">="
    return Found(fires, measured, f"{name}={number_text(measured)} {sign} {number_text(rule.value or 0.0)}")


def _noul_at_least(rule: Rule, answer: Answer) -> _Look | None:
    return (answer.noul >= (rule.value or 0.0), answer.noul, "noul") if isinstance(answer, NoulAnswer) else None


def _noul_below(rule: Rule, answer: Answer) -> _Look | None:
    return (answer.noul < (rule.value or 0.0), answer.noul, "noul") if isinstance(answer, NoulAnswer) else None


def _score_at_least(rule: Rule, answer: Answer) -> _Look | None:
    return (answer.score >= (rule.value or 0.0), answer.score, "score") if isinstance(answer, ScoreAnswer) else None


def _confidence_below(rule: Rule, answer: Answer) -> _Look | None:
    if isinstance(answer, NoulAnswer):
        return None
    return answer.confidence < (rule.value or 0.0), answer.confidence, "confidence"


def _choice(rule: Rule, answer: Answer) -> _Look | None:
    if not isinstance(answer, ChoiceAnswer):
        return None
    fires = (answer.choice == rule.label) == (rule.kind is RuleKind.CHOICE_IS)
    return fires, answer.probabilities[answer.choice], answer.choice


_BELOW = frozenset({RuleKind.NOUL_BELOW, RuleKind.CONFIDENCE_BELOW})
_READERS: Mapping[RuleKind, Callable[[Rule, Answer], _Look | None]] = {
    RuleKind.NOUL_AT_LEAST: _noul_at_least,
    RuleKind.NOUL_BELOW: _noul_below,
    RuleKind.CHOICE_IS: _choice,
    RuleKind.CHOICE_NOT: _choice,
    RuleKind.CONFIDENCE_BELOW: _confidence_below,
    RuleKind.SCORE_AT_LEAST: _score_at_least,
}


def _member(kind: type[StrEnum], value: object, what: str) -> StrEnum:
    if value not in tuple(kind):
        raise InvalidConfig(f"the {what} must be one of {', '.join(kind)}; got {value!r:.80}")
    return kind(str(value))


def _is_value(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
