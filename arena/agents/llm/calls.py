"""The tool calls of a reply, as they came and as the toolbox takes them; and what goes back for each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic_ai.messages import ModelResponse, ToolCallPart, ToolReturnPart
from pydantic_ai.tools import ToolDefinition

from arena.agents.agent import CallOutcome
from arena.agents.llm import names
from arena.agents.llm.words import hidden
from arena.catalogs.tool import Tool


@dataclass(frozen=True, slots=True)
class Wanted:
    """One call that the model wants; with `problem` its arguments are no JSON object, and `raw` is their text."""

    part: ToolCallPart
    tool: str
    arguments: dict[str, Any]
    raw: str
    problem: str = ""


def offered(tools: tuple[Tool, ...]) -> list[ToolDefinition]:
    """The tools of a menu with their own schemas: nothing is tightened or loosened for a provider."""
    return [
        ToolDefinition(
            name=names.on_the_wire(tool.id),
            description=tool.description,
            parameters_json_schema=dict(tool.schema),
            strict=False,
        )
        for tool in tools
    ]


def wanted(response: ModelResponse, menu: tuple[Tool, ...], secret: str) -> list[Wanted]:
    """The calls of a reply in its own order, which is the order in which they are made."""
    return [_read(part, menu, secret) for part in response.parts if isinstance(part, ToolCallPart)]


def _read(part: ToolCallPart, menu: tuple[Tool, ...], secret: str) -> Wanted:
    tool = hidden(names.back(part.tool_name, (each.id for each in menu)), secret)
    args = part.args
    raw = hidden(args if isinstance(args, str) else json.dumps(args or {}, ensure_ascii=False), secret)
    try:
        arguments = json.loads(raw, parse_constant=_no_constant) if raw.strip() else {}
    except (ValueError, RecursionError):
        return Wanted(part, tool, {}, raw, _problem("cannot be read as JSON"))
    if not isinstance(arguments, dict):
        return Wanted(part, tool, {}, raw, _problem("are no JSON object"))
    return Wanted(part, tool, arguments, raw)


def remembered(response: ModelResponse, calls: Sequence[Wanted]) -> ModelResponse:
    """The reply as the next request carries it: arguments that are no JSON object go back as text inside of one.

    Vendors and servers differ in what they make of a malformed call in their own past; a well-formed one all take.
    """
    malformed = {id(call.part): call for call in calls if call.problem}
    parts = [
        replace(part, args=json.dumps({"malformed": malformed[id(part)].raw}))
        if isinstance(part, ToolCallPart) and id(part) in malformed
        else part
        for part in response.parts
    ]
    return replace(response, parts=parts)


def _problem(what: str) -> str:
    return f"The arguments {what}; nothing was called. Send one JSON object with the arguments of the tool."


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def returned(call: Wanted, outcome: CallOutcome) -> ToolReturnPart:
    """What the model reads about its call: the content, or the sentence of the refusal."""
    content = outcome.content if outcome.ok else {"error": outcome.error or "The call was refused."}
    return _part(call, content, "success" if outcome.ok else "failed")


def rejected(call: Wanted) -> ToolReturnPart:
    return _part(call, {"error": call.problem}, "failed")


def _part(call: Wanted, content: Any, outcome: Literal["success", "failed"]) -> ToolReturnPart:
    return ToolReturnPart(call.part.tool_name, content, tool_call_id=call.part.tool_call_id, outcome=outcome)
