"""`manage.py judge-quality FILE`: how good a judge is on labelled cases, with intervals."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from policy.engine.failures import JudgeFailed
from policy.judges import quality, registry
from policy.judges.quality import BrokenCases

VAGUE = "check-vague.jsonl"


class Command(BaseCommand):
    help = "Measure a judge on labelled cases: JSON lines with tools and acceptable, or with tool, kind and label."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--judge", default="local")
        parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
        parser.add_argument("--output", type=Path, help="write the JSON object into this file as well")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            judge = registry.get(options["judge"], cache_dir=settings.VECTORS_DIR)
            found = quality.report(
                judge,
                [quality.read(path) for path in options["files"]],
                variants=registry.variants(options["judge"], cache_dir=settings.VECTORS_DIR),
                vague=quality.read(settings.BASE_DIR / "fixtures" / "judges" / VAGUE),
                model=getattr(judge, "model", None),
            )
        except (BrokenCases, registry.UnknownJudge) as error:
            raise CommandError(str(error), returncode=2) from error
        except JudgeFailed as error:
            raise CommandError(f"The judge gave no answer: {error.failure.message}") from error
        written = json.dumps(found, indent=2, ensure_ascii=False)
        if options["output"]:
            options["output"].write_text(written + "\n", encoding="utf-8")
        self.stdout.write(written if options["json"] else quality.table(found))
