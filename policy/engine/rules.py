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
    found = ((rule, measure(rule, answers.get(rule.question))) for rule in rules)
    return tuple(
        Decision(rule.action, rule.id, f"{rule.reason} ({it.text})", rule.question, applied, it.measured)
        for rule, it in found
        if it is not None and it.fires
    )


def measure(rule: Rule, answer: Answer | None) -> Found | None:
    """What the rule finds in the answer; None where there is none, or one of another type."""
    reader = _READERS[rule.kind]
    return None if answer is None else reader(rule, answer)


def number_text(value: float) -> str:
    """Whole numbers plain, others with three decimals."""
    return f"{value:.0f}" if value == round(value) else f"{value:.3f}"


def _noul_at_least(rule: Rule, answer: Answer) -> Found | None:
    return _at_least("noul", answer.noul, rule) if isinstance(answer, NoulAnswer) else None


def _noul_below(rule: Rule, answer: Answer) -> Found | None:
    return _below("noul", answer.noul, rule) if isinstance(answer, NoulAnswer) else None


def _score_at_least(rule: Rule, answer: Answer) -> Found | None:
    return _at_least("score", answer.score, rule) if isinstance(answer, ScoreAnswer) else None


def _confidence_below(rule: Rule, answer: Answer) -> Found | None:
    return None if isinstance(answer, NoulAnswer) else _below("confidence", answer.confidence, rule)


def _choice(rule: Rule, answer: Answer) -> Found | None:
    if not isinstance(answer, ChoiceAnswer):
        return None
    same = answer.choice == rule.label
    fires = same if rule.kind is RuleKind.CHOICE_IS else not same
    return Found(fires, answer.probabilities[answer.choice], f"choice={answer.choice}")


def _at_least(name: str, measured: float, rule: Rule) -> Found:
    cut = rule.value or 0.0
    return Found(measured >= cut, measured, f"{name}={number_text(measured)} >= {number_text(cut)}")


def _below(name: str, measured: float, rule: Rule) -> Found:
    cut = rule.value or 0.0
    return Found(measured < cut, measured, f"{name}={number_text(measured)} < {number_text(cut)}")


_READERS: Mapping[RuleKind, Callable[[Rule, Answer], Found | None]] = {
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
