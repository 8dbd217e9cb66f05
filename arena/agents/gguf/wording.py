"""What the model reads: the prompt of every agent, the menu in lines, what was done so far, and the step to do now."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from arena.agents.agent import Brief, CallOutcome
from arena.agents.gguf.grammar import Call
from arena.agents.gguf.model import Message
from arena.agents.prompt import PROMPT, opening
from arena.catalogs.tool import Tool

# What one result may take of a small context, in characters; the rest of it is named.
MOST_RESULT_CHARS = 1_500
FORM = """\
In every step reply with one JSON object and nothing else:
{"tool": NAME, "arguments": {...}} to call a tool of the menu,
{"ask": QUESTION} to ask the person for what the task leaves open,
{"none": REASON} where no tool of the menu fits.
"""


DIGEST = hashlib.sha256((PROMPT + FORM).encode()).hexdigest()
"""SHA-256 of what the model is told besides menu and task; part of the comparison key."""


@dataclass(frozen=True, slots=True)
class Done:
    """A call that was made, and how it ended."""

    call: Call
    outcome: CallOutcome

    def told(self) -> str:
        arguments = json.dumps(dict(self.call.arguments), ensure_ascii=False)
        if not self.outcome.ok:
            return f"{self.call.tool} {arguments} was refused: {self.outcome.error}"
        return f"{self.call.tool} {arguments} returned {_cut(json.dumps(self.outcome.content, ensure_ascii=False))}"


def step(brief: Brief, menu: Sequence[Tool], done: Sequence[Done], goal: str) -> list[Message]:
    """The request for the next call; what stays the same stands first, so that the server need not read it again."""
    return [_standing(menu), _user(f"{_so_far(brief, done)}\n\nDo only this step now: {goal}")]


def closing(brief: Brief, menu: Sequence[Tool], done: Sequence[Done]) -> list[Message]:
    """The request for the last words."""
    now = "Every step is done. Answer the task now in words, from what the calls returned."
    return [_standing(menu), _user(f"{_so_far(brief, done)}\n\n{now}")]


def line(tool: Tool) -> str:
    """A tool in one line; the grammar holds what its arguments may be, so their names are enough."""
    names = ", ".join(name if name in tool.required else f"{name}?" for name in tool.properties)
    return f"- {tool.id}({names}): {tool.description}"


def _standing(menu: Sequence[Tool]) -> Message:
    tools = "\n".join(line(tool) for tool in menu)
    return {"role": "system", "content": f"{PROMPT}{FORM}Menu:\n{tools}"}


def _user(text: str) -> Message:
    return {"role": "user", "content": text}


def _so_far(brief: Brief, done: Sequence[Done]) -> str:
    if not done:
        return opening(brief)
    calls = "\n".join(f"{number}. {each.told()}" for number, each in enumerate(done, start=1))
    return f"{opening(brief)}\n\nCalls so far:\n{calls}"


def _cut(text: str) -> str:
    left = len(text) - MOST_RESULT_CHARS
    return text if left <= 0 else f"{text[:MOST_RESULT_CHARS]} ... and {left} more characters"
