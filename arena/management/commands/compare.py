"""`manage.py compare CASE`: one comparison without a browser, over the same services, in this process."""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from arena.errors import ArenaError, Conflict, among
from arena.exchange import documents
from arena.exchange.table import lane_table
from arena.models import Arm, Run, RunState
from arena.runs import asks, history, inline, reap, start, stop
from arena.runs.agent_models import AgentOrder
from arena.runs.setup import MAX_ARMS, MAX_SEED
from policy.engine import call_rules_text
from policy.engine.call_rules import CallRules
from policy.engine.selectors import TWO_STAGE
from policy.errors import PolicyError
from policy.measurements import profiles
from policy.people.models import User
from policy.people.services import local_user

FAILED, BAD_INPUT, INTERRUPTED = 1, 2, 130
MAX_REPEATS = 100
APPROVE = ("ask", "none")
# A site beside this command may have taken a step of the run; its lease is the longest that we wait for it.
LOOK_EVERY_S = 0.2


class Command(BaseCommand):
    help = "Run a case with several menus and print what came of it. Exit 0: it ran, 1: it failed, 2: bad input."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("case", help="a case of fixtures/cases, such as patch, or the id of one of your own")
        parser.add_argument("--menu", type=int, default=40, help="tools in the menu of the run, at most the catalog's")
        parser.add_argument(
            "--arms",
            default="full,selected",
            help=f"up to {MAX_ARMS} of: {', '.join(Arm.values)}; default full,selected",
        )
        parser.add_argument("--judge", default="local", help="who selects: local (default) or scripted")
        parser.add_argument("--selector", default=TWO_STAGE, help="two-stage (default) or top-k: one choice")
        parser.add_argument("--profile", help="a saved profile as name@version; default: the judge's own")
        parser.add_argument("--agent", default="offline", help="who works: offline (default, no model), llm, codex")
        parser.add_argument("--agent-model", default="", help="provider:model of llm; default: your choice on Settings")
        parser.add_argument("--effort", default="", help="of the agent's model: minimal, low, medium, high")
        parser.add_argument("--temperature", type=float, help="of the agent's model: 0 to 2")
        parser.add_argument("--max-steps", type=int, help="most tool calls of a lane, default 12")
        parser.add_argument("--max-tokens", type=int, help="most tokens in and out of a lane, default: no bound")
        parser.add_argument(
            "--gate", default="off", help="off (default), shadow, enforce; compare: one arm without and with"
        )
        parser.add_argument("--rules", default="", help="a file with rules over calls, one a line or a JSON list")
        parser.add_argument(
            "--approve", default="ask", help="ask (default): prints where to answer, silence means no; none: no at once"
        )
        parser.add_argument("--find-tool", action="store_true", help="agents with a small menu may search for more")
        parser.add_argument("--seed", type=int, default=1, help="repeats take this seed and the next ones")
        parser.add_argument("--repeats", type=int, default=1, help=f"1 to {MAX_REPEATS}")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        _check(options["repeats"], options["seed"])
        if options["approve"] not in APPROVE:
            raise CommandError(among("--approve", options["approve"], list(APPROVE)), returncode=BAD_INPUT)
        options["rules"] = _rules(options["rules"])
        call_command("tables")
        runs, refused, interrupted = _compare(options)
        if runs:
            self._print(runs, as_json=options["json"])
        if refused is not None:
            raise CommandError(refused.message, returncode=BAD_INPUT)
        if interrupted:
            raise CommandError(f"Interrupted after {len(runs)} of {options['repeats']}.", returncode=INTERRUPTED)
        if failed := next((run for run in runs if run.state != RunState.COMPLETE), None):
            raise CommandError(f"Run {failed.public_id} is {failed.state}: {failed.message}", returncode=FAILED)

    def _print(self, runs: list[Run], *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(_document(runs), indent=1, ensure_ascii=False))
            return
        for run in runs:
            self.stdout.write(f"Run {run.number} ({run.public_id}): {run.case_title}, {run.state}\n")
            self.stdout.write(lane_table(run) + "\n")


def _rules(path: str) -> CallRules | None:
    if not path:
        return None
    try:
        text = Path(path).read_text(encoding="utf-8")
        listed = text.lstrip().startswith("[")
        return call_rules_text.from_json(json.loads(text)) if listed else call_rules_text.parse(text)
    except (OSError, ValueError) as wrong:
        raise CommandError(f"--rules {path}: {wrong}", returncode=BAD_INPUT) from wrong


def _check(repeats: int, seed: int) -> None:
    if not 1 <= repeats <= MAX_REPEATS:
        raise CommandError(f"--repeats is {repeats}; it must be from 1 to {MAX_REPEATS}.", returncode=BAD_INPUT)
    if not 0 <= seed <= MAX_SEED - repeats + 1:
        words = f"--seed is {seed}; with {repeats} repeats it must be from 0 to {MAX_SEED - repeats + 1}."
        raise CommandError(words, returncode=BAD_INPUT)


def _compare(options: dict[str, Any]) -> tuple[list[Run], ArenaError | PolicyError | None, bool]:
    """The runs that came to an end, the refusal that ended them early, and whether a person interrupted."""
    runs: list[Run] = []
    by = local_user()
    for n in range(options["repeats"]):
        try:
            run, interrupted = _run(options, options["seed"] + n, by)
        except (ArenaError, PolicyError) as refused:
            return runs, refused, False
        runs += [] if run is None else [run]
        if interrupted:
            return runs, None, True
    return runs, None, False


def _run(options: dict[str, Any], seed: int, by: User) -> tuple[Run | None, bool]:
    run, interrupted = None, False
    with inline.worker() as wait:
        try:
            run = start.start(
                options["case"],
                by=by,
                origin="command",
                arms=[arm.strip() for arm in options["arms"].split(",") if arm.strip()],
                menu_size=options["menu"],
                judge=options["judge"],
                profile=None if options["profile"] is None else profiles.saved(options["profile"]),
                selector=options["selector"],
                agent=options["agent"],
                asked=_asked(options),
                seed=seed,
                find_tool=options["find_tool"],
                pause_s=0,
                gate=options["gate"],
                rules=options["rules"],
                attended=options["approve"] == "ask",
            )
            with asks.told(run):
                wait()
            _settled(run)
        except KeyboardInterrupt:
            interrupted = True
            if run is not None:
                _stop(run, by)
                wait()
    return (None if run is None else history.find(run.public_id)), interrupted


def _asked(options: dict[str, Any]) -> AgentOrder:
    return AgentOrder(
        model=options["agent_model"],
        effort=options["effort"],
        temperature=options["temperature"],
        max_steps=options["max_steps"],
        max_tokens=options["max_tokens"],
    )


def _settled(run: Run) -> None:
    """Wait for what a site in the same folder may have claimed: a step of this run, or its settling."""
    while not history.find(run.public_id).is_final:
        reap.reap()
        time.sleep(LOOK_EVERY_S)


def _stop(run: Run, by: User) -> None:
    try:
        stop.stop(run, by=by)
    except Conflict:
        return


def _document(runs: list[Run]) -> dict[str, Any]:
    """One object; `independent` counts runs whose inputs differ, since a repeat of the same inputs proves nothing."""
    short = [documents.summary(run) for run in runs]
    independent = len({json.dumps([lane["menu"] for lane in each["lanes"]]) for each in short})
    first = short[0] if len(short) == 1 else {"case": runs[0].case_id}
    return {**first, "repeats": len(runs), "independent": independent, "runs": short}
