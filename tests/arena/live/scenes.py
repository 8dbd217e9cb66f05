"""A run told event by event, without a database: what happens is written down, the story is read off."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from arena.cases.case import Case
from arena.catalogs.catalog import Catalog, Category
from arena.catalogs.tool import Tool
from arena.live import story
from arena.live.rows import Snapshots
from arena.live.story import Story
from arena.models import Event, Lane, Run
from arena.runs.setup import Setup

START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
TOOLS = (
    Tool("read_file", "files", "Open a file.", SCHEMA, "observe"),
    Tool("list_files", "files", "List files.", SCHEMA, "observe"),
    Tool("propose_patch", "edits", "Hand in a diff.", SCHEMA, "modify", prerequisites=("read_file",)),
    Tool("send_mail", "mail", "Send a letter.", SCHEMA, "destructive"),
)
CATALOG = Catalog(TOOLS, (Category("files", "Files", ""), Category("edits", "Edits", ""), Category("mail", "Mail", "")))
CASE = Case.from_json(
    {
        "id": "fix",
        "title": "A focused fix",
        "kind": "change",
        "summary": "A repair.",
        "task": "Mend <b>it</b> & say so.",
        "world": "shop",
        "acceptable": [["propose_patch"]],
        "checks": [{"kind": "called", "tools": ["read_file"]}],
        "wrong": {"answer": "Nothing."},
    }
)
GIVEN = [{"id": tool.id, "role": "given", "probability": None} for tool in TOOLS]
PICKED = [
    {"id": "read_file", "role": "prerequisite", "probability": None},
    {"id": "propose_patch", "role": "selected", "probability": 0.71},
]
SELECTION: dict[str, Any] = {
    "outcome": "selected",
    "rule": "selection.selected",
    "reason": "picked propose_patch (0.71)",
    "selected": [{"id": "propose_patch", "probability": 0.71, "category": "edits"}],
    "expand": [],
    "dropped": [
        {"id": "read_file", "reason": "not picked", "probability": 0.28, "category": "files"},
        {"id": "list_files", "reason": "not picked", "probability": 0.34, "category": "files"},
        {"id": "send_mail", "reason": "category not relevant", "probability": None, "category": None},
    ],
    "categories": [
        {"category": "files", "relevance": 0.62, "relevant": True, "pick": None},
        {
            "category": "edits",
            "relevance": 0.9,
            "relevant": True,
            "pick": {"probabilities": {"propose_patch": 0.71, "__none__": 0.29}},
        },
        {"category": "mail", "relevance": 0.1, "relevant": False, "pick": None},
    ],
    "ask_first": 0.12,
}
DIFF = "--- a/src/sum.ts\n+++ b/src/sum.ts\n@@ -1,2 +1,2 @@\n const start = 1;\n-sum(total);\n+sum(total, 0);\n"


class Scene:
    """Events in order; every one is `gap` seconds after the one before."""

    def __init__(self, *arms: str) -> None:
        setup = Setup(arms=arms or ("full", "selected"))
        self.run = Run(
            pk=131, public_id="run_aaaaaaaaaaaa", case_title=CASE.title, case_id="fix", setup=setup.to_json()
        )
        self.lanes = [Lane(pk=n + 1, run=self.run, position=n, arm=arm) for n, arm in enumerate(setup.arms)]
        self.events: list[Event] = []
        self.at = START
        self.happens("run.created", case="fix", arms=list(setup.arms), by="local", origin="page")
        self.state("queued")

    def happens(self, kind: str, lane: str = "", gap: float = 0.5, **payload: Any) -> Scene:
        self.at += timedelta(seconds=gap if self.events else 0)
        owner = "ABC".index(lane) + 1 if lane else None
        self.events.append(
            Event(run=self.run, seq=len(self.events) + 1, lane_id=owner, kind=kind, at=self.at, payload=payload)
        )
        return self

    def state(self, state: str, **more: Any) -> Scene:
        return self.happens("run.state", state=state, **more)

    def lane(self, lane: str, state: str, **more: Any) -> Scene:
        return self.happens("lane.state", lane, state=state, **more)

    def routed(self, **changes: Any) -> Scene:
        self.state("routing")
        self.happens("judge.asked", judge="local", stage="pick", request={"state": "x"}, bytes=120, digest="ab" * 32)
        tokens: dict[str, Any] = {"input_tokens": 1248, "output_tokens": 90, "token_source": "estimated"}
        self.happens("judge.answered", judge="local", stage="pick", model="m", raw="{}", latency_ms=310.0, **tokens)
        decided: dict[str, Any] = {
            "outcome": "selected",
            "rule": "selection.selected",
            "selection": SELECTION,
        } | changes
        return self.happens("routing.decided", **decided)

    def menus(self, **entries: Any) -> Scene:
        for lane in self.lanes:
            given = entries.get(lane.letter, PICKED if lane.arm == "selected" else GIVEN)
            self.happens("lane.menu", lane.letter, tools=given, of=len(TOOLS))
        return self.state("running")

    def calls(self, lane: str, tool: str = "read_file", **more: Any) -> Scene:
        number = sum(event.kind == "call.started" for event in self.events) + 1
        facts: dict[str, Any] = {"step": number, "call": number, "tool": tool}
        self.happens("step.thinking", lane, step=number, note="open it", candidates=[[tool, 0.4]])
        self.happens("call.started", lane, effect="observe", arguments={"path": "src/sum.ts"}, **facts)
        came: dict[str, Any] = {
            "ok": True,
            "duration_ms": 60.0,
            "content": {"path": "src/sum.ts"},
            "bytes": 24,
            "effects": [],
        }
        return self.happens("call.finished", lane, **facts, **(came | more))

    def says(self, lane: str, text: str) -> Scene:
        return self.happens("step.said", lane, step=1, text=text)

    def waits(self, lane: str, seconds: float = 3.0) -> Scene:
        return self.happens("step.waiting", lane, step=1, seconds=seconds, reason="the provider asks for a pause")

    def malformed(self, lane: str, tool: str = "read_file", arguments: str = '{"path": ') -> Scene:
        why = "The arguments are no JSON object."
        return self.happens("call.rejected", lane, step=1, tool=tool, arguments=arguments, error=why)

    def fails(self, lane: str, message: str = "The provider broke off.") -> Scene:
        return self.happens("agent.failed", lane, fault="provider", code="disconnected", message=message)

    def asks(self, lane: str, *, call: int = 1, approval: str = "apr_a", **more: Any) -> Scene:
        """A call waits for a person."""
        asked: dict[str, Any] = {
            "approval": approval,
            "call": call,
            "tool": "send_mail",
            "effect": "destructive",
            "digest": "d" * 64,
        }
        why: dict[str, Any] = {"rule": "rules.1", "reason": "mail leaves the house", "within_s": 120.0}
        given: dict[str, Any] = {"arguments": {"to": "<b>x</b>", "body": "y" * 500}}
        return self.happens("approval.asked", lane, **(asked | why | given | more))

    def decides(self, lane: str, action: str = "deny", *, call: int = 1, **more: Any) -> Scene:
        said: dict[str, Any] = {
            "call": call,
            "tool": "read_file",
            "action": action,
            "rule": "assessment.restriction-violation",
        }
        how: dict[str, Any] = {
            "reason": "it contradicts a restriction",
            "mode": "enforce",
            "applied": True,
            "latency_ms": 12.0,
        }
        return self.happens("gate.decided", lane, **(said | how | more))

    def gated(self, lane: str) -> Scene:
        """Everything that a gate and a person can say."""
        request: dict[str, Any] = {"call": 1, "judge": "local", "stage": "assessment"}
        self.happens("gate.asked", lane, **request, request={}, bytes=10, digest="ab")
        tokens: dict[str, Any] = {
            "model": "m",
            "raw": "{}",
            "input_tokens": 1,
            "output_tokens": 1,
            "token_source": "estimated",
        }
        self.happens("gate.answered", lane, **request, **tokens, latency_ms=5.0)
        self.happens("gate.failed", lane, **request, code="TIMEOUT", message="too slow")
        self.decides(lane).asks(lane)
        self.happens("approval.answered", lane, approval="apr_a", call=1, answer="approved", by="local")
        return self.happens("approval.closed", lane, approval="apr_a", call=1, state="used")

    def ends(self, lane: str, *, measured: dict[str, float | None] | None = None, passed: bool = True) -> Scene:
        """The lane answers; its figures are what settling will have measured."""
        self.happens("lane.usage", lane, input_tokens=4106, output_tokens=80, source="estimated")
        self.happens("lane.answered", lane, ending="answered", text="Done.")
        self.lane(lane, "completed")
        figures: dict[str, float | None] = {
            "input_tokens": 4106.0,
            "working_ms": 9000.0,
            "agent_working_ms": 9000.0,
            "tool_calls": 2.0,
        }
        self.measure(lane, figures | (measured or {}), passed=passed)
        return self

    def measure(
        self, lane: str, figures: dict[str, float | None], *, passed: bool = True, at_least: bool = False
    ) -> Scene:
        units = {"working_ms": "ms", "tool_calls": "calls", "tools_exposed": "tools"}
        row = self.lanes["ABC".index(lane)]
        row.metrics = {
            "measured": {
                name: {
                    "value": value,
                    "unit": units.get(name, "tokens"),
                    "source": "estimated",
                    "reason": "not reported",
                    "at_least": at_least,
                }
                for name, value in figures.items()
            }
        }
        row.passed = passed
        return self

    def state_of(self, lane: Lane) -> str:
        states = [event for event in self.events if event.kind == "lane.state" and event.lane_id == lane.pk]
        return str(states[-1].payload["state"]) if states else "waiting"

    def settled(self, state: str = "complete", **more: Any) -> Scene:
        self.state("settling")
        for lane in self.lanes:
            if self.state_of(lane) in ("stopped", "abandoned"):
                continue
            items = [{"title": "It was read", "passed": bool(lane.passed), "got": "read"}]
            self.happens("lane.checked", lane.letter, passed=bool(lane.passed), items=items)
        return self.state(state, **more)

    def tell(self, upto: int | None = None) -> Story:
        events = self.events[:upto]
        return story.tell(self.run, self.lanes, events, Snapshots(CASE, CATALOG), now=events[-1].at)


def whole() -> Scene:
    """Two lanes that both pass; B sees less and uses less."""
    scene = Scene().routed().menus()
    for lane in "AB":
        scene.lane(lane, "starting").calls(lane)
        effect = {"op": "create", "collection": "proposals", "id": "p1"}
        fields = {"kind": "patch", "path": "src/sum.ts", "patch": DIFF, "rationale": "It throws."}
        scene.calls(lane, "propose_patch", effects=[{**effect, "fields": fields}])
    judged = {"judge_input_tokens": 1248.0, "judge_ms": 310.0, "tools_exposed": 2.0, "recall_at_menu": 1.0}
    scene.ends("A", measured={"input_tokens": 18412.0, "working_ms": 14210.0, "tools_exposed": 4.0})
    scene.ends("B", measured={"input_tokens": 5354.0, "working_ms": 9910.0, **judged})
    return scene.settled()
