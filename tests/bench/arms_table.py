"""What the agent without a language model achieves: every case with the full menu and with the oracle's.

Run `python -m tests.bench.arms_table [--cases ID ...] [--sizes 20 40] [--show]`; nothing is written.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.agents.agent import Agent, AgentResult, Brief, CallOutcome, Thinking
from arena.agents.offline import Offline
from arena.cases.case import Case
from arena.cases.load import load as load_cases
from arena.catalogs.catalog import Catalog
from arena.catalogs.load import load as load_catalog
from arena.catalogs.menus import menu_for, recall_at_menu
from arena.catalogs.tool import Tool
from arena.evidence.checks import CheckResult, check
from arena.evidence.lane import CallRecord, LaneEnding, LaneEvidence
from arena.worlds import calls
from arena.worlds.handlers import ToolError
from arena.worlds.load import load as load_world
from arena.worlds.world import World

FIXTURES = Path(__file__).parents[2] / "fixtures"
ORACLE = "oracle"


class WorldToolbox:
    """Calls the tools of a menu on a world of its own and remembers what happened; the id must be on the menu."""

    def __init__(self, menu: Iterable[Tool], world: World) -> None:
        self._menu = {tool.id: tool for tool in menu}
        self._world = world
        self.records: list[CallRecord] = []

    def call(self, tool_id: str, arguments: Mapping[str, Any]) -> CallOutcome:
        try:
            content = calls.call(self._menu[tool_id], self._world, arguments).content
        except ToolError as error:
            self.records.append(CallRecord(tool_id, dict(arguments), ok=False, error=str(error)))
            return CallOutcome(ok=False, error=str(error))
        self.records.append(CallRecord(tool_id, dict(arguments), ok=True, content=content))
        return CallOutcome(ok=True, content=content)


class NoStop:
    """Nobody stops this lane."""

    def requested(self) -> bool:
        return False

    def wait(self, seconds: float) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Row:
    """One case with one menu."""

    case: Case
    arm: str
    exposed: int
    recall: bool | None
    result: AgentResult
    checks: CheckResult
    records: tuple[CallRecord, ...]
    thoughts: tuple[Thinking, ...]


def measure(case: Case, menu: Sequence[Tool], catalog: Catalog, *, arm: str, agent: Agent | None = None) -> Row:
    """Run the agent on one case and check what it left behind."""
    before, after = load_world(FIXTURES / "worlds" / case.world), load_world(FIXTURES / "worlds" / case.world)
    toolbox = WorldToolbox(menu, after)
    brief = Brief(case.task, tuple(menu), case.values, case.restrictions)
    work = (agent or Offline()).run(brief, toolbox, NoStop())
    thoughts: list[Thinking] = []
    while True:
        try:
            event = next(work)
        except StopIteration as stop:
            result: AgentResult = stop.value
            break
        thoughts += [event] if isinstance(event, Thinking) else []
    evidence = LaneEvidence(LaneEnding(result.ending.value), result.text, before, after, tuple(toolbox.records))
    recall = recall_at_menu(case, catalog, [tool.id for tool in menu])
    return Row(case, arm, len(menu), recall, result, check(case, evidence), tuple(toolbox.records), tuple(thoughts))


def oracle_menu(case: Case, catalog: Catalog) -> tuple[Tool, ...]:
    """Just the acceptable tools and their prerequisites; nothing where nothing fits."""
    joining, _ = catalog.with_prerequisites(case.acceptable_ids)
    wanted = case.acceptable_ids | set(joining)
    return tuple(tool for tool in catalog.tools if tool.id in wanted)


def rows(sizes: Sequence[int], only: Sequence[str] = ()) -> list[Row]:
    """Every case with the full menu of each size, then with the oracle's menu."""
    catalog = load_catalog(FIXTURES / "tools")
    worlds = [path.name for path in (FIXTURES / "worlds").iterdir()]
    loaded = load_cases(FIXTURES / "cases", catalog=catalog, worlds=worlds)
    cases = [case for case in loaded.cases if not only or case.id in only]
    full = [measure(case, menu_for(case, catalog, n).tools, catalog, arm=f"full-{n}") for n in sizes for case in cases]
    return full + [measure(case, oracle_menu(case, catalog), catalog, arm=ORACLE) for case in cases]


def _line(row: Row) -> str:
    called = ", ".join(f"{r.tool}{'' if r.ok else '!'}" for r in row.records) or "-"
    mark = "yes" if row.checks.passed else "no"
    recall = {True: "yes", False: "no", None: "-"}[row.recall]
    tokens = row.result.usage.input_tokens
    head = f"{row.arm:8} {row.case.id:24} {mark:3} {row.exposed:3} {recall:4} {tokens!s:>7}"
    return f"{head} {row.result.ending:9} {called}"


def _details(row: Row) -> str:
    lines = [f"    . {thought.note}: {thought.candidates}" for thought in row.thoughts]
    lines += [f"    > {record.tool} {dict(record.arguments)}: {record.error or 'ok'}" for record in row.records]
    lines += [f"    ? {item.title}: {item.got}" for item in row.checks.items if not item.passed]
    return "\n".join([*lines, "    = " + row.result.text.replace("\n", "\n      ")])


def _summary(arm: str, found: Sequence[Row]) -> str:
    passed = sum(row.checks.passed for row in found)
    tokens = sum(row.result.usage.input_tokens or 0 for row in found)
    exposed = sum(row.exposed for row in found) / len(found)
    known = [row.recall for row in found if row.recall is not None]
    return (
        f"{arm:8} success {passed}/{len(found)} ({passed / len(found):.0%}), tools exposed {exposed:.1f}, "
        f"input tokens {tokens} (estimated), recall@menu {sum(known)}/{len(known)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", nargs="*", default=[])
    parser.add_argument("--sizes", nargs="*", type=int, default=[20, 40])
    parser.add_argument("--show", action="store_true", help="steps, failed checks and answers of cases that failed")
    options = parser.parse_args()
    found = rows(options.sizes, options.cases)
    print(f"{'arm':8} {'case':24} {'ok':3} {'n':>3} {'rec':4} {'tokens':>7} {'ending':9} calls (! was refused)")
    for row in found:
        print(_line(row))
        if options.show and not row.checks.passed:
            print(_details(row))
    for arm in dict.fromkeys(row.arm for row in found):
        print(_summary(arm, [row for row in found if row.arm == arm]))


if __name__ == "__main__":
    main()
