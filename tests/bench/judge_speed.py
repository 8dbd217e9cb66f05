"""`python -m tests.bench.judge_speed`: how long judge `local` takes for a routing, and what it keeps in memory.

Every figure comes from a fresh process. Cold: the model is loaded and every description embedded. Warm: descriptions
are known, the task is new. `--busy 2` runs two lanes' worth of computing beside it. `--output FILE` stores the figures.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SIZES = (20, 60, 120)
TASKS = (
    "Find the open tickets about late parcels, then tell the customers when theirs arrives.",
    "Welche Dienste waren gestern langsam, und wer hat sie zuletzt ausgerollt?",
    "Where is the function that rounds prices, and which tests cover it?",
    "Put the planning meeting on Thursday and invite everybody who works on billing.",
    "Compare this month's returns with last month's and write a short note about it.",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--threads", nargs="*", type=int, default=[1, 2])
    parser.add_argument("--busy", nargs="*", type=int, default=[0, 2])
    parser.add_argument("--output", type=Path)
    parser.add_argument("--child", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        print(json.dumps(_child(*options.child)))
        return
    found = _measured(options.sizes, options.threads, options.busy)
    _print(found)
    if options.output:
        options.output.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def _measured(sizes: Sequence[int], threads: Sequence[int], busy: Sequence[int]) -> dict[str, Any]:
    rows = []
    for beside in busy:
        for count in threads:
            for size in sizes:
                with _burning(beside), tempfile.TemporaryDirectory() as folder:
                    rows.append({"busy": beside, **_run("route", str(size), str(count), folder)})
                    print(_line(rows[-1]), flush=True)
    return {
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {"system": platform.system(), "processor": platform.machine(), "cores": os.cpu_count()},
        "load": round(os.getloadavg()[0], 1),
        "routing": rows,
        "memory": {"worker_mb": rows[-1]["rss_mb"], "web_mb": _run("web")["rss_mb"]},
    }


def _run(*child: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.bench.judge_speed", "--child", *child]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def _child(kind: str, *rest: str) -> dict[str, Any]:
    return _web() if kind == "web" else _route(int(rest[0]), int(rest[1]), Path(rest[2]))


def _route(size: int, threads: int, folder: Path) -> dict[str, Any]:
    """One routing cold, then one of every other task warm."""
    from arena.catalogs.load import load
    from policy.engine import drive
    from policy.engine.selection import Candidate, Category, select_tools
    from policy.judges.local import LocalJudge
    from policy.judges.local.profile import fitted

    catalog = load(ROOT / "fixtures" / "tools")
    tools = [Candidate(tool.id, (tool.category,), tool.description) for tool in catalog.tools[:size]]
    categories = [Category(each.id, each.description) for each in catalog.categories]
    judge = LocalJudge(cache_dir=folder, threads=threads)
    times = []
    for task in TASKS:
        started = time.perf_counter()
        steps = select_tools(
            task=task, candidates=tools, categories=categories, profile=fitted(), ask_first=True, member_lines=True
        )
        drive.run(steps, judge, budget_ms=600_000)
        times.append((time.perf_counter() - started) * 1000)
    return {
        "tools": len(tools),
        "threads": threads,
        "cold_ms": round(times[0]),
        "warm_ms": round(statistics.median(times[1:])),
        "rss_mb": _rss_mb(),
    }


def _web() -> dict[str, Any]:
    """A process that serves pages: it names the judge and never asks it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "jevsite.settings")
    import django
    from django.urls import reverse

    django.setup()
    from policy.judges import registry

    reverse("arena:start")
    registry.get("local")
    return {"rss_mb": _rss_mb()}


def _rss_mb() -> int | None:
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return None
    kilobytes = next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))
    return round(int(kilobytes) / 1024)


@contextmanager
def _burning(processes: int) -> Iterator[None]:
    burners = [multiprocessing.Process(target=_burn, daemon=True) for _ in range(processes)]
    for burner in burners:
        burner.start()
    try:
        yield
    finally:
        for burner in burners:
            burner.terminate()
            burner.join()


def _burn() -> None:
    while True:
        sum(range(10_000))


def _line(row: dict[str, Any]) -> str:
    return (
        f"{row['tools']:4} tools, {row['threads']} threads, {row['busy']} busy beside: "
        f"cold {row['cold_ms']:6} ms, warm {row['warm_ms']:5} ms, {row['rss_mb']} MB"
    )


def _print(found: dict[str, Any]) -> None:
    machine, memory = found["machine"], found["memory"]
    print(f"{machine['system']} {machine['processor']}, {machine['cores']} cores, load {found['load']} at the end")
    print(f"a worker with the judge {memory['worker_mb']} MB, a web process {memory['web_mb']} MB")


if __name__ == "__main__":
    main()
