"""The judge's own training data: tools, tasks with a menu, pairs of a clear and a vague task, calls."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from policy.engine.questions import Choice, Noul
from policy.engine.selection.questions import NONE, PICK_NONE, PICK_TEXT, RELEVANCE_FALSE, RELEVANCE_TEXT

TOOLS, SELECTION, VAGUE, CALLS = FILES = (
    "local-tools.toml",
    "local-selection.jsonl",
    "local-vague.jsonl",
    "local-calls.jsonl",
)


class BrokenTraining(ValueError):
    """A training file cannot be used; the message names the file, the place and the mend."""


@dataclass(frozen=True, slots=True)
class Tool:
    id: str
    category: str
    description: str


@dataclass(frozen=True, slots=True)
class Case:
    """A task with its menu; an empty `acceptable` says that nothing on the menu fits.

    `absent` marks a task whose right tool exists and was left out of the menu.
    """

    id: str
    task: str
    acceptable: frozenset[str]
    menu: tuple[Tool, ...]
    absent: bool = False


@dataclass(frozen=True, slots=True)
class Pair:
    id: str
    clear: str
    vague: str


@dataclass(frozen=True, slots=True)
class LabelledCall:
    """One call with one of the three questions about it and the right answer."""

    id: str
    kind: str
    state: Mapping[str, Any]
    label: bool

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> LabelledCall:
        state = {
            "task": row["task"],
            "call": {"tool": row["tool"], "arguments": json.dumps(row["arguments"], ensure_ascii=False)},
            "restrictions": row.get("restrictions", []),
        }
        return cls(row["id"], row["kind"], state, bool(row["label"]))


@dataclass(frozen=True, slots=True)
class Training:
    """`sha256` is over the files; `categories` maps id to description."""

    categories: dict[str, str]
    tools: dict[str, Tool]
    cases: tuple[Case, ...]
    pairs: tuple[Pair, ...]
    calls: tuple[LabelledCall, ...]
    sha256: str


def read(folder: Path) -> Training:
    """The training data of a folder; raises `BrokenTraining`."""
    raw = {name: _bytes(folder / name) for name in FILES}
    try:
        tables = tomllib.loads(raw[TOOLS].decode())
    except ValueError as error:
        raise BrokenTraining(f"{TOOLS} is not TOML ({error}); correct that line.") from error
    tools = {
        name: Tool(name, category, text) for category, table in tables.items() for name, text in table["tools"].items()
    }
    return Training(
        categories={category: table["description"] for category, table in tables.items()},
        tools=tools,
        cases=tuple(_case(row, tools) for row in _rows(SELECTION, raw[SELECTION])),
        pairs=tuple(Pair(row["id"], row["clear"], row["vague"]) for row in _rows(VAGUE, raw[VAGUE])),
        calls=tuple(LabelledCall.of(row) for row in _rows(CALLS, raw[CALLS])),
        sha256=hashlib.sha256(b"\0".join(raw.values())).hexdigest(),
    )


def by_category(tools: Iterable[Tool]) -> dict[str, list[Tool]]:
    """The tools by category, in their order."""
    groups: dict[str, list[Tool]] = {}
    for tool in tools:
        groups.setdefault(tool.category, []).append(tool)
    return groups


def menu_choice(tools: tuple[Tool, ...]) -> Choice:
    """Which of all tools on the menu; no way to say that none fits."""
    return Choice("Which tool fits the current task?", {tool.id: tool.description for tool in tools})


def pick(category: str, tools: list[Tool]) -> Choice:
    """The pick of stage two as the engine asks it."""
    criteria = {tool.id: tool.description for tool in tools}
    return Choice(PICK_TEXT.format(category=category), {**criteria, NONE: PICK_NONE})


def relevance(category: str, description: str, tools: list[Tool], *, listed: bool) -> Noul:
    """The relevance question of stage one as the engine asks it, with or without one line per member."""
    members = [f"{tool.id}: {tool.description}" for tool in tools] if listed else []
    return Noul(RELEVANCE_TEXT.format(category=category), "\n".join([description, *members]), RELEVANCE_FALSE)


def _case(row: dict[str, Any], tools: dict[str, Tool]) -> Case:
    unknown = [name for name in (*row["menu"], *row["acceptable"]) if name not in tools]
    if unknown or not set(row["acceptable"]) <= set(row["menu"]):
        wrong = ", ".join(unknown) or "an acceptable tool"
        raise BrokenTraining(f"{SELECTION}, {row['id']}: {wrong} is missing in {TOOLS} or on the menu; add it there.")
    menu = tuple(tools[name] for name in row["menu"])
    return Case(row["id"], row["task"], frozenset(row["acceptable"]), menu, absent=row.get("kind") == "absent")


def _rows(name: str, raw: bytes) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(raw.decode().splitlines(), start=1):
        try:
            yield json.loads(line)
        except ValueError as error:
            raise BrokenTraining(f"{name}, line {number} is not JSON ({error}); correct that line.") from error


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BrokenTraining(f"{path.name} cannot be read ({error.strerror}); restore it.") from error
