"""`manage.py doctor`: is everything here that a site needs, and does it run?"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from jevsite import health

MARKS = {"ok": "✓", "note": "–", "problem": "✗"}


class Command(BaseCommand):
    help = "Look at every part of the site. Exit 0: no problem, 1: at least one."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        findings = list(health.examine())
        problems = sum(finding.state == "problem" for finding in findings)
        if options["json"]:
            document = {"ok": not problems, "findings": [asdict(finding) for finding in findings]}
            self.stdout.write(json.dumps(document, indent=1, ensure_ascii=False))
        else:
            for finding in findings:
                self.stdout.write(f"{MARKS[finding.state]} {finding.state:<8} {finding.part:<10} {finding.text}")
        if problems:
            sys.exit(1)
