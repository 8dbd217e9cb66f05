"""`manage.py fit-local`: fit the constants of judge `local` from its training files."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from policy.judges.local import constants, profile
from policy.judges.local.constants import Constants
from policy.judges.local.vectors import Vectors, VectorsUnavailable, unavailable_reason


class Command(BaseCommand):
    help = "Fit the constants and the profile of judge `local` from fixtures/judges and write them into its folder."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--folder", type=Path, default=settings.BASE_DIR / "fixtures" / "judges")
        parser.add_argument("--output", type=Path, default=constants.PATH)
        parser.add_argument("--profile", type=Path, default=profile.PATH)
        parser.add_argument("--seed", type=int, help="shuffles the folds of the cross-validation, not the constants")

    def handle(self, *args: Any, **options: Any) -> None:
        if reason := unavailable_reason():
            raise CommandError(f"The fit needs sentence vectors, but {reason}; run it on another machine.")
        from policy.judges.local import fitting

        known = constants.fitted()
        try:
            seed = fitting.SEED if options["seed"] is None else options["seed"]
            found = fitting.fit(
                options["folder"], vectors=Vectors(cache_dir=settings.VECTORS_DIR), version=known.version, seed=seed
            )
            version = known.version + _answers_change(known, found.constants)
            made = replace(found.constants, version=version)
            found.profile["profile"]["version"] = version
            _write(options["output"], made.to_json())
            _write(options["profile"], found.profile)
        except (fitting.BrokenTraining, VectorsUnavailable, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(json.dumps({"version": version, **made.data, **found.profile}, indent=2))


def _write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _answers_change(known: Constants, fitted: Constants) -> bool:
    """A new version means that stored answers and profiles of the old one no longer apply."""
    return replace(fitted, version=known.version, data=known.data) != known
