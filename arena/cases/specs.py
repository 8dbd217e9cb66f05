"""The kinds of checks that a case may carry: what each asks for, read strictly, with its title sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Literal, cast

from arena.cases.fields import Fields

RecordOperation = Literal["created", "updated", "deleted"]
SHOWN_CHARS = 80
JSON_PATH = re.compile(r"\$(\.[^.\[\]\s]+|\[(\d{1,6}|\*)\])*")
OPERATIONS: tuple[RecordOperation, ...] = ("created", "updated", "deleted")


@dataclass(frozen=True, slots=True)
class AnswerHolds:
    """The answer names values of the world, each as a whole word or number."""

    kind: ClassVar[str] = "answer_holds"
    values: tuple[str, ...]
    mode: Literal["all", "any"] = "all"

    @property
    def title(self) -> str:
        return f"The answer names {_listed(self.values, 'and' if self.mode == 'all' else 'or')}"


@dataclass(frozen=True, slots=True)
class AnswerLacks:
    """The answer names none of these values."""

    kind: ClassVar[str] = "answer_lacks"
    values: tuple[str, ...]

    @property
    def title(self) -> str:
        return f"The answer does not name {_listed(self.values, 'or')}"


@dataclass(frozen=True, slots=True)
class Called:
    """One of the tools returned a result, with these arguments where given (texts without case, numbers by value)."""

    kind: ClassVar[str] = "called"
    tools: tuple[str, ...]
    arguments: Mapping[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        wanted = "".join(f", {name} {value}" for name, value in self.arguments.items())
        return f"A call to {_listed(self.tools, 'or')} returned a result{wanted}"


@dataclass(frozen=True, slots=True)
class Returned:
    """Results of calls, whatever the tool, name these values; what the call's own arguments said does not count."""

    kind: ClassVar[str] = "returned"
    values: tuple[str, ...]

    @property
    def title(self) -> str:
        return f"A tool's result names {_listed(self.values, 'and')}"


@dataclass(frozen=True, slots=True)
class NotCalled:
    """No call to any of the tools was tried, not even one that was refused."""

    kind: ClassVar[str] = "not_called"
    tools: tuple[str, ...]

    @property
    def title(self) -> str:
        return f"No call to {_listed(self.tools, 'or')}"


@dataclass(frozen=True, slots=True)
class PatchApplies:
    """A recorded proposal applies to the world's file and gives the wanted text; spaces do not count.

    At most `lines` lines of the file go and at most `lines` come; all others stay.
    """

    kind: ClassVar[str] = "patch_applies"
    path: str
    contains: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    equals: str = ""
    lines: int = 1

    @property
    def title(self) -> str:
        return f"A recorded patch applies to {self.path} and gives the wanted text"


@dataclass(frozen=True, slots=True)
class RecordChanged:
    """Exactly `count` records of a collection (the one called `id`, where given) were changed so, and read so after.

    `fields` compare as a whole (texts without case, numbers by value), `holds` are values inside longer texts.
    """

    kind: ClassVar[str] = "record"
    collection: str
    op: RecordOperation
    id: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    holds: Mapping[str, Any] = field(default_factory=dict)
    count: int = 1

    @property
    def title(self) -> str:
        some = (
            f"One record of {self.collection} was"
            if self.count == 1
            else f"{self.count} records of {self.collection} were"
        )
        which = f"{self.id} of {self.collection} was" if self.id else some
        wanted = [f"{name} {value}" for name, value in self.fields.items()]
        wanted += [f"{name} naming {value}" for name, value in self.holds.items()]
        return f"{which} {self.op}" + (f" with {', '.join(wanted)}" if wanted else "")


@dataclass(frozen=True, slots=True)
class Unchanged:
    """No record was created, changed or deleted, except in these collections or records (`orders/LL-1`)."""

    kind: ClassVar[str] = "unchanged"
    allow: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        return f"Nothing but {_listed(self.allow, 'and')} was changed" if self.allow else "Nothing was changed"


@dataclass(frozen=True, slots=True)
class Asked:
    """The lane ended with a question of its own that names at least `least` of `values` (all words of it count)."""

    kind: ClassVar[str] = "asked"
    values: tuple[str, ...] = ()
    least: int = 1

    @property
    def title(self) -> str:
        return "The agent asked a question" + (
            f" that names at least {self.least} of {_listed(self.values, 'and')}" if self.values else ""
        )


@dataclass(frozen=True, slots=True)
class Declined:
    """The lane ended by saying that nothing fits."""

    kind: ClassVar[str] = "declined"

    @property
    def title(self) -> str:
        return "The agent said that no tool fits"


@dataclass(frozen=True, slots=True)
class AnswerIs:
    """The answer is this text, spaces at its ends and between words aside."""

    kind: ClassVar[str] = "answer_is"
    text: str

    @property
    def title(self) -> str:
        return f"The answer is “{_short(self.text)}”"


@dataclass(frozen=True, slots=True)
class AnswerContains:
    """The answer contains each of these texts, letter by letter, also in the middle of a word."""

    kind: ClassVar[str] = "answer_contains"
    texts: tuple[str, ...]

    @property
    def title(self) -> str:
        return f"The answer contains {_listed(tuple(f'“{_short(text)}”' for text in self.texts), 'and')}"


@dataclass(frozen=True, slots=True)
class AnswerMatches:
    """A pattern (Python's) is found in the answer; one that takes too long has not been found."""

    kind: ClassVar[str] = "answer_matches"
    pattern: str

    @property
    def title(self) -> str:
        return f"The answer matches {_short(self.pattern)}"


@dataclass(frozen=True, slots=True)
class JsonPath:
    """At a path such as `$.items[0].name` there is a value, this one where one is given.

    Looked for in the answer, read as JSON, or in what the calls returned.
    """

    kind: ClassVar[str] = "json_path"
    path: str
    source: Literal["answer", "result"] = "answer"
    equals: Any = None

    @property
    def title(self) -> str:
        where = "the answer" if self.source == "answer" else "a tool's result"
        return f"At {self.path} of {where} there is " + ("a value" if self.equals is None else f"{self.equals}")


@dataclass(frozen=True, slots=True)
class Rubric:
    """What a judge is asked about the answer. A suggestion: it decides nothing."""

    kind: ClassVar[str] = "rubric"
    text: str

    @property
    def title(self) -> str:
        return f"A judge's suggestion: {_short(self.text)}"


CheckSpec = (
    AnswerHolds
    | AnswerLacks
    | Called
    | Returned
    | NotCalled
    | PatchApplies
    | RecordChanged
    | Unchanged
    | Asked
    | Declined
    | AnswerIs
    | AnswerContains
    | AnswerMatches
    | JsonPath
    | Rubric
)


def read(data: Any, where: str) -> CheckSpec:
    """The typed check of one table; raises CaseFault with the field, the reason and the mend."""
    fields = Fields(data, where)
    kind = fields.choice("kind", tuple(_READERS))
    spec = _READERS[kind](fields)
    fields.done()
    return spec


def to_json(spec: CheckSpec) -> dict[str, Any]:
    """The table that `read` turns back into an equal check; empty fields are left out."""
    given = {name: value for name, value in asdict(spec).items() if value is not None and value not in ("", (), {})}
    return {"kind": spec.kind} | {k: list(v) if isinstance(v, tuple) else v for k, v in given.items()}


def _short(text: str) -> str:
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}…"


def _listed(values: tuple[str, ...], word: str) -> str:
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} {word} {values[-1]}"


def _answer_holds(fields: Fields) -> AnswerHolds:
    mode = cast(Literal["all", "any"], fields.choice("mode", ("all", "any"), "all"))
    return AnswerHolds(values=fields.texts("values", least=1), mode=mode)


def _patch_applies(fields: Fields) -> PatchApplies:
    spec = PatchApplies(
        path=fields.text("path"),
        contains=fields.texts("contains"),
        lacks=fields.texts("lacks"),
        equals=fields.optional_text("equals"),
        lines=fields.count("lines", 1),
    )
    if not spec.contains and not spec.equals:
        raise fields.fault("contains", "and equals are both missing", "say which text the patched file must hold")
    return spec


def _record(fields: Fields) -> RecordChanged:
    spec = RecordChanged(
        collection=fields.text("collection"),
        op=cast(RecordOperation, fields.choice("op", OPERATIONS)),
        id=fields.optional_text("id"),
        fields=fields.scalars("fields"),
        holds=fields.scalars("holds"),
        count=fields.count("count", 1),
    )
    if spec.id and spec.count > 1:
        raise fields.fault("count", f"is {spec.count} for the one record {spec.id}", "leave one of the two out")
    return spec


def _asked(fields: Fields) -> Asked:
    spec = Asked(values=fields.texts("values"), least=fields.count("least", 1))
    if spec.values and spec.least > len(spec.values):
        raise fields.fault("least", f"is {spec.least} of {len(spec.values)} values", "lower it or add values")
    return spec


def _json_path(fields: Fields) -> JsonPath:
    path = fields.text("path")
    if not JSON_PATH.fullmatch(path):
        raise fields.fault("path", f"is “{path[:60]}”", "write it like $.items[0].name, [*] for any entry")
    source = cast(Literal["answer", "result"], fields.choice("source", ("answer", "result"), "answer"))
    equals = fields.raw("equals")
    if not isinstance(equals, str | int | float | bool | None):
        raise fields.fault("equals", "is no scalar", "write a text, a number, true or false, or leave it out")
    return JsonPath(path, source, equals)


_READERS: dict[str, Callable[[Fields], CheckSpec]] = {
    AnswerHolds.kind: _answer_holds,
    AnswerLacks.kind: lambda fields: AnswerLacks(values=fields.texts("values", least=1)),
    Called.kind: lambda fields: Called(fields.texts("tools", least=1), fields.scalars("arguments")),
    Returned.kind: lambda fields: Returned(values=fields.texts("values", least=1)),
    NotCalled.kind: lambda fields: NotCalled(tools=fields.texts("tools", least=1)),
    PatchApplies.kind: _patch_applies,
    RecordChanged.kind: _record,
    Unchanged.kind: lambda fields: Unchanged(allow=fields.texts("allow")),
    Asked.kind: _asked,
    Declined.kind: lambda fields: Declined(),
    AnswerIs.kind: lambda fields: AnswerIs(fields.text("text")),
    AnswerContains.kind: lambda fields: AnswerContains(fields.texts("texts", least=1)),
    AnswerMatches.kind: lambda fields: AnswerMatches(fields.text("pattern")),
    JsonPath.kind: _json_path,
    Rubric.kind: lambda fields: Rubric(fields.text("text")),
}

KINDS: tuple[str, ...] = tuple(_READERS)
