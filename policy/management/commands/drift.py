"""`manage.py drift PROFILE`: does the judge of a saved profile still answer as it did?"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from policy.calibration.drift import Drift
from policy.errors import PolicyError
from policy.judges.registry import UnknownJudge
from policy.measurements import drift, inline, profiles
from policy.people.services import local_user

CODES = {Drift.STABLE.value: 0, Drift.DRIFTED.value: 1, Drift.UNKNOWN.value: 2}
BAD_INPUT = 3


class Command(BaseCommand):
    help = (
        "Ask a sample of a saved profile's fixtures again and compare. "
        "Exit 0: stable, 1: drifted, 2: not enough data, 3: bad input."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("profile", help="a saved profile, as name or name@version")
        parser.add_argument(
            "--sample", type=int, help="how many fixtures; default: as many as show a drop of 10 points"
        )
        parser.add_argument("--seed", type=int, default=1, help="which ones")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("tables")
        by = local_user()
        try:
            kept = profiles.find(options["profile"])
            with inline.quietly():
                begun = drift.start(kept, by=by, origin="command", sample=options["sample"], seed=options["seed"])
            record = drift.conclude(kept, inline.finish(begun), by=by)
        except (PolicyError, UnknownJudge) as refused:
            raise CommandError(str(refused), returncode=BAD_INPUT) from refused
        told = {"profile": str(kept), **record.document}
        self.stdout.write(json.dumps(told, indent=1) if options["json"] else _told(told))
        if code := CODES[record.verdict]:
            raise CommandError(f"{kept}: {record.verdict}", returncode=code)


def _told(outcome: dict[str, Any]) -> str:
    (was, rows), (now, fresh) = outcome["recorded"], outcome["fresh"]
    lines = [
        f"{outcome['profile']}: {outcome['verdict']}",
        f"  recorded {was} of {rows}, now {now} of {fresh} as labelled, {outcome['failed']} failed",
        f"  chance of so bad a sample without drift {outcome['p']:.4f}; "
        f"a drop of {outcome['drop']:.0%} would be seen in {outcome['power']:.0%}",
        f"  jev-eval would say: {outcome['jev_eval']}",
    ]
    if outcome["verdict"] == Drift.UNKNOWN.value and outcome["rows_needed"] is not None:
        lines.append(f"  {outcome['rows_needed']} fixtures would be enough")
    return "\n".join([*lines, *(f"  {each}: the profile is disarmed" for each in outcome["changed"])])
