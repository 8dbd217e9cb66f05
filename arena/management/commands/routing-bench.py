"""`manage.py routing-bench`: full against lean context over our cases, offline, with receipts on request."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from arena import routing_bench
from arena.cases.case import Case
from arena.errors import ArenaError
from arena.exchange.table import UNKNOWN
from arena.library import Library, library
from arena.routing_bench import Scenario, Trial
from arena.runs.setup import MAX_MENU, MAX_SEED
from policy.engine.routing import QUESTION_SET, RoutingRefused, question_set_digest
from policy.judges import registry

BAD_INPUT = 2
JUDGES = ("scripted", "local")
NOTES = {
    "scripted": "The evidence is scripted: it shows how routing decides, not how well a judge judges.",
    "local": "The judge is a baseline on this machine; its time is its own, not that of another judge or of a tool.",
}
PROXY = "Tokens are bytes of UTF-8 over four, an estimate. The lean side pays for its context and for the question."


class Command(BaseCommand):
    help = "Compare full and lean context over our cases with the selector top-k. Exit 0: it ran, 2: bad input."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--judge", default="scripted", help="scripted (default, seven scenarios) or local")
        parser.add_argument("--menu", type=int, default=40, help="tools in the menu of a case, at most the catalog's")
        parser.add_argument("--seed", type=int, default=1, help="chooses the distractors")
        parser.add_argument("--case", action="append", default=[], help="only this case; may be given more than once")
        parser.add_argument("--receipts", type=Path, help="a folder for one receipt a scenario; none is overwritten")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        _check(options)
        try:
            trials = [routing_bench.attempt(each) for each in _scenarios(library(), options)]
        except ArenaError as refused:
            raise CommandError(refused.message, returncode=BAD_INPUT) from refused
        except RoutingRefused as refused:
            raise CommandError(f"{refused}. Choose a smaller --menu.", returncode=BAD_INPUT) from refused
        if not trials:
            raise CommandError("None of these cases has a script; leave --case out.", returncode=BAD_INPUT)
        if options["receipts"] is not None:
            _keep(trials, options["receipts"])
        document = _document(trials, options)
        self.stdout.write(json.dumps(document, indent=1, ensure_ascii=False) if options["json"] else _text(document))


def _check(options: dict[str, Any]) -> None:
    if options["judge"] not in JUDGES:
        words = f"There is no judge {options['judge']!r} here. Allowed: {', '.join(JUDGES)}."
        raise CommandError(words, returncode=BAD_INPUT)
    for name, value, low, high in (("menu", options["menu"], 1, MAX_MENU), ("seed", options["seed"], 0, MAX_SEED)):
        if not low <= value <= high:
            raise CommandError(f"--{name} is {value}; it must be from {low} to {high}.", returncode=BAD_INPUT)


def _scenarios(shelf: Library, options: dict[str, Any]) -> list[Scenario]:
    cases: Sequence[Case] = [shelf.case(name) for name in options["case"]] or shelf.cases
    sized = {"menu_size": options["menu"], "seed": options["seed"]}
    if options["judge"] == "scripted":
        return list(routing_bench.scripted(cases, shelf.catalog, **sized))
    name = options["judge"]
    return list(
        routing_bench.from_cases(
            cases,
            shelf.catalog,
            judge=registry.get(name, cache_dir=settings.VECTORS_DIR),
            policy=registry.routing(name),
            profile=registry.profile(name),
            **sized,
        )
    )


def _keep(trials: Sequence[Trial], folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for trial in trials:
            with (folder / f"{trial.scenario.name}.json").open("x", encoding="utf-8") as file:
                json.dump(trial.receipt, file, indent=1, ensure_ascii=False)
    except OSError as error:
        words = f"The receipts cannot be kept in {folder}: {error.strerror} ({error.filename}). Name an empty folder."
        raise CommandError(words, returncode=BAD_INPUT) from error


def _document(trials: Sequence[Trial], options: dict[str, Any]) -> dict[str, Any]:
    call = trials[0].scenario.call
    return {
        "judge": options["judge"],
        "selector": call.kind,
        "question_set": {"name": QUESTION_SET, "sha256": question_set_digest()},
        "policy": call.policy.to_json(),
        "menu": options["menu"],
        "seed": options["seed"],
        "notes": [NOTES[options["judge"]], PROXY],
        "receipts": None if options["receipts"] is None else str(options["receipts"]),
        "summary": routing_bench.summary(trials),
        "scenarios": [trial.to_json() for trial in trials],
    }


def _text(document: dict[str, Any]) -> str:
    lines = [_line(row) for row in document["scenarios"]]
    return "\n".join([*lines, "", *_totals(document["summary"]), "", *document["notes"]])


def _line(row: dict[str, Any]) -> str:
    met = "as expected" if row["expectationMet"] else f"expected {row['expectedOutcome']}"
    if not row["expectationMet"] and row["outcome"] == row["expectedOutcome"]:
        met = "no acceptable tool"
    picked = ", ".join(row["selectedIds"]) or UNKNOWN
    return f"{row['name']:<28} {row['outcome']:<20} {met:<30} {picked}"


def _totals(found: dict[str, Any]) -> list[str]:
    reduction = found["contextReductionFraction"]
    request = found["routerRequestBytes"]
    time = found["routerLatencyMs"]
    return [
        f"scenarios                      {found['scenarios']}, {_share(found['expectationMet'])} as expected",
        f"context, full and lean         {found['fullContextBytes']:,} and {found['leanContextBytes']:,} bytes "
        f"({reduction:.0%} less)",
        f"estimated tokens, full         {found['fullContextEstimatedTokens']:,}",
        f"estimated tokens, lean         {found['leanContextEstimatedTokens']:,}, with the router "
        f"{_count(found['leanTotalEstimatedInputTokens'])}",
        f"router requests                {_count(request)} bytes"
        + ("" if time is None else f", {time / 1000:.2f} s in all"),
        f"acceptable tool in full        {_share(found['fullAcceptableToolIncluded'])}",
        f"acceptable tool in lean        {_share(found['leanAcceptableToolIncluded'])}",
        f"cheapest acceptable selected   {_share(found['cheapestAcceptableSelected'])}",
        f"whole acceptable set           {_share(found['completeSetIncluded'])}, prerequisites included",
    ]


def _share(counted: dict[str, int]) -> str:
    return f"{counted['yes']} of {counted['of']}"


def _count(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:,.0f}"
