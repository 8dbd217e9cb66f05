"""`manage.py calibrate SET`: measure a judge on labelled fixtures and say what its thresholds can be."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from policy.calibration.fixtures import Kind
from policy.calibration.measuring import ORDERS
from policy.errors import Conflict, PolicyError
from policy.judges.registry import UnknownJudge
from policy.measurements import inline, jobs, looks, page, reports, sets, terminal
from policy.measurements.models import FixtureSet, Measurement, MeasurementState
from policy.people.models import User
from policy.people.services import NotAllowed, local_user

FAILED, BAD_INPUT, INTERRUPTED = 1, 2, 130


class Command(BaseCommand):
    help = (
        "Measure a judge on a set of fixtures, once, and sweep its thresholds. "
        "Exit 0: a threshold may be recommended, 1: none may, or the judge failed, 2: bad input."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("set", help="a file of JSON lines, a set of fixtures/calibration, or name@version")
        parser.add_argument("--judge", help="who is measured: local, typesafe, ...; default: as set for calibration")
        parser.add_argument("--model", default="", help="of a judge behind HTTP; default: as set for calibration")
        parser.add_argument("--kind", action="append", choices=[*Kind], help="only this kind; may be repeated")
        parser.add_argument("--repeats", type=int, default=1, help="more than 1 measures noise")
        parser.add_argument("--orders", default="forward", help=f"orders of options to check: {','.join(ORDERS)}")
        parser.add_argument("--fresh", action="store_true", help="ask again what was answered before")
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument("--report", type=Path, metavar="FILE", help="write one HTML file that needs nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("tables")
        try:
            measurement = self._measured(options, local_user())
            found = looks.looked(measurement)
        except Conflict as nothing:
            raise CommandError(nothing.message, returncode=FAILED) from nothing
        except (PolicyError, UnknownJudge, NotAllowed) as refused:
            raise CommandError(str(refused), returncode=BAD_INPUT) from refused
        document = reports.document(measurement, found)
        if options["report"] is not None:
            _write(options["report"], page.html(document, found, reports.thresholds_of(measurement, found)))
        shown = (
            json.dumps(document, indent=1, ensure_ascii=False) if options["json"] else terminal.told(document, found)
        )
        self.stdout.write(shown.rstrip("\n"))
        if measurement.state == MeasurementState.FAILED:
            raise CommandError(measurement.message, returncode=FAILED)
        if not terminal.recommends(found):
            raise CommandError("No threshold may be recommended from this set; the reasons stand above.", returncode=1)

    def _measured(self, options: dict[str, Any], by: User) -> Measurement:
        kept = _set(options["set"], by)
        orders = [each.strip() for each in options["orders"].split(",") if each.strip()]
        with inline.quietly():
            begun = jobs.start(
                kept,
                by=by,
                origin="command",
                judge=options["judge"],
                model=options["model"],
                kinds=options["kind"],
                orders=orders,
                repeats=options["repeats"],
                fresh=options["fresh"],
            )
        try:
            return inline.finish(begun, told=self._tell)
        except KeyboardInterrupt:
            with inline.quietly():
                begun.refresh_from_db()
                if not begun.is_final:
                    jobs.stop(begun, by=by)
            said = f"Interrupted after {begun.done} of {begun.total}; what was answered is not asked again."
            raise CommandError(said, returncode=INTERRUPTED) from None

    def _tell(self, measurement: Measurement) -> None:
        if not measurement.is_final:
            told = jobs.progress(measurement)
            left = "" if told.left_s is None else f", {told.left_s:.0f} s left"
            self.stderr.write(f"{told.done} of {told.total}{left}")


def _set(named: str, by: User) -> FixtureSet:
    """A file, a shipped set as it is now, or one that was taken in before."""
    path = Path(named)
    if path.suffix == ".jsonl" and path.is_file():
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            said = f"{path} cannot be read ({type(error).__name__}); name a file of JSON lines in UTF-8."
            raise CommandError(said, returncode=BAD_INPUT) from error
        return sets.take_in(text, name=path.stem, by=by, source=path.name)
    if path.is_file() and named not in sets.shipped():
        ending = repr(path.suffix) if path.suffix else "no ending"
        said = f"{path} ends in {ending}; a file of JSON lines is taken by the ending .jsonl. Rename it."
        raise CommandError(said, returncode=BAD_INPUT)
    if named in sets.shipped():
        return sets.take_in_shipped(named, by=by)
    return sets.find(named)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        said = f"{path} cannot be written ({error.strerror}); name another file."
        raise CommandError(said, returncode=BAD_INPUT) from error
