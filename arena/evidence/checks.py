"""The automatic check of a lane: one item per check of its case, a sentence and what was found for each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from arena.cases import specs
from arena.cases.case import Case, CaseEnding
from arena.evidence import check_kinds
from arena.evidence.lane import LaneEnding, LaneEvidence

# A withheld menu says the same as an agent that asks or declines; see "States" of the design.
_WITHHELD: dict[LaneEnding, CaseEnding | None] = {
    LaneEnding.WITHHELD_NEEDS_CLARIFICATION: "question",
    LaneEnding.WITHHELD_NO_MATCH: "decline",
    LaneEnding.WITHHELD_UNAVAILABLE: None,
}
_WANTED = {
    "question": "The task leaves something open: a question, or a menu withheld for clarification",
    "decline": "No tool fits: the agent says so, or the menu is withheld because nothing matches",
    "answer": "The task can be done: the lane gets a menu and ends with an answer of its own",
}


@dataclass(frozen=True, slots=True)
class CheckItem:
    """One check: the sentence of what was wanted, and in `got` what was found."""

    title: str
    passed: bool
    got: str

    def to_json(self) -> dict[str, Any]:
        return {"title": self.title, "passed": self.passed, "got": self.got}


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A lane succeeds where every item passed."""

    items: tuple[CheckItem, ...]

    @property
    def passed(self) -> bool:
        return bool(self.items) and all(item.passed for item in self.items)

    def to_json(self) -> dict[str, Any]:
        return {"passed": self.passed, "items": [item.to_json() for item in self.items]}


def check(case: Case, evidence: LaneEvidence) -> CheckResult:
    """Carry out every check of the case on what the lane left behind.

    A withheld lane is judged by its ending alone. Every other lane is also judged by how it ended and, where the
    case forbids tools, by whether one was tried. Where the case was about asking and a person has answered, only its
    restrictions are left to check: there may be no item at all.
    """
    if case.beyond_its_question and evidence.ending.withheld:
        return CheckResult(())
    if evidence.ending.withheld:
        passed = _WITHHELD[evidence.ending] == case.ending
        return CheckResult((CheckItem(_WANTED[case.ending], passed, f"the lane {evidence.ending.words}"),))
    return CheckResult((*_ending(case, evidence), *(_item(spec, case, evidence) for spec in _specs(case))))


def _ending(case: Case, evidence: LaneEvidence) -> Iterable[CheckItem]:
    if case.ending == "answer":
        own = check_kinds.own_words(evidence.answer, case.task)
        said = "" if own else ", with no words of its own"
        passed = own and evidence.ending is LaneEnding.ANSWERED
        yield CheckItem(_WANTED["answer"], passed, f"the lane {evidence.ending.words}{said}")


def _specs(case: Case) -> Iterable[specs.CheckSpec]:
    """The checks of the case and those that its ending and its restrictions imply."""
    if case.beyond_its_question:
        if case.forbids:
            yield specs.NotCalled(case.forbids)
        return
    if case.ending == "question" and not any(isinstance(spec, specs.Asked) for spec in case.checks):
        yield specs.Asked()
    if case.ending == "decline" and not any(isinstance(spec, specs.Declined) for spec in case.checks):
        yield specs.Declined()
    yield from (spec for spec in case.checks if not isinstance(spec, specs.Rubric))
    if case.forbids:
        yield specs.NotCalled(case.forbids)


def _item(spec: specs.CheckSpec, case: Case, evidence: LaneEvidence) -> CheckItem:
    passed, got = _carry_out(spec, case.task, evidence)
    return CheckItem(spec.title, passed, got)


def _carry_out(spec: specs.CheckSpec, task: str, evidence: LaneEvidence) -> tuple[bool, str]:
    match spec:
        case specs.AnswerHolds():
            return check_kinds.answer_holds(spec, evidence)
        case specs.AnswerLacks():
            return check_kinds.answer_lacks(spec, evidence)
        case specs.Called():
            return check_kinds.called(spec, evidence)
        case specs.Returned():
            return check_kinds.returned(spec, evidence)
        case specs.NotCalled():
            return check_kinds.not_called(spec, evidence)
        case specs.PatchApplies():
            return check_kinds.patch_applies(spec, evidence)
        case specs.RecordChanged():
            return check_kinds.record(spec, evidence)
        case specs.Unchanged():
            return check_kinds.unchanged(spec, evidence)
        case specs.Asked():
            return check_kinds.asked(spec, task, evidence)
        case specs.Declined():
            return check_kinds.declined(task, evidence)
        case specs.AnswerIs():
            return check_kinds.answer_is(spec, evidence)
        case specs.AnswerContains():
            return check_kinds.answer_contains(spec, evidence)
        case specs.AnswerMatches():
            return check_kinds.answer_matches(spec, evidence)
        case specs.JsonPath():
            return check_kinds.json_path(spec, evidence)
        case specs.Rubric():
            raise ValueError("a rubric is for a judge to read, it checks nothing")
