"""`manage.py prune-ledger`: bring the ledger within its age and size now; the reaper does it by itself every hour."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import replace
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from policy import pruning


class Command(BaseCommand):
    help = "Throw away the oldest requests to judges; rows of runs and measurements keep their figures."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="change nothing, only say what would go")
        parser.add_argument("--days", type=float, help="keep so many days instead of LEDGER_KEEP_DAYS; 0 keeps all")
        parser.add_argument("--megabytes", type=float, help="keep so much instead of LEDGER_KEEP_MB; 0 keeps all")

    def handle(self, *args: Any, **options: Any) -> None:
        given = {name: options[name] for name in ("days", "megabytes") if options[name] is not None}
        for name, value in given.items():
            if not 0 <= value < 1e9:
                raise CommandError(f"--{name} is {value:g}; it must be 0 or more.")
        done = pruning.prune(replace(pruning.limits(), **given), dry_run=options["dry_run"])
        would = "would be " if options["dry_run"] else ""
        self.stdout.write(
            f"{done.deleted:,} rows {would}deleted, {done.emptied:,} {would}emptied (their figures stay), "
            f"{done.freed / pruning.MEGABYTE:,.1f} MB; {done.answers:,} stored answers {would}deleted."
        )
