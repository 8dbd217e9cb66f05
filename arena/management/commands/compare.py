"""`manage.py compare CASE`: one comparison without a browser, over the same services, in this process."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from arena.errors import ArenaError
from arena.exchange import documents
from arena.exchange.table import lane_table
from arena.models import Run, RunState
from arena.runs import history, inline, start, stop
from policy.people.services import local_user

BAD_INPUT = 2


class Command(BaseCommand):
    help = "Run a case with several menus and print what came of it. Exit 0: it ran, 1: it failed, 2: bad input."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("case", help="a case of fixtures/cases, such as patch")
        parser.add_argument("--menu", type=int, default=40, help="tools in the menu of the run (default 40)")
        parser.add_argument("--arms", default="full,selected", help="full, selected, shadow; default full,selected")
        parser.add_argument("--judge", default="local")
        parser.add_argument("--agent", default="offline")
        parser.add_argument("--seed", type=int, default=1, help="repeats take this seed and the next ones")
        parser.add_argument("--repeats", type=int, default=1, help="1 to 100")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        if not 1 <= options["repeats"] <= 100:
            raise CommandError(f"--repeats is {options['repeats']}; it must be from 1 to 100.", returncode=BAD_INPUT)
        call_command("migrate", verbosity=0, interactive=False)
        try:
            runs = [self._run(options, options["seed"] + n) for n in range(options["repeats"])]
        except ArenaError as refused:
            raise CommandError(refused.message, returncode=BAD_INPUT) from refused
        self._print(runs, as_json=options["json"])
        if any(run.state != RunState.COMPLETE for run in runs):
            failed = next(run for run in runs if run.state != RunState.COMPLETE)
            raise CommandError(f"Run {failed.public_id} is {failed.state}: {failed.message}", returncode=1)

    @staticmethod
    def _run(options: dict[str, Any], seed: int) -> Run:
        by = local_user()
        with inline.worker() as wait:
            run = start.start(
                options["case"],
                by=by,
                origin="command",
                arms=[arm.strip() for arm in options["arms"].split(",") if arm.strip()],
                menu_size=options["menu"],
                judge=options["judge"],
                agent=options["agent"],
                seed=seed,
                pause_s=0,
            )
            try:
                wait()
            except KeyboardInterrupt:
                stop.stop(run, by=by)
                wait()
        return history.find(run.public_id)

    def _print(self, runs: list[Run], *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(_document(runs), indent=1, ensure_ascii=False))
            return
        for run in runs:
            self.stdout.write(f"Run {run.number} ({run.public_id}): {run.case_title}, {run.state}\n")
            self.stdout.write(lane_table(run) + "\n")


def _document(runs: list[Run]) -> dict[str, Any]:
    """One object; `independent` counts runs whose inputs differ, since a repeat of the same inputs proves nothing."""
    short = [documents.summary(run) for run in runs]
    independent = len({json.dumps([lane["menu"] for lane in each["lanes"]]) for each in short})
    first = short[0] if len(short) == 1 else {"case": runs[0].case_id}
    return {**first, "repeats": len(runs), "independent": independent, "runs": short}
