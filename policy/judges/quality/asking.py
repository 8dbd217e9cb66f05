"""Every case put to a judge once, and what of its answer the figures need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from policy.engine.arguments import missing_arguments
from policy.engine.call_questions import QUESTIONS
from policy.engine.call_state import call_state
from policy.engine.judge import Judge, JudgeRequest
from policy.engine.questions import Choice, Question
from policy.engine.selection.questions import ASK_FIRST, ASK_FIRST_QUESTION, NONE, PICK_NONE
from policy.judges.quality.cases import CallCase, Case, SelectionCase, VaguePair

TIMEOUT_S = 60.0
MENU_TEXT = "Which tool fits the current task step?"


@dataclass(frozen=True, slots=True)
class Ranked:
    """One menu answered: how many wrong tools came before the best right one (None where nothing fits)."""

    lang: str | None
    size: int
    rank: float | None
    none: float
    stated: float
    right: bool


@dataclass(frozen=True, slots=True)
class Stated:
    """One yes-or-no question answered: the probability and the label; `host` is what the schema check found."""

    kind: str
    lang: str | None
    probability: float
    label: bool
    host: bool | None = None


Answered = Ranked | Stated


def answered(judge: Judge, cases: Iterable[Case], *, progress: Callable[[], object] = lambda: None) -> list[Answered]:
    """One entry a menu or call, two a pair; raises `JudgeFailed` where the judge does."""
    found: list[Answered] = []
    for case in cases:
        found.extend(_answered(judge, case))
        progress()
    return found


def _answered(judge: Judge, case: Case) -> Iterator[Answered]:
    match case:
        case SelectionCase():
            yield _ranked(judge, case)
        case CallCase():
            asked = call_state(task=case.task, tool=case.tool, arguments=case.arguments, restrictions=case.restrictions)
            noul = _ask(judge, asked.state, QUESTIONS[case.kind])["noul"]
            yield Stated(case.kind, case.lang, noul, case.label, _host(case))
        case VaguePair():
            for task, vague in ((case.clear, False), (case.vague, True)):
                noul = _ask(judge, {"task": task}, ASK_FIRST_QUESTION)["noul"]
                yield Stated(ASK_FIRST, case.lang, noul, vague)


def _ranked(judge: Judge, case: SelectionCase) -> Ranked:
    """The whole menu is one question with the label that none fits; the rank leaves that label out."""
    answer = _ask(judge, {"task": case.task}, Choice(MENU_TEXT, {**case.tools, NONE: PICK_NONE}))
    chances: Mapping[str, float] = answer["probabilities"]
    best = max((chances[tool] for tool in case.acceptable), default=None)
    wrong = [chances[tool] for tool in case.tools if tool not in case.acceptable]
    chosen = answer["choice"]
    return Ranked(
        lang=case.lang,
        size=len(case.tools),
        rank=None if best is None else sum((each > best) + (each == best) / 2 for each in wrong),
        none=chances[NONE],
        stated=chances[chosen],
        right=chosen in case.acceptable or (chosen == NONE and not case.acceptable),
    )


def _host(case: CallCase) -> bool | None:
    if case.required is None:
        return None
    return bool(missing_arguments({"required": list(case.required)}, case.arguments))


def _ask(judge: Judge, state: Mapping[str, Any], question: Question) -> dict[str, Any]:
    reply = judge.ask(JudgeRequest(state, {"asked": question}, "quality"), timeout_s=TIMEOUT_S)
    answer: dict[str, Any] = reply.body["answers"]["asked"]
    return answer
