"""A small desk for agents: a few tools with plain handlers, stops on demand, and a way to run to the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from arena.agents.agent import AgentEvent, AgentResult, Brief, CallOutcome, Cancel, Toolbox
from arena.agents.offline import Offline
from arena.catalogs.tool import Tool, ToolEffect

Handler = Callable[[Mapping[str, Any]], Any]


def tool(
    tool_id: str,
    description: str,
    *,
    required: Mapping[str, Any] | None = None,
    optional: Mapping[str, Any] | None = None,
    effect: ToolEffect = "observe",
    needs: tuple[str, ...] = (),
) -> Tool:
    """A tool whose arguments are given as name to description, or name to a whole rule."""
    given = {**(required or {}), **(optional or {})}
    properties = {
        name: {"type": "string", "description": rule} if isinstance(rule, str) else rule for name, rule in given.items()
    }
    schema = {"type": "object", "properties": properties, "required": list(required or {})}
    return Tool(tool_id, "desk", description, schema, effect, prerequisites=needs)


OPEN = tool("open_page", "Show the text of one page of the notebook.", required={"path": "Path, for example a/b.md."})
FIND = tool("find_guest", "Search the guests of the hotel by name.", required={"query": "Name or part of one."})
BOOK = tool(
    "book_stay",
    "Reserve a room in the hotel for a guest.",
    required={"guest_id": "Id of the guest, like G-12.", "nights": {"type": "integer", "description": "How many."}},
    effect="modify",
    needs=("find_guest",),
)
ERASE = tool(
    "erase_page", "Erase a page of the notebook.", required={"path": "Path of the page."}, effect="destructive"
)
TOOLS = (OPEN, FIND, BOOK, ERASE)

GUESTS = [
    {"id": "G-11", "name": "Ada Byron", "town": "London"},
    {"id": "G-12", "name": "Ada Lovell", "town": "Bath"},
    {"id": "G-13", "name": "Grace Hill", "town": "York"},
]


def _find(arguments: Mapping[str, Any]) -> Any:
    return {"guests": [guest for guest in GUESTS if arguments["query"] in guest["name"]]}


HANDLERS: dict[str, Handler] = {
    "open_page": lambda arguments: {"path": arguments["path"], "text": "breakfast at 7\ndinner at 19"},
    "find_guest": _find,
    "book_stay": lambda arguments: {"stay": {"id": "S-1", **arguments}},
    "erase_page": lambda arguments: {"erased": arguments["path"]},
}


class Desk:
    """A toolbox that knows every tool of the desk; a handler that raises ValueError refuses the call."""

    def __init__(self, **handlers: Handler) -> None:
        self._handlers = HANDLERS | handlers
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def call(self, tool_id: str, arguments: Mapping[str, Any]) -> CallOutcome:
        self.calls.append((tool_id, dict(arguments)))
        try:
            return CallOutcome(ok=True, content=self._handlers[tool_id](arguments))
        except ValueError as error:
            return CallOutcome(ok=False, error=str(error))

    @property
    def tools(self) -> list[str]:
        return [tool_id for tool_id, _ in self.calls]


class StopAfter:
    """A stop that is requested after so many looks at it; None means never. Waiting takes no time."""

    def __init__(self, looks: int | None = None) -> None:
        self._left = looks
        self.waited: list[float] = []

    def requested(self) -> bool:
        if self._left is None:
            return False
        self._left -= 1
        return self._left < 0

    def wait(self, seconds: float) -> bool:
        self.waited.append(seconds)
        return self.requested()


def finish(
    brief: Brief, toolbox: Toolbox | None = None, cancel: Cancel | None = None
) -> tuple[AgentResult, list[AgentEvent]]:
    """Run the offline agent to its end."""
    work = Offline().run(brief, toolbox if toolbox is not None else Desk(), cancel or StopAfter())
    events: list[AgentEvent] = []
    while True:
        try:
            events.append(next(work))
        except StopIteration as stop:
            result: AgentResult = stop.value
            return result, events


def work(task: str, *, menu: Sequence[Tool] = TOOLS, desk: Desk | None = None, **brief: Any) -> AgentResult:
    """The result of one task at the desk."""
    return finish(Brief(task, tuple(menu), **brief), desk)[0]
