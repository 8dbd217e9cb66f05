"""`python -m tests.bench.comparison_table`: every case with every menu size and arm, through the real services.

Runs in a fresh folder, in this process, with the local judge and the offline agent, and prints one row a lane and one
summary a menu size and arm. Rates carry Wilson's 95 % interval; token counts are estimates and include the judge.
"""

from __future__ import annotations

import argparse
import math
import os
import statistics
import tempfile
from collections.abc import Sequence
from typing import Any


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", nargs="*", type=int, default=[20, 40])
    parser.add_argument("--arms", default="full,selected")
    parser.add_argument("--cases", nargs="*", default=[])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(JEV_VAR=folder, DJANGO_SETTINGS_MODULE="jevsite.settings", JEV_LOG_LEVEL="ERROR")
        _print(_measured(options.sizes, options.arms.split(","), options.cases))


def _measured(sizes: Sequence[int], arms: Sequence[str], only: Sequence[str]) -> list[dict[str, Any]]:
    import django

    django.setup()
    from django.core.management import call_command

    from arena.exchange import documents
    from arena.library import library
    from arena.runs import history, inline, start
    from policy.people.services import local_user

    call_command("migrate", verbosity=0)
    found = []
    for size in sizes:
        for case in library().cases:
            if only and case.id not in only:
                continue
            with inline.worker() as wait:
                run = start.start(
                    case.id, by=local_user(), origin="command", arms=arms, menu_size=size, pause_s=0, judge="local"
                )
                wait()
            told = documents.summary(history.find(run.public_id))
            found += [{"size": size, "case": case.id, **told, **lane} for lane in told["lanes"]]
    return found


def _print(lanes: Sequence[dict[str, Any]]) -> None:
    print(
        f"{'menu':>4} {'case':18} {'arm':9} {'state':10} {'ok':3} {'tools':>5} {'tokens':>7} {'recall':6} {'time':>7}"
    )
    for lane in lanes:
        tokens = lane["input_tokens"]["value"]
        recall = {1.0: "yes", 0.0: "no", None: "-"}[lane["recall_at_menu"]]
        ok = {True: "yes", False: "no", None: "-"}[lane["success"]]
        time = f"{lane['working_ms'] / 1000:.2f} s" if lane["working_ms"] is not None else "-"
        head = f"{lane['size']:4} {lane['case']:18} {lane['arm']:9} {lane['state']:10} {ok:3} {lane['tools_exposed']:5}"
        print(f"{head} {tokens if tokens is not None else '-':>7} {recall:6} {time:>7}")
    for size, arm in dict.fromkeys((lane["size"], lane["arm"]) for lane in lanes):
        print(_summary(size, arm, [lane for lane in lanes if (lane["size"], lane["arm"]) == (size, arm)]))


def _summary(size: int, arm: str, lanes: Sequence[dict[str, Any]]) -> str:
    recalls = [lane["recall_at_menu"] for lane in lanes if lane["recall_at_menu"] is not None]
    tokens = [lane["input_tokens"]["value"] for lane in lanes if lane["input_tokens"]["value"] is not None]
    times = [lane["working_ms"] for lane in lanes if lane["working_ms"] is not None]
    exposed = statistics.mean(lane["tools_exposed"] for lane in lanes)
    return (
        f"menu {size}, {arm}: success {_rate([lane['success'] for lane in lanes])}, tools exposed {exposed:.1f} on "
        f"average, input tokens {sum(tokens):,} (estimated, judge included, n={len(tokens)}), "
        f"recall@menu {_rate(recalls)}, median time {statistics.median(times) / 1000:.2f} s"
    )


def _rate(values: Sequence[Any]) -> str:
    n, k, z = len(values), sum(bool(value) for value in values), 1.96
    middle = (k + z * z / 2) / (n + z * z)
    half = z * math.sqrt(k * (n - k) / n + z * z / 4) / (n + z * z)
    return f"{k}/{n} = {k / n:.0%} [{max(0, middle - half):.0%}, {min(1, middle + half):.0%}]"


if __name__ == "__main__":
    main()
