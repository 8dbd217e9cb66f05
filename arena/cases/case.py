"""A case: one task, its world, the tools that are enough, and the checks that say whether it worked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self, cast, get_args

from arena.cases import specs
from arena.cases.fields import Fields, Scalar
from arena.cases.turns import Turn, told

CaseKind = Literal["read", "change", "investigate", "ask"]
CaseEnding = Literal["answer", "question", "decline"]
Language = Literal["en", "de"]
TranscriptEnding = Literal["answered", "asked", "declined"]


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A call as a transcript tells it; what it returns and changes is found by really calling the tool."""

    tool: str
    arguments: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        return {"tool": self.tool, "arguments": dict(self.arguments)}


@dataclass(frozen=True, slots=True)
class Transcript:
    """What a lane might do with a case: its calls in order, how it ends, and its last words."""

    ending: TranscriptEnding
    answer: str
    calls: tuple[PlannedCall, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {"ending": self.ending, "answer": self.answer, "calls": [call.to_json() for call in self.calls]}

    @classmethod
    def read(cls, data: Any, where: str = "") -> Self:
        """The transcript of one table; raises CaseFault."""
        fields = Fields(data, where)
        ending = cast(TranscriptEnding, fields.choice("ending", get_args(TranscriptEnding), "answered"))
        calls = tuple(
            _planned_call(call, f"{fields.path('calls')}[{index}]") for index, call in enumerate(fields.tables("calls"))
        )
        transcript = cls(ending=ending, answer=fields.text("answer"), calls=calls)
        fields.done()
        return transcript


@dataclass(frozen=True, slots=True)
class Case:
    """One task of the arena, immutable; `digest` is its identity in setups and exports.

    `acceptable` holds alternatives, each a complete set of tool ids that is enough (prerequisites come on top).
    `forbids` are restricted here: a judge is never offered them, and trying one fails the check. `values` are facts
    for an agent, by argument name, never hints at a tool. `ending` is how a right lane ends; `decline` means that
    nothing fits. `wrong` is one plausible result that the checks must refuse. `turns` are questions that were answered
    since: a case file has none, the snapshot of a continued run has.
    """

    id: str
    title: str
    kind: CaseKind
    summary: str
    task: str
    lang: Language
    world: str
    ending: CaseEnding
    acceptable: tuple[frozenset[str], ...]
    forbids: tuple[str, ...]
    restrictions: tuple[str, ...]
    values: Mapping[str, Scalar | list[Scalar]]
    checks: tuple[specs.CheckSpec, ...]
    wrong: Transcript
    turns: tuple[Turn, ...] = ()

    @property
    def told(self) -> str:
        """The task with every answer given since, as agents and judges read it."""
        return told(self.task, self.turns)

    @property
    def beyond_its_question(self) -> bool:
        """Whether the case was about asking and the question is answered: what follows has no right result here."""
        return self.ending == "question" and bool(self.turns)

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON of the case."""
        text = json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def acceptable_ids(self) -> frozenset[str]:
        """Every tool of any acceptable set."""
        return frozenset().union(*self.acceptable)

    def to_json(self) -> dict[str, Any]:
        # Only where there are any, so that the digest of a case file stays what it was.
        turns = {"turns": [turn.to_json() for turn in self.turns]} if self.turns else {}
        return turns | {
            "id": self.id,
            "title": self.title,
            "kind": self.kind,
            "summary": self.summary,
            "task": self.task,
            "lang": self.lang,
            "world": self.world,
            "ending": self.ending,
            "acceptable": [sorted(tools) for tools in self.acceptable],
            "forbids": list(self.forbids),
            "restrictions": list(self.restrictions),
            "values": dict(self.values),
            "checks": [specs.to_json(spec) for spec in self.checks],
            "wrong": self.wrong.to_json(),
        }

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """The case of one table, read strictly: raises CaseFault with the field, the reason and the mend."""
        fields = Fields(data)
        case = cls(
            id=fields.text("id"),
            title=fields.text("title"),
            kind=cast(CaseKind, fields.choice("kind", get_args(CaseKind))),
            summary=fields.text("summary"),
            task=fields.text("task"),
            lang=cast(Language, fields.choice("lang", get_args(Language), "en")),
            world=fields.text("world"),
            ending=cast(CaseEnding, fields.choice("ending", get_args(CaseEnding), "answer")),
            acceptable=_acceptable(fields),
            forbids=fields.texts("forbids"),
            restrictions=fields.texts("restrictions"),
            values=fields.scalars("values"),
            checks=tuple(specs.read(row, f"checks[{n}]") for n, row in enumerate(fields.tables("checks"))),
            wrong=Transcript.read(fields.raw("wrong"), "wrong"),
            turns=tuple(Turn.read(row, f"turns[{n}]") for n, row in enumerate(fields.tables("turns"))),
        )
        fields.done()
        _refuse_contradictions(case, fields)
        return case


def _planned_call(data: Any, where: str) -> PlannedCall:
    fields = Fields(data, where)
    call = PlannedCall(tool=fields.text("tool"), arguments=fields.scalars("arguments"))
    fields.done()
    return call


def _acceptable(fields: Fields) -> tuple[frozenset[str], ...]:
    sets = fields.tables("acceptable")
    for tools in sets:
        if not isinstance(tools, list | tuple) or not tools or not all(isinstance(tool, str) for tool in tools):
            raise fields.fault("acceptable", "holds something else than sets of tools", 'write [["a"], ["b", "c"]]')
    return tuple(frozenset(tools) for tools in sets)


def _refuse_contradictions(case: Case, fields: Fields) -> None:
    if case.ending == "answer" and not case.acceptable:
        raise fields.fault(
            "acceptable", "is empty though the case ends with an answer", "name the tools that are enough"
        )
    if case.ending == "decline" and case.acceptable:
        raise fields.fault("acceptable", "names tools though nothing should fit", "remove it, or change `ending`")
    if case.ending == "answer" and not case.checks:
        raise fields.fault("checks", "is empty", "add a [[checks]] table that a wrong result fails")
    if case.forbids and not case.restrictions:
        raise fields.fault("restrictions", "is empty though tools are forbidden", "say the restriction in words")
    both = case.acceptable_ids & set(case.forbids)
    if both:
        raise fields.fault("forbids", f"also forbids what is enough: {', '.join(sorted(both))}", "take it out of one")
