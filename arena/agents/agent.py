"""The one agent protocol: what an agent is given, what it reports while it works, how it ends.

An agent is a generator. It yields events, calls tools through the toolbox only, and returns its result;
whoever drives it (a lane, a test) stores the events. The toolbox executes, records and gates the calls.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, Protocol

from arena.catalogs.tool import Tool

UsageSource = Literal["reported", "estimated"]
Fault = Literal["provider", "host"]


class Ending(StrEnum):
    """How an agent's work came to its end; a crash is an exception, not an ending."""

    ANSWERED = "answered"
    ASKED = "asked"
    DECLINED = "declined"
    STOPPED = "stopped"
    LIMIT = "limit"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one lane: tool calls, seconds of working time, and tokens in and out together (None: no bound)."""

    max_steps: int = 12
    time_s: float = 120.0
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Brief:
    """Everything an agent is given. `values` are facts of the case that the task text leaves out, by argument name.

    `questions` were asked before; the last paragraphs of the task are a person's answers to them, in order.

    `pause_s` is the mean pause before a step so that people can watch; 0 means none. `seed` varies the pause only.
    """

    task: str
    menu: tuple[Tool, ...]
    values: Mapping[str, Any] = field(default_factory=dict)
    restrictions: tuple[str, ...] = ()
    limits: Limits = Limits()
    pause_s: float = 0.0
    seed: int = 0
    questions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """What a call gave back: JSON content, or the sentence of the refusal.

    `waited_s` is time that a person took to answer: an agent adds it to its deadline, for it is no work.
    `joined` are tools that joined the menu by this call; an agent offers them from its next request on.
    """

    ok: bool
    content: Any = None
    error: str | None = None
    waited_s: float = 0.0
    joined: tuple[Tool, ...] = ()


class Toolbox(Protocol):
    """The only way from an agent to a tool; it may refuse, and it records every call."""

    def call(self, tool_id: str, arguments: Mapping[str, Any]) -> CallOutcome: ...


class Cancel(Protocol):
    """A stop that may have been requested by a person or by a limit of the lane."""

    def requested(self) -> bool: ...

    def wait(self, seconds: float) -> bool:
        """Sleep up to `seconds`, less when a stop comes; True when a stop was requested."""
        ...


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a lane so far; None is unknown, never 0. What is cached is a part of input, reasoning one of output."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_input_tokens: int | None = None
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None
    source: UsageSource = "reported"

    def to_json(self) -> dict[str, Any]:
        return {
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cached_input_tokens": self.cached_input_tokens,
            "cache_write_tokens": self.cache_write_tokens,
            "reasoning_tokens": self.reasoning_tokens,
            "source": self.source,
        }


@dataclass(frozen=True, slots=True)
class Thinking:
    """A decision of the agent before it acts: a note in words and the tools that it weighed, best first."""

    step: int
    note: str
    candidates: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """Words that the agent said while it works, in batches; those before a call and its last words alike."""

    text: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """The agent waits `seconds` for somebody else, such as a provider at its rate limit; `reason` is a sentence."""

    seconds: float
    reason: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """A call that never reached the toolbox, for its arguments are no JSON object; `arguments` is the text as it came.

    It is recorded, but nothing was executed.
    """

    tool: str
    arguments: str
    error: str


@dataclass(frozen=True, slots=True)
class Progress:
    """Usage so far; a lane that is stopped keeps the last one."""

    usage: Usage


AgentEvent = Thinking | Said | Waiting | Rejected | Progress


@dataclass(frozen=True, slots=True)
class AgentResult:
    """How the work ended. `steps` counts tool calls; `model` is None where no model took part or none was reported.

    With `Ending.FAILED`, `text` says why, `fault` whose it is (the provider's who serves the model, or this host's)
    and `code` which kind. Times are in ms since the work began, None where there was no such thing: the first word
    or call that came from the model, and the first tool call. `waiting_ms` was waited for a provider, apart from
    what was waited through `Cancel.wait`.
    """

    ending: Ending
    text: str
    usage: Usage
    model: str | None
    steps: int
    stop_reason: str
    fault: Fault | None = None
    code: str = ""
    first_token_ms: float | None = None
    first_tool_ms: float | None = None
    waiting_ms: float | None = None


class Agent(Protocol):
    """`name` is the stable key, `label` what people read."""

    name: str
    label: str

    def run(self, brief: Brief, toolbox: Toolbox, cancel: Cancel) -> Generator[AgentEvent, None, AgentResult]: ...
