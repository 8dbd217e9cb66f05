"""The validated answers as bars, in the order asked, each with the thresholds that it is compared with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from policy.engine.answers import Answer, ChoiceAnswer, NoulAnswer, ScoreAnswer
from policy.engine.call_questions import MATCHES_TASK, MISSING_INFORMATION, VIOLATES_RESTRICTION
from policy.engine.questions import Question
from policy.engine.selection import Selection
from policy.judge_card import number
from policy.lab.cuts import Cut, Cuts, meaning

MOST_BARS = 8
_CALL_CUTS = {
    MATCHES_TASK: "task_match",
    MISSING_INFORMATION: "missing_information",
    VIOLATES_RESTRICTION: "restriction",
}
_NAMES = {"__none__": "none of them", "default": "keep the model in force"}


@dataclass(frozen=True, slots=True)
class Bar:
    """One measured share; `exact` has every digit. `cut` names the threshold whose tick stands in it, `at` is where.

    `fires` is true where the threshold is reached, or where there is none and the answer chose it.
    """

    label: str
    share: str
    text: str
    exact: str
    cut: str = ""
    at: str = ""
    fires: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """One answer, or several that share a threshold. `bar` is drawn inside the slider of the only cut."""

    code: str
    asks: str
    cuts: tuple[Cut, ...] = ()
    bar: Bar | None = None
    bars: tuple[Bar, ...] = ()
    levels: tuple[str, ...] = ()
    note: str = ""


def of_selection(result: Selection, cuts: Cuts) -> Iterator[Group]:
    """The question that comes first, the relevance of every category, the picks of the relevant ones."""
    if result.ask_first is not None:
        asks = "Does the task leave something open, so that one has to ask before acting?"
        yield Group("ask_first", asks, cuts.some("ask_first"), _bar("", result.ask_first, cuts, "ask_first"))
    known = [each for each in result.categories if each.relevance is not None]
    if known:
        bars = tuple(_bar(each.category, each.relevance or 0.0, cuts, "relevance") for each in known)
        yield Group("relevance", "Is a tool of this category relevant for the task?", cuts.some("relevance"), bars=bars)
    picks = tuple(_picks(result, cuts))
    if picks:
        asks = "Which tool of each relevant category fits?"
        yield Group("pick", asks, cuts.some("selection", "confidence"), bars=picks)


def of_answers(
    questions: Mapping[str, Question], answers: Mapping[str, Answer], cuts: Cuts, broken: Mapping[str, str]
) -> Iterator[Group]:
    """One group per question that was sent; `broken` says why an answer could not be used."""
    for name, question in questions.items():
        answer = answers.get(name)
        if answer is None:
            yield Group(name, question.instructions, note=broken.get(name, "not answered"))
        elif isinstance(answer, NoulAnswer):
            cut = _CALL_CUTS.get(name, "skill")
            yield Group(name, question.instructions, cuts.some(cut), _bar("", answer.noul, cuts, cut))
        elif isinstance(answer, ScoreAnswer):
            yield _score(name, question, answer)
        else:
            yield _choice(name, question.instructions, answer, cuts)


def _choice(name: str, asks: str, answer: ChoiceAnswer, cuts: Cuts) -> Group:
    names = ("model_route",) if name == "route" else ("selection", "confidence")
    note = f"confidence {number(answer.confidence)}" + ("" if name == "skill" else ", which decides nothing here")
    return Group(name, asks, cuts.some(*names), bars=tuple(_options(answer, cuts, names[0])), note=note)


def _options(answer: ChoiceAnswer, cuts: Cuts, cut: str) -> Iterator[Bar]:
    ranked = sorted(answer.probabilities.items(), key=lambda item: (item[0] != answer.choice, -item[1]))
    for label, share in ranked[:MOST_BARS]:
        chosen = label == answer.choice
        yield _bar(_NAMES.get(label, label), share, cuts, cut if chosen and label not in _NAMES else "", chosen=chosen)


def _score(name: str, question: Any, answer: ScoreAnswer) -> Group:
    last = max(len(question.levels) - 1, 1)
    bar = Bar("", f"{answer.score / last:.4f}", f"{answer.score:.2f}", repr(answer.score))
    return Group(name, question.instructions, bar=bar, levels=tuple(question.levels), note="never decides")


def _picks(result: Selection, cuts: Cuts) -> Iterator[Bar]:
    for category in result.categories:
        for pick in category.picks:
            best = sorted(pick.probabilities.items(), key=lambda item: (item[0] != pick.choice, -item[1]))
            for label, share in best[:3]:
                chosen = label == pick.choice
                about = f", confidence {number(pick.confidence)}" if chosen else ""
                tool = _NAMES.get(label, label)
                cut = "selection" if chosen and label not in _NAMES else ""
                yield _bar(f"{category.category} / {tool}{about}", share, cuts, cut, chosen=chosen)


def _bar(label: str, share: float, cuts: Cuts, cut: str = "", *, chosen: bool = True) -> Bar:
    if not cut:
        return Bar(label, f"{share:.6f}", number(share), repr(share), fires=chosen)
    threshold: float = getattr(cuts.thresholds, cut)
    fires = share < threshold if meaning(cut, cuts.function)[1] else share >= threshold
    return Bar(label, f"{share:.6f}", number(share), repr(share), cut, repr(threshold), fires)


def invalid(violations: Mapping[str, Sequence[Any]]) -> dict[str, str]:
    """Why each unusable answer is unusable, in the words of the contract."""
    return {name: _sentence(each) for name, each in violations.items()}


def _sentence(violations: Iterable[Any]) -> str:
    return f"unusable: {'; '.join(violation.message for violation in violations)}"
