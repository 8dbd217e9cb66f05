"""Reading fixtures from JSON lines: the reference's format as it is, ours, and logged decisions of anybody."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from policy.calibration.fixture_fields import FIELDS, Wrong, named, one_of, unknown
from policy.calibration.fixtures import Fixture, Kind

SHOWN = 5
MOST_ROWS = 100_000
# Far more than any call needs, and far less than what the reader and the pages can walk through.
MOST_DEPTH = 100
BARE = "only logged rows (probability and label) may leave the kind out"


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with one line: its number from 1, the field, and a sentence that says what to write instead."""

    line: int
    field: str
    said: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.field} {self.said}" if self.field else f"line {self.line}: {self.said}"


class Unreadable(ValueError):
    """Nothing was imported. `faults` are all that were found; the text shows the first five."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        more = len(faults) - SHOWN
        lines = [str(fault) for fault in faults[:SHOWN]] + ([f"and {more} more"] if more > 0 else [])
        super().__init__("; ".join(lines))
        self.faults = faults
        self.lines = tuple(lines)


def read(text: str) -> tuple[Fixture, ...]:
    """Every fixture of the lines, or `Unreadable` with every fault; empty lines are passed over."""
    fixtures: list[Fixture] = []
    faults: list[Fault] = []
    seen: dict[str, int] = {}
    # Not splitlines(): a text in JSON may hold other line separators as they are.
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            fixture = _read(line, number)
        except _Refused as refused:
            faults.extend(refused.faults)
            continue
        if fixture.id in seen:
            faults.append(
                Fault(number, "id", f'is "{fixture.id}" as on line {seen[fixture.id]}; give each row its own')
            )
        seen.setdefault(fixture.id, number)
        fixtures.append(fixture)
    if not fixtures and not faults:
        faults.append(Fault(1, "", "the file has no row; write one JSON object a line"))
    if len(fixtures) > MOST_ROWS:
        faults.append(Fault(1, "", f"the file has {len(fixtures)} rows; at most {MOST_ROWS} are taken, split it"))
    if faults:
        raise Unreadable(tuple(faults))
    return tuple(fixtures)


def fixture_of(row: Mapping[str, Any]) -> Fixture:
    """One fixture from its fields; raises `Unreadable` as for line 1 of a file."""
    try:
        return _fixture(dict(row), 1)
    except _Refused as refused:
        raise Unreadable(refused.faults) from refused


class _Refused(Exception):
    def __init__(self, *faults: Fault) -> None:
        super().__init__(faults)
        self.faults = faults


def _read(line: str, number: int) -> Fixture:
    try:
        row = json.loads(line, object_pairs_hook=_unique, parse_constant=_no_number, parse_float=_finite)
    except Wrong as wrong:
        raise _Refused(Fault(number, wrong.where, str(wrong))) from wrong
    except (ValueError, RecursionError) as error:
        where = f" at character {error.pos + 1}" if isinstance(error, json.JSONDecodeError) else ""
        said = f"is no JSON object{where} ({str(error).split(':')[0]}); write one object a line"
        raise _Refused(Fault(number, "", said)) from error
    if not isinstance(row, dict):
        raise _Refused(Fault(number, "", f"must be one JSON object in braces; it is {named(row)}"))
    for name, value in row.items():
        if _too_deep(value):
            raise _Refused(Fault(number, name, f"is nested more than {MOST_DEPTH} levels deep; make it flatter"))
    return _fixture(row, number)


def _too_deep(value: Any) -> bool:
    """Whether lists and objects lie in each other more than `MOST_DEPTH` times, found level by level."""
    level = [value]
    for _ in range(MOST_DEPTH):
        level = [
            item
            for each in level
            if isinstance(each, dict | list)
            for item in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return False
    return any(isinstance(each, dict | list) for each in level)


def _fixture(row: dict[str, Any], number: int) -> Fixture:
    row = _logged(row, number)
    try:
        kind = Kind(one_of(*Kind)("kind", row.get("kind")))
    except Wrong as wrong:
        said = f"{wrong}; {BARE}" if "kind" not in row else str(wrong)
        raise _Refused(Fault(number, "kind", said)) from wrong
    faults = list(_faults(row, kind, number))
    if faults:
        raise _Refused(*faults)
    checked = {
        name: field.check(name, row[name])
        for name, field in FIELDS[kind].items()
        if name in row and (row[name] is not None or field.required)
    }
    if faults := [Fault(number, where, said) for where, said in _contradictions(kind, checked)]:
        raise _Refused(*faults)
    return Fixture(checked["id"], kind, checked)


def _logged(row: dict[str, Any], number: int) -> dict[str, Any]:
    """A bare row becomes a generic one: `probability` and `label`, or `score` and `correct` (with `tool`)."""
    if "kind" in row:
        return row
    if "score" in row and "correct" in row:
        names = {"score": "probability", "correct": "label", "tool": "question"}
        row = {names.get(key, key): value for key, value in row.items()}
    if "label" in row and ("probability" in row or "state" in row):
        return {"id": row.get("id", f"row-{number}"), "kind": Kind.GENERIC.value, **row}
    return row


def _faults(row: Mapping[str, Any], kind: Kind, number: int) -> Iterator[Fault]:
    fields = FIELDS[kind]
    for key in row:
        if key not in fields:
            yield Fault(number, key, unknown(key, fields))
    for name, field in fields.items():
        if name not in row:
            if field.required:
                yield Fault(number, name, "is missing; add it")
            continue
        try:
            if row[name] is not None or field.required:
                field.check(name, row[name])
        except Wrong as wrong:
            yield Fault(number, wrong.where, str(wrong))


def _contradictions(kind: Kind, row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What no single field can see: a label that this row cannot have."""
    match kind:
        case Kind.SELECTION:
            yield from _of_selection(row)
        case Kind.SKILL:
            names = [each["name"] for each in row["candidates"]]
            yield from _of_choice(row["expect"], "selected", "skill", names)
        case Kind.MODEL_ROUTE:
            names = [name for name, route in row["routes"].items() if route is not None]
            yield from _of_choice(row["expect"], "routed", "route", names)
        case Kind.GENERIC:
            yield from _of_generic(row)


def _of_selection(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    wanted, known = row["expect"], {each["id"] for each in row["candidates"]}
    named_tools = wanted.get("selected", [])
    for tool in named_tools:
        if tool not in known:
            yield "expect.selected", f'names "{tool}", which is no candidate of this row'
    if (wanted["status"] == "selected") != bool(named_tools):
        yield "expect.selected", "must name the tools where the status is selected, and none else"
    outcome = wanted.get("outcome")
    if outcome is not None and (outcome == "selected") != (wanted["status"] == "selected"):
        yield "expect.outcome", f"is {outcome} where the status is {wanted['status']}; only one of them can be right"


def _of_choice(wanted: Mapping[str, Any], status: str, field: str, known: list[str]) -> Iterator[tuple[str, str]]:
    name = wanted.get(field)
    if (wanted["status"] == status) != (name is not None):
        yield f"expect.{field}", f"must be given where the status is {status}, and only there"
    elif name is not None and name not in known:
        yield f"expect.{field}", f'is "{name}", which this row does not offer'


def _of_generic(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    question, label = row.get("question"), row["label"]
    if ("probability" in row) == ("state" in row):
        yield "probability", "or a state with a question must be given, and not both"
    elif "state" in row and not isinstance(question, Mapping):
        yield "question", "must be an object with type and instructions where a state is given"
    elif "probability" in row and isinstance(question, Mapping):
        yield "question", "is a name in quotes where a probability is given"
    elif not isinstance(question, Mapping) or question["type"] == "noul":
        if not isinstance(label, bool) and label not in (0, 1):
            yield "label", f"must be true or false; it is {label!r:.40}"
    elif question["type"] == "choice":
        if not isinstance(label, str) or label not in question["criteria"]:
            yield "label", f"is {label!r:.40}; use one of: {', '.join(question['criteria'])}"
    elif isinstance(label, bool) or not isinstance(label, int) or not 0 <= label < len(question["criteria"]):
        yield "label", f"must be a level from 0 to {len(question['criteria']) - 1}; it is {label!r:.40}"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise Wrong(key, "is written twice; keep one of them")
        found[key] = value
    return found


def _finite(digits: str) -> float:
    return float(digits) if math.isfinite(float(digits)) else _no_number(digits)


def _no_number(word: str) -> Any:
    raise Wrong("", f"{word} is no number of JSON; write null or a number")
