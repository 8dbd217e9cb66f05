"""Values at a path of a JSON document: `$.items[0].name`, `[*]` for any entry of a list."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

MAX_FOUND = 200
_STEP = re.compile(r"\.([^.\[\]\s]+)|\[(\d+|\*)\]")
_FENCE = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)


def documents(text: str) -> list[Any]:
    """The JSON in an answer: the whole of it, or what stands in fences."""
    found = []
    for part in (text, *_FENCE.findall(text)):
        try:
            found.append(json.loads(part))
        except (ValueError, RecursionError):
            continue
    return found


def of_result(content: Any) -> list[Any]:
    """What a tool returned, and the JSON in its text where it has one."""
    text = content.get("text") if isinstance(content, Mapping) else None
    return [content, *(documents(text) if isinstance(text, str) else ())]


def at(document: Any, path: str) -> list[Any]:
    """Every value at the path, at most 200."""
    found = [document]
    for key, index in _STEP.findall(path):
        found = [each for value in found for each in _step(value, key, index)][:MAX_FOUND]
    return found


def same(value: Any, wanted: Any) -> bool:
    """Equal as JSON: true is not 1, and 2 is 2.0."""
    return isinstance(value, bool) == isinstance(wanted, bool) and value == wanted


def _step(value: Any, key: str, index: str) -> list[Any]:
    if key:
        return [value[key]] if isinstance(value, Mapping) and key in value else []
    if not isinstance(value, list):
        return []
    if index == "*":
        return value
    return [value[int(index)]] if int(index) < len(value) else []
