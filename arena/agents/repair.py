"""A second try after a refused call: better arguments out of the words of the refusal."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from typing import Any

from arena.agents import shapes
from arena.agents.arguments import Filled
from arena.catalogs.tool import Tool

MIN_LIKENESS = 0.6
_OFFERED = re.compile(r"[^\s,;:'\"“”()]+")


def corrected(tool: Tool, arguments: Mapping[str, Any], error: str) -> dict[str, Any] | None:
    """Arguments with the refused one replaced by what the error offers, or left out where optional; None if neither."""
    for name, value in arguments.items():
        if re.search(rf"\b{re.escape(name)}\b", error) or (isinstance(value, str) and value and value in error):
            offered = _closest(str(value), error, known={str(each) for each in arguments.values()})
            if offered is not None and isinstance(value, str):
                return {**arguments, name: offered}
            if name not in tool.required and len(arguments) > 1:
                return {key: each for key, each in arguments.items() if key != name}
    return None


def widened(tool: Tool, filled: Filled) -> dict[str, Any] | None:
    """Arguments that may find more: without those that narrow, or with fewer search words; None if there are none."""
    needed = {name: value for name, value in filled.arguments.items() if name in tool.required}
    if needed and len(needed) < len(filled.arguments):
        return needed
    for argument in shapes.arguments(tool):
        value = filled.arguments.get(argument.name)
        if argument.query and argument.name in filled.guessed and isinstance(value, str) and " " in value:
            return {**filled.arguments, argument.name: max(value.split(), key=len)}
    return None


def _closest(value: str, error: str, *, known: set[str]) -> str | None:
    if value.isdigit():
        return None
    words = [word.rstrip(".?!") for word in _OFFERED.findall(error)]
    offered = [word for word in dict.fromkeys(words) if word and word not in known]
    inside = [word for word in offered if word.endswith(f"/{value}")]
    near = difflib.get_close_matches(value, offered, n=1, cutoff=MIN_LIKENESS)
    return next(iter(inside + near), None)
