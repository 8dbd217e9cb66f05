"""Deterministic rules over tool calls: a tool pattern and patterns of arguments give allow, ask or deny.

They need no judge and outrank it: what a rule denies or asks, no judgment loosens, and for what a rule allows none is
asked. Among rules that match the strictest wins, whatever their order.

Patterns are globs (`*` any text, `?` one character), not regular expressions: a glob compiles to atomic groups, so
matching never backtracks, and both sides are bounded. What is too long to be looked at counts as a match for rules
that deny or ask, and as none for rules that allow.
"""

from __future__ import annotations

import fnmatch
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from policy.engine import spellings
from policy.engine.decisions import Action, Decision, strictest

MOST_RULES = 200
MOST_CONDITIONS = 10
MAX_PATTERN_CHARS = 300
MAX_REASON_CHARS = 300
# A value longer than this is not looked at (code points).
MAX_VALUE_CHARS = 100_000
MAX_DEPTH = 60
PREFIX = "rules."
ANY_KEY, ANY_DEPTH = "*", "**"

ACTIONS = (Action.ALLOW, Action.ASK, Action.DENY)


class Operator(StrEnum):
    """How a value is compared: with a glob, or as a number."""

    LIKE = "="
    UNLIKE = "!="
    AT_LEAST = ">="
    AT_MOST = "<="
    ABOVE = ">"
    BELOW = "<"

    @property
    def numeric(self) -> bool:
        return self not in (Operator.LIKE, Operator.UNLIKE)


@dataclass(frozen=True, slots=True)
class Condition:
    """One argument: `path` is a JSON path in parts (`*` any field or item, `**` any depth), `value` a glob or number.

    A list or an object at the path stands for every plain value in it. What is not there fulfils no condition.
    """

    path: tuple[str, ...]
    operator: Operator
    value: str

    def __str__(self) -> str:
        return f"{path_text(self.path)}{self.operator}{quoted(self.value)}"


@dataclass(frozen=True, slots=True)
class CallRule:
    """One rule. `name` makes its id, `rules.<name>`; all `conditions` must hold; no conditions: every call."""

    name: str
    action: Action
    tool: str
    conditions: tuple[Condition, ...] = ()
    reason: str = ""

    @property
    def id(self) -> str:
        return PREFIX + self.name

    def __str__(self) -> str:
        return " ".join([self.action.value, quoted(self.tool), *map(str, self.conditions)])

    def to_json(self) -> dict[str, Any]:
        when = [[path_text(each.path), each.operator.value, each.value] for each in self.conditions]
        more = {"when": when} if when else {}
        reason = {"reason": self.reason} if self.reason else {}
        return {"name": self.name, "action": self.action.value, "tool": self.tool, **more, **reason}

    def matches(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        """A rule that allows wants the very name, and every spelling of a value to fit; the others take any."""
        strict = self.action is Action.ALLOW
        if not (_like(self.tool, tool) if strict else _like_name(self.tool, tool)):
            return False
        return all(_holds(each, arguments, strict) for each in self.conditions)


@dataclass(frozen=True, slots=True)
class CallRules:
    """All rules of a gate. `decide` is the strictest one that matches, the first among equals; None where none does."""

    rules: tuple[CallRule, ...] = ()

    def decide(self, tool: str, arguments: Mapping[str, Any]) -> Decision | None:
        fired = [rule for rule in self.rules if rule.matches(tool, arguments)]
        if not fired:
            return None
        action = strictest([rule.action for rule in fired])
        first = next(rule for rule in fired if rule.action is action)
        return Decision(action, first.id, first.reason or f"the rule says {first}")

    def to_json(self) -> list[dict[str, Any]]:
        return [rule.to_json() for rule in self.rules]


def path_text(path: Sequence[str]) -> str:
    """`items[0].name`, a field with odd characters in quotes and brackets."""
    text = ""
    for part in path:
        if part.isdigit() or (part == ANY_KEY and text):
            text += f"[{part}]"
        elif part in (ANY_DEPTH, ANY_KEY) or re.fullmatch(r"[^\W\d][\w-]*", part):
            text += f".{part}" if text else part
        else:
            text += f'["{part}"]'
    return text


def quoted(text: str) -> str:
    """As the text form writes it: quotes around what has blanks or marks in it."""
    plain = text and not re.search(r"[\s\"'#]|^--$", text)
    return text if plain else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _holds(condition: Condition, arguments: Mapping[str, Any], strict: bool) -> bool:
    every = all if strict else any
    leaves = list(_leaves(_found(arguments, condition.path, strict, MAX_DEPTH)))
    return bool(leaves) and every(_fits(condition, leaf, strict) for leaf in leaves)


def _fits(condition: Condition, leaf: Any, strict: bool) -> bool:
    if condition.operator.numeric:
        return _compares(condition, leaf, strict)
    text = leaf if isinstance(leaf, str) else _text(leaf)
    if len(text) > MAX_VALUE_CHARS:
        return not strict
    unlike = condition.operator is Operator.UNLIKE
    # A rule that allows compares exactly, case and all, and still wants every further spelling to fit.
    patterns = (condition.value,) if strict and not unlike else spellings.texts(condition.value)
    outcomes = [
        any(_like(pattern, spelling) for pattern in patterns) is not unlike
        for spelling in (_strict_spellings(text) if strict else spellings.texts(text))
    ]
    return all(outcomes) if strict else any(outcomes)


def _strict_spellings(text: str) -> tuple[str, ...]:
    """What an allowed value may amount to: a path that leads elsewhere than it says fits no such rule."""
    folded = spellings.texts(text)
    lower = text.casefold()
    # Case alone is no other place; anything else that folding changes is.
    return (text,) if all(each in (lower, lower.lstrip("/")) for each in folded[1:]) else (text, *folded[1:])


def _compares(condition: Condition, leaf: Any, strict: bool) -> bool:
    """Where a bound is set, what is no number is beyond it for rules that deny or ask."""
    if strict and (isinstance(leaf, bool) or not isinstance(leaf, int | float) or not math.isfinite(leaf)):
        return False
    read = spellings.number(leaf)
    return not strict if read is None else _COMPARE[condition.operator](read, float(condition.value))


_COMPARE: Mapping[Operator, Callable[[float, float], bool]] = {
    Operator.AT_LEAST: lambda one, other: one >= other,
    Operator.AT_MOST: lambda one, other: one <= other,
    Operator.ABOVE: lambda one, other: one > other,
    Operator.BELOW: lambda one, other: one < other,
}


def _found(value: Any, path: tuple[str, ...], strict: bool, depth: int) -> Iterator[Any]:
    """Everything at this path, in any spelling of its names unless `strict`."""
    if not path:
        yield value
        return
    if not depth:
        return
    part, rest = path[0], path[1:]
    if part == ANY_DEPTH:
        yield from _found(value, rest, strict, depth - 1)
        for _, item in _items(value):
            yield from _found(item, path, strict, depth - 1)
        return
    wanted = part if strict else spellings.name(part)
    for key, item in _items(value):
        if part == ANY_KEY or key == part or (not strict and spellings.name(key) == wanted):
            yield from _found(item, rest, strict, depth - 1)


def _items(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        yield from ((str(key), item) for key, item in value.items())
    elif isinstance(value, list | tuple):
        yield from ((str(index), item) for index, item in enumerate(value))


def _leaves(values: Iterator[Any]) -> Iterator[Any]:
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        inside = [item for _, item in _items(value)]
        if isinstance(value, Mapping | list | tuple):
            waiting += inside
        else:
            yield value


def _text(leaf: Any) -> str:
    if leaf is None or isinstance(leaf, bool):
        return {None: "null", True: "true", False: "false"}[leaf]
    return str(int(leaf)) if isinstance(leaf, float) and leaf.is_integer() else str(leaf)


def _like_name(pattern: str, given: str) -> bool:
    return _like(spellings.name(pattern, keep="*?"), spellings.name(given)) or _like(pattern, given)


def _like(pattern: str, text: str) -> bool:
    return _glob(pattern).match(text) is not None


@lru_cache(maxsize=1024)
def _glob(pattern: str) -> re.Pattern[str]:
    # Square brackets are no sets here: paths and JSON are full of them.
    return re.compile(fnmatch.translate(pattern.replace("[", "[[]")))
