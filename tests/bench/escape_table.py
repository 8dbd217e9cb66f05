"""`python -m tests.bench.escape_table`: what the search for more tools does for the agent `offline`, case by case.

Three menus: the selected one of the judge `local` (as a run lays it out, where it selects something), a draw of six
tools, and none at all; the last two for cases that can be answered. Each once as it is and once with `find_tool`;
nothing is written. Tokens are estimates of the agent's.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.arms import MenuEntry
    from arena.runs.inputs import Inputs


DRAWN = 6


@dataclass(frozen=True, slots=True)
class Hidden:
    """A case with the menu that one of its lanes sees."""

    given: Inputs
    entries: tuple[MenuEntry, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    case: str
    passed: bool
    searches: int
    joined: int
    used: bool
    input_tokens: int


def hidden(name: str, *, needed: Sequence[str] = (), size: int = 60) -> Hidden:
    """The oracle's menu of a case without these tools."""
    from arena import controls
    from arena.library import library
    from arena.runs.inputs import Inputs
    from arena.runs.setup import Setup

    shelf = library()
    case = shelf.case(name)
    given = Inputs(case, shelf.catalog, shelf.worlds[case.world], Setup(menu_size=size, find_tool=True))
    entries = controls.oracle(case, given.menu, given.catalog)
    return Hidden(given, tuple(entry for entry in entries if entry.id not in needed))


def one(lane: Hidden, *, search: bool) -> Trial:
    """The agent on one menu, with or without the search."""
    from arena.agents.agent import Brief, CallOutcome
    from arena.agents.offline import Offline
    from arena.evidence.checks import check
    from arena.evidence.lane import LaneEnding, LaneEvidence
    from arena.runs import escape
    from arena.worlds.world import World
    from tests.bench.arms_table import NoStop, WorldToolbox

    given = lane.given
    way = escape.Escape(given, lane.entries)
    menu = tuple(given.catalog.tool(entry.id) for entry in lane.entries)
    before, after = given.world, World.from_json(given.world.to_json())
    joined: list[str] = []

    class Toolbox(WorldToolbox):
        searches = 0

        def call(self, tool_id: str, arguments: Mapping[str, Any]) -> CallOutcome:
            if tool_id != escape.FIND_TOOL.id:
                return super().call(tool_id, arguments)
            self.searches += 1
            found = way.search(str(arguments["query"]))
            joined.extend(tool.id for tool in found)
            self._menu |= {tool.id: tool for tool in found}
            return CallOutcome(True, content=escape.told(found), joined=found)

    toolbox = Toolbox(menu, after)
    offered = (*menu, escape.FIND_TOOL) if search else menu
    work = Offline().run(Brief(given.case.told, offered, given.case.values, given.case.restrictions), toolbox, NoStop())
    while True:
        try:
            next(work)
        except StopIteration as stop:
            result = stop.value
            break
    evidence = LaneEvidence(LaneEnding(result.ending.value), result.text, before, after, tuple(toolbox.records))
    called = {record.tool for record in toolbox.records}
    passed = check(given.case, evidence).passed
    used = bool(called & set(joined))
    return Trial(given.case.id, passed, toolbox.searches, len(joined), used, result.usage.input_tokens or 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", nargs="*", type=int, default=[40])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(JEV_VAR=folder, DJANGO_SETTINGS_MODULE="jevsite.settings", JEV_LOG_LEVEL="ERROR")
        import django

        django.setup()
        print(f"{'menu':22} {'search':6} {'passed':>9} {'searched':>8} {'joined':>6} {'used':>4} {'tokens':>8}")
        for size in options.sizes:
            _table(f"selected of {size}", _selected(size))
            _table(f"drawn {DRAWN} of {size}", _drawn(size))
            _table(f"nothing of {size}", _nothing(size))


def _selected(size: int) -> list[Hidden]:
    """The menus that the judge leaves where it selects something."""
    from arena import arms, offers
    from arena.library import library
    from arena.runs.inputs import Inputs
    from arena.runs.setup import Setup, profile_of
    from policy.engine import drive
    from policy.judges import registry

    shelf, judge, profile = library(), registry.get("local"), profile_of("local")
    lanes = []
    for case in shelf.cases:
        given = Inputs(case, shelf.catalog, shelf.worlds[case.world], Setup(menu_size=size, profile=profile))
        call = offers.two_stage(case, given.menu, given.catalog, profile=profile, ask_first=True, member_lines=True)
        selection = drive.run(call.steps(), judge, budget_ms=60_000)
        entries, blocked = arms.selected(selection, given.catalog, given.menu, case.forbids)
        if selection.outcome.value == "selected" and not blocked:
            lanes.append(Hidden(given, entries))
    return lanes


def _drawn(size: int) -> list[Hidden]:
    """A few tools at random, which mostly lack what is needed."""
    from arena import controls
    from arena.models import Arm

    lanes = []
    for each in _nothing(size):
        given = each.given
        entries = controls.of_size(Arm.RANDOM, DRAWN, given.case, given.menu, given.catalog, seed=1, cache_dir=None)
        lanes.append(Hidden(given, entries))
    return lanes


def _nothing(size: int) -> list[Hidden]:
    """Empty menus of the cases that can be answered."""
    from arena.library import library

    answerable = [case for case in library().cases if case.ending == "answer"]
    return [hidden(case.id, needed=library().catalog.ids, size=size) for case in answerable]


def _table(name: str, lanes: Sequence[Hidden]) -> None:
    for search in (False, True):
        found = [one(lane, search=search) for lane in lanes]
        passed = sum(trial.passed for trial in found)
        tokens = sum(trial.input_tokens for trial in found) / len(found)
        print(
            f"{name:22} {'yes' if search else 'no':6} {passed:3} of {len(found):3} "
            f"{sum(trial.searches > 0 for trial in found):8} {sum(trial.joined for trial in found):6} "
            f"{sum(trial.used for trial in found):4} {tokens:8,.0f}"
        )


if __name__ == "__main__":
    main()
