"""How decisions look: an icon, a word and a tone, never a colour alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Look:
    icon: str
    word: str
    tone: str

    def to_json(self) -> dict[str, str]:
        return asdict(self)


UNMEASURED = Look("void", "not measured", "off")
_OFF = Look("void", "off", "off")
_BY_WORD: Mapping[str, Look] = {
    "allow": Look("allow", "allow", "ok"),
    "ask": Look("asking", "ask", "ask"),
    "hold": Look("hold", "hold", "ask"),
    "deny": Look("deny", "deny", "bad"),
    "selected": Look("good", "selected", "ok"),
    "needs_clarification": Look("asking", "needs clarification", "ask"),
    "no_match": Look("void", "no tool fits", "off"),
    "unavailable": Look("bad", "no usable judgment", "bad"),
    "routed": Look("good", "routed", "ok"),
    "fallback": Look("equal", "nothing changes", "off"),
    "none": Look("void", "no skill", "off"),
    "off": _OFF,
}


def key_of(decided: Mapping[str, Any]) -> str:
    """The word that a decision is looked up by: the outcome where there is one, the status elsewhere."""
    if decided.get("status") == "off":
        return "off"
    return str(decided.get("outcome") or decided["status"])


def of(decided: Mapping[str, Any]) -> Look:
    return _BY_WORD[key_of(decided)]


def to_json() -> dict[str, Any]:
    """All of them, for the script that decides again."""
    return {word: look.to_json() for word, look in _BY_WORD.items()}
