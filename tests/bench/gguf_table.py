"""What menu size does to a language model on this machine: right first tool, full menu against the selected one.

Run `GGUF_FILE=… python -m tests.bench.gguf_table [--sizes 3 20 60 120] [--share 1/4] [--threads 1] [--show]`.

Every case that one tool is enough for, once with the whole menu of each size and once with what the judge `local`
selects of it. The agent works until its first call; the world is never touched. Rows go to var/gguf_table.jsonl as
they come: a second start goes on where the first one ended, `--share` takes a part of the cases, `--show` only
prints. A menu that the judge withholds is a wrong first tool of the arm `selected`: nothing was done.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from arena import arms, offers
from arena.agents.agent import Brief, CallOutcome, Limits
from arena.agents.gguf.agent import Gguf
from arena.agents.gguf.model import Message, Written
from arena.cases.case import Case
from arena.cases.load import load as load_cases
from arena.catalogs.catalog import Catalog
from arena.catalogs.load import load as load_catalog
from arena.catalogs.menus import Menu, menu_for
from arena.catalogs.tool import Tool
from arena.runs.local_model import PATH, request
from policy.engine import drive
from policy.engine.selection import Outcome
from policy.judges import registry
from policy.judges.gguf import file
from policy.judges.gguf.file import ModelFile
from policy.judges.gguf.server import Server
from policy.judges.quality.intervals import rate

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
ROWS = ROOT / "var" / "gguf_table.jsonl"
SIZES = (3, 20, 60, 120)
ARMS = ("full", "selected")
TIME_S = 900.0
COLD_EVERY = 8


@dataclass(frozen=True, slots=True)
class Place:
    """A size of the menu and an arm."""

    size: int
    name: str


@dataclass(frozen=True, slots=True)
class Row:
    """One case with one menu, until the model has named a tool. `tokens` is the prompt of its first request.

    Times are of the clock (s) and of the model's process (cpu_s, one thread); None where a part of the prompt was
    still in the server's memory, and so was not read.
    """

    model: str
    case: str
    size: int
    arm: str
    exposed: int
    offered: bool
    called: str
    right: bool
    ending: str
    seconds: float | None
    cpu_s: float | None
    tokens: int | None

    @property
    def key(self) -> tuple[str, str, int, str]:
        return self.model, self.case, self.size, self.arm


class Stop:
    """Stops a lane once the model has named a tool; a toolbox that notes the call and makes none."""

    def __init__(self) -> None:
        self.called = ""

    def call(self, tool_id: str, arguments: Mapping[str, Any]) -> CallOutcome:
        self.called = tool_id
        return CallOutcome(ok=True, content={})

    def requested(self) -> bool:
        return bool(self.called)

    def wait(self, seconds: float) -> bool:
        return self.requested()


class Choosing:
    """A model that is stopped as soon as it has named a tool: a runaway argument is not what is measured."""

    def __init__(self, model: ModelFile, server: Server, *, cold: bool) -> None:
        self.name = model.name
        self._model, self._server, self._cold = model, server, cold
        self.prompt = self.read = 0

    def write(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None,
        max_tokens: int,
        timeout_s: float,
        cancelled: Callable[[], bool],
    ) -> Generator[str, None, Written]:
        body = request(messages, schema=schema, max_tokens=max_tokens)
        body |= {"cache_prompt": not self._cold, "timings_per_token": True}
        text = ""
        for event in self._server.stream(self._model, PATH, body, timeout_s=timeout_s, cancelled=cancelled):
            if "timings" in event and not self.prompt:
                self.read = event["timings"]["prompt_n"]
                self.prompt = self.read + event["timings"]["cache_n"]
            for choice in event.get("choices") or ():
                text += (choice.get("delta") or {}).get("content") or ""
            if named := _NAMED.match(text):
                text = json.dumps({"tool": named[1], "arguments": {}})
                break
        yield text
        return Written(text)


_NAMED = re.compile(r'\s*\{\s*"tool"\s*:\s*"([^"]+)"')


def one_step(cases: Iterable[Case], catalog: Catalog) -> list[Case]:
    """The cases that a single tool is enough for, prerequisites included."""
    return [case for case in cases if right_tools(case, catalog)]


def right_tools(case: Case, catalog: Catalog) -> frozenset[str]:
    """The tools of which one call is enough."""
    alone = [tools for tools in case.acceptable if len(tools) == 1 and not catalog.with_prerequisites(tools)[0]]
    return frozenset().union(*alone)


def selected(case: Case, menu: Menu, catalog: Catalog) -> tuple[Tool, ...]:
    """What the judge `local` leaves of a menu; nothing where it withholds it."""
    call = offers.two_stage(case, menu, catalog, profile=registry.profile("local"), ask_first=True, member_lines=True)
    selection = drive.run(call.steps(), registry.get("local", cache_dir=ROOT / "var" / "vectors"), budget_ms=60_000)
    picked, blocked = arms.selected(selection, catalog, menu, case.forbids)
    if blocked or selection.outcome is not Outcome.SELECTED:
        return ()
    return tuple(catalog.tool(entry.id) for entry in picked)


def measure(case: Case, menu: Sequence[Tool], model: Choosing, server: Server, *, arm: Place, catalog: Catalog) -> Row:
    """Let the agent work until the model has named its first tool."""
    if not menu:
        return Row(model.name, case.id, arm.size, arm.name, 0, False, "", False, "withheld", None, None, None)
    stop = Stop()
    brief = Brief(case.task, tuple(menu), case.values, case.restrictions, Limits(max_steps=1, time_s=TIME_S))
    work = Gguf(model).run(brief, stop, stop)
    began, spent = time.monotonic(), cpu_s(server)
    while True:
        try:
            next(work)
        except StopIteration as done:
            ending = str(done.value.ending)
            break
    took, spent = time.monotonic() - began, cpu_s(server) - spent
    whole = model.read == model.prompt
    return Row(
        model.name,
        case.id,
        arm.size,
        arm.name,
        exposed=len(menu),
        offered=True,
        called=stop.called,
        right=stop.called in right_tools(case, catalog),
        ending=ending,
        seconds=round(took, 3) if whole else None,
        cpu_s=round(spent, 3) if whole else None,
        tokens=model.prompt or None,
    )


def cpu_s(server: Server) -> float:
    """Seconds of a core that the model's process has taken so far; 0 before it was started."""
    if server.pid is None:
        return 0.0
    fields = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rows(model: ModelFile, server: Server, sizes: Sequence[int], share: tuple[int, int], path: Path) -> Iterator[Row]:
    """Every row that is not yet in the file, written as it comes; small menus first."""
    catalog = load_catalog(FIXTURES / "tools")
    worlds = [each.name for each in (FIXTURES / "worlds").iterdir()]
    cases = one_step(load_cases(FIXTURES / "cases", catalog=catalog, worlds=worlds).cases, catalog)
    known = {row.key for row in stored(path)}
    path.parent.mkdir(parents=True, exist_ok=True)
    part, parts = share
    for size in sizes:
        for number, case in enumerate(cases[part - 1 :: parts]):
            menu = menu_for(case, catalog, size)
            for arm in ARMS:
                if (model.name, case.id, size, arm) in known:
                    continue
                tools = menu.tools if arm == "full" else selected(case, menu, catalog)
                # Menus share their beginning from case to case; every eighth prompt is read anew, for the times.
                wire = Choosing(model, server, cold=number % COLD_EVERY == 0)
                row = measure(case, tools, wire, server, arm=Place(size, arm), catalog=catalog)
                with path.open("a") as out:
                    out.write(json.dumps(asdict(row)) + "\n")
                yield row


def stored(path: Path) -> list[Row]:
    """What earlier starts have measured."""
    return [Row(**json.loads(line)) for line in path.read_text().splitlines()] if path.exists() else []


def table(found: Sequence[Row]) -> str:
    """One line per size and arm: shares with their Wilson interval, medians of what was really asked."""
    heads = f"{'tools':>5} {'arm':8} {'right first tool':>24} {'exposed':>8} {'tokens':>7} {'seconds':>8} {'cpu s':>7}"
    lines = [f"{heads}  n (timed, withheld)"]
    for size in sorted({row.size for row in found}):
        for arm in ARMS:
            here = [row for row in found if row.size == size and row.arm == arm]
            if here:
                lines.append(_line(size, arm, here))
    return "\n".join(lines)


def _line(size: int, arm: str, here: Sequence[Row]) -> str:
    right, n, found = sum(row.right for row in here), len(here), rate([row.right for row in here])
    asked = [row for row in here if row.offered]
    share = f"{right}/{n} {found.value:.0%} [{found.low:.0%}-{found.high:.0%}]"
    exposed, tokens = _median([row.exposed for row in asked]), _median([row.tokens for row in asked])
    timed = [row for row in asked if row.seconds is not None]
    seconds, cpu = _median([row.seconds for row in timed]), _median([row.cpu_s for row in timed])
    counts = f"{n} ({len(timed)}, {n - len(asked)})"
    return f"{size:>5} {arm:8} {share:>24} {exposed:>8} {tokens:>7} {seconds:>8} {cpu:>7}  {counts}"


def _median(numbers: Sequence[float | None]) -> str:
    known = [number for number in numbers if number is not None]
    return f"{median(known):.4g}" if known else "—"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--share", default="1/1", help="part of the cases, such as 2/4")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rows", type=Path, default=ROWS)
    parser.add_argument("--show", action="store_true", help="print the table of the rows so far and measure nothing")
    options = parser.parse_args()
    if not options.show:
        file.use(os.environ.get(file.VARIABLE, ""))
        part, parts = (int(number) for number in options.share.split("/"))
        server = Server(threads=options.threads)
        try:
            for row in rows(file.found(), server, options.sizes, (part, parts), options.rows):
                print(f"{row.size:>4} {row.arm:8} {row.case:24} {row.right!s:5} {row.called or row.ending}", flush=True)
        finally:
            server.close()
    print(table(stored(options.rows)))


if __name__ == "__main__":
    main()
