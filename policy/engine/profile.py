"""A profile: named, versioned, immutable thresholds, limits and failure policy (seed 000, Thresholds)."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self

from policy.engine.bounds import clean_text
from policy.engine.canonical import digest
from policy.engine.decisions import Action
from policy.engine.failures import FailureCode

# Of `maxDepth`: deeper than any call that is assessed, and far from Python's own limit.
MOST_DEPTH = 100


class InvalidConfig(ValueError):
    """A setting that cannot be used; the message names the key, the value and what is allowed."""

    code = FailureCode.INVALID_CONFIG


class _Section:
    """Shared reading and writing of a section whose wire names are the camelCase of its attributes."""

    __slots__ = ()

    @classmethod
    def from_json(cls, value: object) -> Self:
        known = {_wire(name): name for name in _names(cls)}
        given = _object(value, cls.__name__.lower(), known)
        return cls(**{known[key]: item for key, item in given.items()})

    def to_json(self) -> dict[str, Any]:
        return {_wire(name): getattr(self, name) for name in _names(type(self))}


@dataclass(frozen=True, slots=True)
class Thresholds(_Section):
    """Cuts on probabilities and confidences, each in [0, 1]; starting values, not calibrated ones."""

    relevance: float = 0.5
    selection: float = 0.35
    confidence: float = 0.3
    restriction: float = 0.5
    missing_information: float = 0.5
    task_match: float = 0.35
    skill: float = 0.5
    model_route: float = 0.4
    ask_first: float = 0.6

    def __post_init__(self) -> None:
        for name in _names(type(self)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
                raise InvalidConfig(f'threshold "{_wire(name)}" must be a number in [0, 1]; got {value!r:.80}')
            object.__setattr__(self, name, float(value))


@dataclass(frozen=True, slots=True)
class Limits(_Section):
    """Bounds on time (ms), lengths (code points), counts and depth; positive whole numbers."""

    budget_ms: int = 8000
    max_concurrent: int = 2
    max_state_chars: int = 4000
    max_argument_chars: int = 1200
    max_categories: int = 8
    max_candidates_per_question: int = 40
    max_options_per_question: int = 255
    max_array_items: int = 24
    max_depth: int = 4
    max_skills: int = 20
    max_selected_tools: int = 12

    def __post_init__(self) -> None:
        for name in _names(type(self)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise InvalidConfig(f'limit "{_wire(name)}" must be a positive integer; got {value!r:.80}')
        if self.max_depth > MOST_DEPTH:
            raise InvalidConfig(f'limit "maxDepth" may be {MOST_DEPTH} at most; got {self.max_depth!r:.80}')
        if self.max_options_per_question < 2:
            raise InvalidConfig('limit "maxOptionsPerQuestion" must be at least 2: one tool and the answer "none"')
        if self.max_candidates_per_question > self.max_options_per_question:
            raise InvalidConfig(
                "maxCandidatesPerQuestion must not exceed maxOptionsPerQuestion; "
                f"got {self.max_candidates_per_question} and {self.max_options_per_question}"
            )

    @property
    def tools_per_question(self) -> int:
        """Tools that one pick can offer: one option is the answer "none"."""
        return min(self.max_candidates_per_question, self.max_options_per_question - 1)


_FALLBACK_ONLY = ("toolSelection", "skillRouting", "modelRouting")


@dataclass(frozen=True, slots=True)
class OnFailure:
    """What a failed judgment becomes: `ask` or `hold` for a tool call, always the fallback elsewhere."""

    tool_assessment: Action = Action.ASK

    def __post_init__(self) -> None:
        if self.tool_assessment not in ("ask", "hold"):
            raise InvalidConfig(
                'onFailure "toolAssessment" must be ask or hold, because a missing assessment must never become '
                f"a permission; got {self.tool_assessment!r:.80}"
            )
        object.__setattr__(self, "tool_assessment", Action(self.tool_assessment))

    @classmethod
    def from_json(cls, value: object) -> OnFailure:
        given = _object(value, "onFailure", ("toolAssessment", *_FALLBACK_ONLY))
        for key in _FALLBACK_ONLY:
            if given.get(key, "fallback") != "fallback":
                raise InvalidConfig(f'onFailure "{key}" can only be fallback; got {given[key]!r:.80}')
        return cls(given.get("toolAssessment", Action.ASK))

    def to_json(self) -> dict[str, str]:
        return {"toolAssessment": self.tool_assessment.value, **dict.fromkeys(_FALLBACK_ONLY, "fallback")}


@dataclass(frozen=True, slots=True)
class Profile:
    """The settings of one engine; `digest` is the SHA-256 of its canonical JSON, name and version included."""

    name: str = "default"
    version: int = 1
    thresholds: Thresholds = field(default_factory=Thresholds)
    limits: Limits = field(default_factory=Limits)
    on_failure: OnFailure = field(default_factory=OnFailure)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip() or clean_text(self.name).lost:
            raise InvalidConfig(f"a profile needs a name, a text that can be stored; got {self.name!r:.80}")
        if isinstance(self.version, bool) or not isinstance(self.version, int) or self.version < 1:
            raise InvalidConfig(
                f'version of profile "{self.name}" must be a positive integer; got {self.version!r:.80}'
            )

    @classmethod
    def from_json(cls, value: object) -> Profile:
        """Read the wire form of seed 000; absent keys keep their default, unknown keys raise `InvalidConfig`."""
        given = dict(_object(value, "profile", ("name", "version", "thresholds", "limits", "onFailure")))
        sections: dict[str, Any] = {
            "thresholds": Thresholds.from_json(given.pop("thresholds", {})),
            "limits": Limits.from_json(given.pop("limits", {})),
            "on_failure": OnFailure.from_json(given.pop("onFailure", {})),
        }
        return cls(**given, **sections)

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "version": self.version,
            "thresholds": self.thresholds.to_json(),
            "limits": self.limits.to_json(),
            "onFailure": self.on_failure.to_json(),
        }

    @classmethod
    def from_toml(cls, text: str) -> Profile:
        """Read the same keys from a TOML document; raises `InvalidConfig`, with the line where it is no TOML."""
        try:
            return cls.from_json(tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise InvalidConfig(f"the profile is not valid TOML: {error}") from error

    def to_toml(self) -> str:
        """A TOML document with every key, defaults included; reading it gives a profile with the same digest."""
        sections = self.to_json()
        lines = [_toml_line(key, sections.pop(key)) for key in ("name", "version")]
        for name, section in sections.items():
            lines += ["", f"[{name}]", *(_toml_line(key, value) for key, value in section.items())]
        return "\n".join(lines) + "\n"

    @property
    def digest(self) -> str:
        return digest(self.to_json())


def _names(section: type[Any]) -> tuple[str, ...]:
    return tuple(item.name for item in fields(section))


def _wire(name: str) -> str:
    head, *tail = name.split("_")
    return head + "".join(part.capitalize() for part in tail)


def _toml_line(key: str, value: str | int | float) -> str:
    """A JSON text is a TOML text but for U+007F; numbers read back as they are."""
    shown = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f") if isinstance(value, str) else repr(value)
    return f"{key} = {shown}"


def _object(value: object, where: str, known: Mapping[str, str] | tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidConfig(f'"{where}" must be an object; got {value!r:.80}')
    for key in value:
        if key not in known:
            raise InvalidConfig(f'"{where}" has no key {key!r:.80}; known keys are {", ".join(known)}')
    return value
