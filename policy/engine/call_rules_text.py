"""Rules as people write them, one a line, or as JSON; every mistake is named with its rule, field and mend.

# name: action  tool  conditions  -- reason
deny delete_*                                  -- nothing is deleted here
deny read_file path=secrets/*
refunds: ask issue_refund amount>100           -- a person looks at larger refunds
allow send_mail to=*@acme.example
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from policy.engine.bounds import sendable
from policy.engine.call_rules import (
    ACTIONS,
    ANY_DEPTH,
    MAX_PATTERN_CHARS,
    MAX_REASON_CHARS,
    MOST_CONDITIONS,
    MOST_RULES,
    CallRule,
    CallRules,
    Condition,
    Operator,
)
from policy.engine.decisions import Action
from policy.engine.profile import InvalidConfig

MAX_TEXT_CHARS = 20_000
MOST_PROBLEMS = 5
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_NAMED = re.compile(rf"({_NAME.pattern}):\s")
_WORD = re.compile(r"""(?:[^\s"]|"(?:[^"\\]|\\.)*")+""")
_SPLIT = re.compile(r"^([^=<>!]+?)(>=|<=|!=|=|>|<)(.*)$", re.DOTALL)
_PART = re.compile(r'\["([^"\]]+)"\]|\[(\d+|\*)\]|\.?(\*\*|\*|[^\W\d][\w-]*)')
_KEYS = {"name", "action", "tool", "when", "reason"}


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong in one field of one rule (its line, or its place in the list), and how to mend it."""

    rule: str
    field: str
    cause: str
    mend: str

    def __str__(self) -> str:
        return f"{self.rule}, {self.field}: {self.cause}; {self.mend}."


class InvalidRules(InvalidConfig):
    """Rules that cannot be used; the text is one sentence for each of the first problems."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        more = len(problems) - MOST_PROBLEMS
        said = " ".join(map(str, problems[:MOST_PROBLEMS]))
        super().__init__(f"{said} And {more} more." if more > 0 else said)


class _Wrong(Exception):
    def __init__(self, field: str, cause: str, mend: str) -> None:
        super().__init__(cause)
        self.field, self.cause, self.mend = field, cause, mend


def parse(text: str) -> CallRules:
    """Rules from text, one a line; `#` begins a comment. Raises `InvalidRules`."""
    if len(text) > MAX_TEXT_CHARS:
        mend = f"write at most {MAX_TEXT_CHARS:,}"
        raise InvalidRules([Problem("The rules", "length", f"they have {len(text):,} characters", mend)])
    lines = [(f"Line {n}", line) for n, line in enumerate(text.splitlines(), start=1) if _said(line)]
    return _collected((where, lambda line=line, n=n: _line(line, n)) for n, (where, line) in enumerate(lines, start=1))


def from_json(data: object) -> CallRules:
    """Rules from a list of objects `{"action", "tool", "when": [[path, operator, value]], "name", "reason"}`.

    `when` may also be an object of globs by path. Raises `InvalidRules`.
    """
    if not isinstance(data, list | tuple):
        raise InvalidRules(
            [Problem("The rules", "form", "they are no list", 'write [{"action": "deny", "tool": "…"}]')]
        )
    return _collected((f"Rule {n}", lambda each=each, n=n: _object(each, n)) for n, each in enumerate(data, start=1))


def write(rules: CallRules) -> str:
    """The text form of rules; `parse` reads it back to the same rules."""
    return "".join(f"{_written(rule, n)}\n" for n, rule in enumerate(rules.rules, start=1))


def _written(rule: CallRule, number: int) -> str:
    named = "" if rule.name == str(number) else f"{rule.name}: "
    return f"{named}{rule}" + (f" -- {rule.reason}" if rule.reason else "")


def _said(line: str) -> str:
    return "" if line.lstrip().startswith("#") else line.strip()


def _collected(given: Iterator[tuple[str, Any]]) -> CallRules:
    rules: list[CallRule] = []
    problems: list[Problem] = []
    for where, read in given:
        if len(rules) + len(problems) >= MOST_RULES:
            problems.append(Problem(where, "rule", f"there are more than {MOST_RULES}", "leave some out"))
            break
        try:
            rule = read()
            if rule.name in {each.name for each in rules}:
                raise _Wrong("name", f"“{rule.name}” is there twice", "give every rule a name of its own")
            rules.append(rule)
        except _Wrong as wrong:
            problems.append(Problem(where, wrong.field, wrong.cause, wrong.mend))
    if problems:
        raise InvalidRules(problems)
    return CallRules(tuple(rules))


def _line(line: str, number: int) -> CallRule:
    rest = _said(line)
    named = _NAMED.match(rest)
    name = named[1] if named else str(number)
    rest = rest[named.end() :] if named else rest
    words, reason = _words(rest)
    if len(words) < 2:
        raise _Wrong("tool", "there is none", "write action and tool, such as: deny delete_*")
    when = [_condition_of(word) for word in words[2:]]
    return _rule(name, words[0], _unquoted(words[1]), when, reason)


def _words(text: str) -> tuple[list[str], str]:
    """The words before a reason or a comment, and the reason."""
    words: list[str] = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        if text[at] == "#":
            return words, ""
        if text.startswith("--", at) and text[at + 2 : at + 3] in ("", " ", "\t"):
            return words, text[at + 2 :].strip()
        found = _WORD.match(text, at)
        if found is None:
            raise _Wrong("quotes", "a quote is not closed", 'write \\" for a quote inside quotes')
        words.append(found[0])
        at = found.end()
    return words, ""


def _condition_of(word: str) -> tuple[str, str, str]:
    found = _SPLIT.match(word)
    if found is None:
        raise _Wrong("condition", f"“{word[:60]}” compares nothing", "write path=pattern, such as to=*@acme.example")
    return found[1], found[2], _unquoted(found[3])


def _unquoted(word: str) -> str:
    return re.sub(r'"((?:[^"\\]|\\.)*)"', lambda found: re.sub(r"\\(.)", r"\1", found[1]), word)


def _object(given: object, number: int) -> CallRule:
    if not isinstance(given, Mapping):
        raise _Wrong("form", "it is no object", 'write {"action": "deny", "tool": "delete_*"}')
    if unknown := sorted(map(str, given.keys() - _KEYS)):
        raise _Wrong(unknown[0][:40], "there is no such field", f"use {', '.join(sorted(_KEYS))}")
    named = given.get("name") or str(number)
    if not isinstance(named, str):
        raise _Wrong("name", "it is no text", "write letters, digits, - and _")
    return _rule(
        named, given.get("action"), given.get("tool"), list(_when(given.get("when", ()))), given.get("reason", "")
    )


def _when(given: object) -> Iterator[tuple[object, object, object]]:
    if isinstance(given, Mapping):
        yield from ((path, "=", value) for path, value in given.items())
        return
    if not isinstance(given, list | tuple):
        raise _Wrong("when", "it is no list", 'write [["path", "=", "secrets/*"]]')
    for each in given:
        if not isinstance(each, list | tuple) or len(each) != 3:
            raise _Wrong("when", "a condition is no list of three", 'write ["path", "=", "secrets/*"]')
        yield each[0], each[1], each[2]


def _rule(
    name: str, action: object, tool: object, when: Sequence[tuple[object, object, object]], reason: object
) -> CallRule:
    if not _NAME.fullmatch(name):
        raise _Wrong("name", f"“{name[:60]}” is none", "write up to 40 letters, digits, - and _")
    if not isinstance(action, str) or action not in ACTIONS:
        raise _Wrong("action", f"“{str(action)[:40]}” is none", f"write {', '.join(ACTIONS[:-1])} or {ACTIONS[-1]}")
    if not isinstance(tool, str) or not tool.strip():
        raise _Wrong("tool", "there is none", "write a tool’s name or a pattern, such as delete_*")
    if len(when) > MOST_CONDITIONS:
        raise _Wrong("when", f"there are {len(when)} conditions", f"write at most {MOST_CONDITIONS}")
    if not isinstance(reason, str) or len(reason) > MAX_REASON_CHARS or "\n" in reason:
        raise _Wrong("reason", "it is no short text", f"write one line of at most {MAX_REASON_CHARS} characters")
    _refuse_unstorable("reason", reason)
    return CallRule(name, Action(action), _bounded("tool", tool), tuple(_condition(*each) for each in when), reason)


def _condition(path: object, operator: object, value: object) -> Condition:
    if not isinstance(operator, str) or operator not in tuple(Operator):
        raise _Wrong("when", f"“{str(operator)[:20]}” compares nothing", f"use one of {' '.join(Operator)}")
    parts = _path(path)
    compared = Operator(operator)
    if isinstance(value, bool) or value is None:
        value = {None: "null", True: "true", False: "false"}[value]
    if not isinstance(value, str | int | float):
        raise _Wrong("when", f"what {str(path)[:40]} is compared with is no text", "write a pattern or a number")
    text = _bounded("when", str(value), empty=True)
    if compared.numeric and not _is_number(text):
        raise _Wrong("when", f"“{text[:40]}” is no number", f"write a number after {compared}, or use = with a pattern")
    return Condition(parts, compared, text)


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def _path(given: object) -> tuple[str, ...]:
    text = given if isinstance(given, str) else ""
    rest = text.removeprefix("$").removeprefix(".") if text.startswith("$") else text
    parts: list[str] = []
    at = 0
    while at < len(rest):
        found = _PART.match(rest, at)
        if found is None or (found[0].startswith(".") and not parts) or (found[3] and parts and rest[at] != "."):
            break
        parts.append(next(part for part in found.groups() if part is not None))
        at = found.end()
    if parts.count(ANY_DEPTH) > 1:
        raise _Wrong("when", f"“{text[:60]}” says ** twice", "say it once")
    _refuse_unstorable("when", text)
    if not parts or at < len(rest) or len(text) > MAX_PATTERN_CHARS:
        raise _Wrong("when", f"“{text[:60]}” is no path", "write it like path, items[0].name, items[*].name or **.name")
    return tuple(parts)


def _bounded(field: str, text: str, *, empty: bool = False) -> str:
    if len(text) > MAX_PATTERN_CHARS or (not text and not empty):
        raise _Wrong(field, f"a pattern has {len(text):,} characters", f"write 1 to {MAX_PATTERN_CHARS}")
    _refuse_unstorable(field, text)
    return text


def _refuse_unstorable(field: str, text: str) -> None:
    """No database keeps a NUL, and none keeps half a character; a rule is stored with its run."""
    if "\x00" in text or not sendable(text):
        raise _Wrong(field, "it holds a NUL or half a character", "take that out")
