"""A tool call as a state names it (`call` and `restrictions`, seed 000): what is called with which values."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from policy.judges.local import text, verbs
from policy.judges.local.verbs import Deed


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call and all rules that hold for it: one that nobody read would count as kept."""

    tool: str
    values: tuple[str, ...]
    rules: tuple[str, ...]

    @classmethod
    def of(cls, state: Mapping[str, Any] | str) -> Call | None:
        """The call that a state names, or None; arguments may be JSON text or an object."""
        named = state.get("call") if isinstance(state, Mapping) else None
        if not isinstance(named, Mapping) or not isinstance(named.get("tool"), str):
            return None
        assert isinstance(state, Mapping)
        rules = state.get("restrictions")
        listed = [rule for rule in rules if isinstance(rule, str)] if isinstance(rules, list | tuple) else []
        return cls(named["tool"], tuple(_values(_parsed(named.get("arguments")))), tuple(listed))

    @property
    def said(self) -> str:
        """The call in words: the tool's name, then its values."""
        return f"{' '.join(text.words(self.tool))}: {', '.join(self.values)}"[: text.MAX_CHARS]

    @property
    def deeds(self) -> frozenset[Deed]:
        """What it does, by the tool's name; a value such as an SQL statement may add to it."""
        first = " ".join(value.split(maxsplit=1)[0] for value in self.values if " " in value.strip())
        return verbs.all_of(self.tool) | (verbs.all_of(first) - {Deed.OBSERVE})


def _parsed(arguments: Any) -> Any:
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments


def _values(value: Any) -> Iterator[str]:
    """Every plain value, as text; null is an empty one."""
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _values(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _values(item)
    else:
        yield "" if value is None else str(value)
