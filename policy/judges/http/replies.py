"""The bytes of a reply as JSON, strictly: what another reader could read differently is refused with its place."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from policy.engine.failures import Violation

MOST_DEPTH = 64
MOST_LISTED = 8
_SURROGATE = re.compile("[\ud800-\udfff]")


class NotJson(ValueError):
    """Why the bytes are no usable JSON; `violations` name the places."""

    def __init__(self, *violations: Violation) -> None:
        super().__init__(violations[0].message)
        self.violations = violations


def parsed(raw: bytes) -> Any:
    """The JSON value of a body in UTF-8; raises `NotJson` with what is wrong and where."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotJson(Violation("body", f"is not UTF-8 at byte {error.start}")) from None
    if not text.strip():
        raise NotJson(Violation("body", "is empty"))
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_NoNumber)
    except json.JSONDecodeError as error:
        raise NotJson(Violation("body", f"is not JSON at character {error.pos}: {_kind(text)}")) from None
    except RecursionError:
        raise NotJson(Violation("body", f"is nested more than {MOST_DEPTH} levels deep")) from None
    except ValueError:
        raise NotJson(Violation("body", "has an integer of thousands of digits")) from None
    found: list[Violation] = []
    _walk(value, "", 0, found)
    if found:
        raise NotJson(*found[:MOST_LISTED])
    return value


class _NoNumber:
    """Stands for NaN or an infinity until its path is known."""

    def __init__(self, name: str) -> None:
        self.name = name


class _Twice(dict[str, Any]):
    """An object in which a name came twice."""

    __slots__ = ("name",)
    name: str


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    names = [name for name, _ in pairs]
    twice = _Twice(found)
    twice.name = next(name for name in names if names.count(name) > 1)
    return twice


def _walk(value: Any, path: str, depth: int, found: list[Violation]) -> None:
    """Collect what JSON does not have, or what readers disagree about."""
    if depth > MOST_DEPTH:
        found.append(Violation(_cut(path), f"is nested more than {MOST_DEPTH} levels deep"))
    elif isinstance(value, str):
        if _SURROGATE.search(value):
            found.append(Violation(_cut(path), "has half of a character (a lone surrogate)"))
    elif isinstance(value, _NoNumber):
        found.append(Violation(_cut(path), f"{value.name} is no number in JSON"))
    elif isinstance(value, float):
        if not math.isfinite(value):
            found.append(Violation(_cut(path), "a number is too large to be kept"))
    elif isinstance(value, Mapping):
        if isinstance(value, _Twice):
            found.append(Violation(_cut(_join(path, value.name)), "the name comes twice in one object"))
        for name, item in value.items():
            if _SURROGATE.search(name):
                found.append(Violation(_cut(path), "a name has half of a character (a lone surrogate)"))
            else:
                _walk(item, _join(path, name), depth + 1, found)
    elif isinstance(value, list):
        for place, item in enumerate(value):
            _walk(item, f"{path}[{place}]", depth + 1, found)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _cut(path: str) -> str:
    clean = _SURROGATE.sub("\ufffd", path)
    return clean if len(clean) <= 200 else f"{clean[:200]}…"


def _kind(text: str) -> str:
    """What it looks like instead, for whoever set a wrong address."""
    begin = text.lstrip()[:200].lower()
    if begin.startswith(("<!doctype", "<html", "<head", "<?xml")):
        return "it looks like a web page"
    if begin.startswith("data:") or begin.startswith("event:"):
        return "it looks like a stream of events"
    if begin.startswith((")]}'", "for(;;)", "while(1)")):
        return "it begins with a guard against scripts"
    return "it ends too early" if begin.startswith(("{", "[")) and not text.rstrip().endswith(("}", "]")) else "text"
