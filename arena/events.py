"""The closed set of event kinds: what each carries and who may emit it.

Every page, socket, export and lesson is a view over these. A new kind is a new line here first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Emitter(StrEnum):
    HOST = "host"
    ROUTER = "router"
    LANE = "lane"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of event: `fields` are always there, `optional` ones where they are known."""

    name: str
    emitters: frozenset[Emitter]
    says: str
    fields: frozenset[str]
    optional: frozenset[str] = frozenset()


def _kind(name: str, emitter: Emitter, says: str, fields: str = "", optional: str = "") -> tuple[str, Kind]:
    # The host ends a lane, and what it waited for, in the place of a worker that was lost.
    emitters = {emitter, Emitter.HOST} if name in ("lane.state", "approval.closed") else {emitter}
    # A menu grows while its lane works, where the agent may search for more tools.
    emitters |= {Emitter.LANE} if name == "lane.menu" else set()
    return name, Kind(name, frozenset(emitters), says, frozenset(fields.split()), frozenset(optional.split()))


KINDS: Mapping[str, Kind] = dict(
    [
        # by: user name; arms: list of arm names; origin: page, api, command, first; continues: the run that had asked
        _kind("run.created", Emitter.HOST, "The comparison was asked for.", "case arms by origin", "continues"),
        _kind("run.state", Emitter.HOST, "The run went into another state.", "state", "message"),
        _kind("run.stop_requested", Emitter.HOST, "A person asked to stop.", "by"),
        # stage: relevance:batch-1, pick; request: {state, questions}; bytes of the request as JSON
        _kind("judge.asked", Emitter.ROUTER, "A request left for the judge.", "judge stage request bytes digest"),
        # raw: reply text; notes: words of the judge about its answers; the validated ones are part of the selection
        _kind(
            "judge.answered",
            Emitter.ROUTER,
            "The judge replied.",
            "judge stage model raw latency_ms input_tokens output_tokens token_source",
            "notes",
        ),
        _kind(
            "judge.failed", Emitter.ROUTER, "The judge gave no usable reply.", "judge stage code message", "latency_ms"
        ),
        # selection: Selection.to_json(); receipt: its digest; blocked: prerequisites that are missing or forbidden
        _kind(
            "routing.decided", Emitter.HOST, "The selection was decided.", "outcome rule selection", "receipt blocked"
        ),
        # tools: [{id, role: a role of `arena/arms.py`, probability}], of: size of the catalog menu
        _kind("lane.menu", Emitter.HOST, "What the lane may see.", "tools of"),
        _kind("lane.state", Emitter.LANE, "The lane went into another state.", "state", "message"),
        # note: what the agent is about; candidates: [[tool id, similarity]]
        _kind("step.thinking", Emitter.LANE, "The agent chooses its next step.", "step", "note candidates"),
        _kind("call.started", Emitter.LANE, "A tool is called.", "step call tool effect arguments"),
        # text: a batch of the agent's words as they came; step: the step that they belong to
        _kind("step.said", Emitter.LANE, "The agent said something.", "step text"),
        # reason: a sentence; the time is no working time
        _kind("step.waiting", Emitter.LANE, "The agent waits for somebody else.", "step seconds reason"),
        # arguments: the text as it came, cut; nothing was executed
        _kind(
            "call.rejected",
            Emitter.LANE,
            "A call with malformed arguments reached no tool.",
            "step tool arguments error",
        ),
        # effects: [{op, collection, id, fields}]; bytes of the content as JSON; fault: `tool` where it broke by itself
        _kind(
            "call.finished",
            Emitter.LANE,
            "The tool returned or refused.",
            "step call tool ok duration_ms",
            "content error bytes effects fault executed",
        ),
        # action: allow, ask, hold, deny; rule: the id that decided; applied: whether it was more than a record;
        # measured against threshold, where something was; decisions: every rule that fired; ledger: the logical call
        _kind(
            "gate.decided",
            Emitter.LANE,
            "The gate decided about a call.",
            "call tool action rule reason mode applied latency_ms",
            "measured threshold question decisions values ledger failure",
        ),
        # The requests of the gate to the judge, in the form of those of the routing
        _kind("gate.asked", Emitter.LANE, "The gate asked the judge.", "call judge stage request bytes digest"),
        _kind(
            "gate.answered",
            Emitter.LANE,
            "The judge answered the gate.",
            "call judge stage model raw latency_ms input_tokens output_tokens token_source",
            "notes",
        ),
        _kind(
            "gate.failed",
            Emitter.LANE,
            "The judge gave the gate no usable reply.",
            "call judge stage code message",
            "latency_ms",
        ),
        # approval: its id; digest: what it is bound to; arguments: the redacted form; within_s: seconds to answer
        _kind(
            "approval.asked",
            Emitter.LANE,
            "A person is asked about a call.",
            "approval call tool effect arguments digest rule reason within_s",
            "measured threshold",
        ),
        # answer: approved or denied
        _kind("approval.answered", Emitter.HOST, "A person answered.", "approval call answer by"),
        # state: used (carried out), expired, void
        _kind("approval.closed", Emitter.LANE, "An approval came to its end.", "approval call state", "message"),
        # usage so far: token counts or null, and their source
        _kind(
            "lane.usage",
            Emitter.LANE,
            "Tokens used so far.",
            "input_tokens output_tokens source",
            "cached_input_tokens cache_write_tokens reasoning_tokens",
        ),
        # ending: answered, asked, declined, stopped, limit; model: the one that answered, as its provider names it
        _kind("lane.answered", Emitter.LANE, "The agent came to its end.", "ending text", "steps stop_reason model"),
        # fault: provider (who serves the model) or host (this site); code: which kind; message: a sentence
        _kind("agent.failed", Emitter.LANE, "The agent could not go on.", "fault code message", "steps model"),
        # items: [{title, passed, got}]
        _kind("lane.checked", Emitter.HOST, "The automatic check ran.", "passed items"),
    ]
)


def problem(kind: str, payload: Mapping[str, Any], emitter: Emitter) -> str | None:
    """Why this is no event of ours, or None."""
    known = KINDS.get(kind)
    if known is None:
        return f"unknown event kind {kind!r}"
    if emitter not in known.emitters:
        return f"{kind} is not for the {emitter} to emit"
    if missing := known.fields - payload.keys():
        return f"{kind} lacks {', '.join(sorted(missing))}"
    if unknown := payload.keys() - known.fields - known.optional:
        return f"{kind} does not carry {', '.join(sorted(unknown))}"
    return None
