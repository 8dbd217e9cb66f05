"""The selection itself: a generator that yields requests, is sent replies or failures, and returns the plan."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from policy.engine.answers import Answer, ChoiceAnswer, NoulAnswer
from policy.engine.diagnostics import Diagnostics
from policy.engine.failures import Failure
from policy.engine.journal import Inquiry, Journal
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.mode import Mode, mode_of
from policy.engine.profile import InvalidConfig, Profile
from policy.engine.questions import Question
from policy.engine.selection.menu import Menu
from policy.engine.selection.outcome import EMPTY, OFF, Conclusion, conclude, failed
from policy.engine.selection.plan import Plan, Standing, left_out, plan_picks, read_pick
from policy.engine.selection.prepared import prepared
from policy.engine.selection.questions import (
    ASK_FIRST,
    ASK_FIRST_QUESTION,
    QUESTION_SET,
    PickQuestion,
    RelevanceQuestion,
    batches,
)
from policy.engine.selection.records import Candidate, Category, CategoryResult, Dropped, Pick, Selection, Status
from policy.engine.selection.writer import QuestionWriter
from policy.engine.task_state import BoundedState, task_state

Steps = Generator[JudgeRequest, JudgeReply | Failure, Selection]


def select_tools(
    *,
    task: str,
    candidates: Sequence[Candidate],
    categories: Sequence[Category] = (),
    profile: Profile,
    step: str | None = None,
    always_allow: Sequence[str] = (),
    max_selected: int | None = None,
    mode: Mode = Mode.ENFORCE,
    ask_first: bool = False,
    member_lines: bool = False,
) -> Steps:
    """Two-stage selection (seed 000, Tool selection); drive it with `policy.engine.drive`.

    Stage one asks whether each category is relevant, stage two which tool of each relevant one fits. Restricted
    candidates are never sent. Any failure or invalid answer ends in status `fallback`, outcome `unavailable`.
    `ask_first` adds a question whether the task leaves something open; `member_lines` names the tools in stage one.
    Raises `InvalidConfig` for a `max_selected` below 0 or an unknown mode, at once and not when driven.
    """
    menu, writer = prepared(candidates, categories, always_allow, profile.limits, member_lines)
    return _Run(
        menu=menu,
        profile=profile,
        bounded=task_state(task, step, max_state_chars=profile.limits.max_state_chars),
        always_allow=menu.always_allow,
        cap=_cap(max_selected, profile),
        mode=mode_of(mode),
        ask_first=ask_first,
        writer=writer,
    ).steps()


@dataclass(slots=True)
class _Run:
    menu: Menu
    profile: Profile
    bounded: BoundedState
    always_allow: tuple[str, ...]
    cap: int
    mode: Mode
    ask_first: bool
    writer: QuestionWriter
    journal: Journal = field(default_factory=Journal)
    sizes: dict[str, int] = field(default_factory=dict)
    loss: dict[str, int] = field(default_factory=dict)

    def steps(self) -> Steps:
        if self.mode is Mode.OFF:
            return self._unasked(OFF, "mode:off")
        if not self.menu.groups:
            return self._unasked(EMPTY, "prefilter:no-candidates")
        questions = self.writer.relevance()
        asked = yield from self.journal.ask(self.bounded.state, self._relevance_inquiries(questions))
        ask_first = _noul(asked.answers, ASK_FIRST)
        results = [self._relevance(each, asked.answers) for each in questions]
        if asked.failure is not None:
            return self._ended(failed(asked.failure), results, ask_first, failure=asked.failure)
        if ask_first is not None and ask_first >= self.profile.thresholds.ask_first:
            return self._planned(results, Plan(), ask_first)
        picks = self.writer.picks(result.category for result in results if result.relevant)
        asked = yield from self.journal.ask(self.bounded.state, self._pick_inquiries(picks))
        if asked.failure is not None:
            return self._ended(failed(asked.failure), results, ask_first, failure=asked.failure)
        read = _read(picks, asked.answers)
        results = [
            CategoryResult(each.category, each.relevance, each.relevant, read.get(each.category, ()))
            for each in results
        ]
        made = plan_picks(results, self.menu, cuts=self.profile.thresholds, cap=self.cap)
        return self._planned(results, made, ask_first)

    def _relevance_inquiries(self, questions: Sequence[RelevanceQuestion]) -> list[Inquiry]:
        packed = self._batches(questions, max_questions=self.profile.limits.max_categories)
        if self.ask_first:
            packed[0][ASK_FIRST] = ASK_FIRST_QUESTION
        stages = [f"relevance:batch-{number}" for number in range(1, len(packed) + 1)]
        return [Inquiry(stage, batch, (stage,)) for stage, batch in zip(stages, packed, strict=True)]

    def _pick_inquiries(self, picks: Sequence[PickQuestion]) -> list[Inquiry]:
        labels = {each.id: each.stage for each in picks}
        self.sizes = {each.id: len(each.question.criteria) for each in picks}
        return [
            Inquiry(f"pick:batch-{number}", batch, [labels[name] for name in batch])
            for number, batch in enumerate(self._batches(picks), start=1)
        ]

    def _batches(
        self, asked: Sequence[RelevanceQuestion | PickQuestion], *, max_questions: int | None = None
    ) -> list[dict[str, Question]]:
        by_id: dict[str, Question] = {each.id: each.question for each in asked}
        for each in asked:
            self.loss.update(each.loss)
        packed = batches({each.id: each.chars for each in asked}, max_questions=max_questions)
        return [{name: by_id[name] for name in names} for names in packed]

    def _relevance(self, question: RelevanceQuestion, answers: Mapping[str, Answer]) -> CategoryResult:
        value = _noul(answers, question.id)
        relevant = value is not None and value >= self.profile.thresholds.relevance
        return CategoryResult(question.category, value, relevant)

    def _planned(self, results: Sequence[CategoryResult], made: Plan, ask_first: float | None) -> Selection:
        conclusion = conclude(made, results, ask_first, self.profile.thresholds)
        selected = made.chosen(Standing.WINNER)
        self.journal.stages.append(f"policy:{len(selected)}-selected")
        return replace(
            self._ended(conclusion, results, ask_first, dropped=left_out(self.menu, results, made, conclusion.rule)),
            selected=selected,
            expand=made.chosen(Standing.WEAK_WINNER, Standing.ALTERNATIVE),
            always_allow=tuple(dict.fromkeys((*self.always_allow, *(chosen.id for chosen in selected)))),
        )

    def _unasked(self, conclusion: Conclusion, stage: str) -> Selection:
        self.journal.stages.append(stage)
        dropped = () if conclusion.status is Status.OFF else self.menu.dropped
        return self._ended(conclusion, (), None, dropped=dropped)

    def _ended(
        self,
        conclusion: Conclusion,
        results: Sequence[CategoryResult],
        ask_first: float | None,
        *,
        dropped: Sequence[Dropped] | None = None,
        failure: Failure | None = None,
    ) -> Selection:
        return Selection(
            status=conclusion.status,
            outcome=conclusion.outcome,
            rule=conclusion.rule,
            reason=conclusion.reason,
            mode=self.mode,
            always_allow=self.always_allow,
            dropped=tuple(self.menu.dropped if dropped is None else dropped),
            categories=tuple(results),
            ask_first=ask_first,
            failure=failure,
            diagnostics=self._diagnostics(),
        )

    def _diagnostics(self) -> Diagnostics:
        return Diagnostics(
            question_set=QUESTION_SET,
            stages=tuple(self.journal.stages),
            requests=tuple(self.journal.notes),
            question_sizes=self.sizes,
            loss={**self.bounded.loss, **self.loss},
            state=self.bounded.state,
        )


def _read(picks: Sequence[PickQuestion], answers: Mapping[str, Answer]) -> Mapping[str, tuple[Pick, ...]]:
    """The answered picks of each category, chunk by chunk."""
    read: dict[str, tuple[Pick, ...]] = {}
    for question in picks:
        answer = answers[question.id]
        if isinstance(answer, ChoiceAnswer):
            read[question.category] = (*read.get(question.category, ()), read_pick(question, answer))
    return read


def _noul(answers: Mapping[str, Answer], name: str) -> float | None:
    answer = answers.get(name)
    return answer.noul if isinstance(answer, NoulAnswer) else None


def _cap(max_selected: int | None, profile: Profile) -> int:
    if max_selected is None:
        return profile.limits.max_selected_tools
    if isinstance(max_selected, bool) or not isinstance(max_selected, int) or max_selected < 0:
        raise InvalidConfig(f"max_selected must be a whole number, 0 or more; got {max_selected!r:.80}")
    return max_selected
