"""What the card of judge `local` says: its stored quality report, speed and thresholds, and how it works right now."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from policy.diagram import Diagram, reliability
from policy.judges import registry
from policy.judges.local import LocalJudge, profile

FOLDER = Path(registry.__file__).parent / "local"
QUALITY = FOLDER / "quality.json"
SPEED = FOLDER / "speed.json"

Json = Mapping[str, Any]

# Figure, words, whether less is better.
FIGURES = (
    ("top1", "right tool first", False),
    ("top3", "right tool in the first three", False),
    ("mrr", "mean reciprocal rank", False),
    ("none_auc", "nothing fits, told from something fits", False),
    ("ask_first", "vague task, told from a clear one", False),
    ("missing_information", "information is missing", False),
    ("matches_task", "call serves the task", False),
    ("violates_restriction", "call breaks a restriction", False),
    ("ece", "calibration error", True),
    ("brier", "Brier score", True),
)
ABOUT = {
    "none_auc": "AUC",
    "ask_first": "AUC",
    "missing_information": "AUC",
    "matches_task": "AUC",
    "violates_restriction": "AUC",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure as it is written; a dash and no interval where no case speaks about it."""

    value: str
    interval: str


@dataclass(frozen=True, slots=True)
class Row:
    label: str
    unit: str
    n: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """The figures of one menu size or language."""

    label: str
    n: int
    top1: Cell
    top3: Cell


@dataclass(frozen=True, slots=True)
class Source:
    name: str
    cases: int
    digest: str


@dataclass(frozen=True, slots=True)
class Stop:
    """How many held-out calls a threshold of the profile stops."""

    rule: str
    cut: str
    harmless: str
    harmful: str


@dataclass(frozen=True, slots=True)
class Card:
    """Everything that the page shows; `speed` is None where nobody measured it."""

    model: str
    measured_model: str
    lexical_reason: str | None
    threads: int
    made_at: datetime
    sources: tuple[Source, ...]
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    parts: tuple[Part, ...]
    first: Json
    diagram: Diagram
    chance: Json
    plug_in: str
    host: Json | None
    stops: tuple[Stop, ...]
    speed: Json | None


def local(*, cache_dir: Path) -> Card:
    """The card as of now; the figures are those of the stored report."""
    judge = registry.get("local", cache_dir=cache_dir)
    assert isinstance(judge, LocalJudge)
    told, report = judge.describe(), _stored(QUALITY)
    columns = {"local": report, **report["variants"]}
    return Card(
        model=told.model,
        measured_model=report["model"],
        lexical_reason=told.lexical_reason,
        threads=told.threads,
        made_at=datetime.fromisoformat(report["made_at"]),
        sources=tuple(Source(each["name"], each["cases"], each["sha256"]) for each in report["files"]),
        columns=tuple(columns),
        rows=tuple(_rows(columns)),
        parts=tuple(_parts(report)),
        first=_told(report["top1"]),
        diagram=reliability(report["reliability"]["all"]),
        chance={name: number(value) for name, value in report["ece"]["chance"].items()},
        plug_in=number(report["ece"]["plug_in"]),
        host=_host(report["host_check"]),
        stops=tuple(_stops()),
        speed=_stored(SPEED) if SPEED.exists() else None,
    )


def number(value: float | None) -> str:
    """A share or probability: two decimals, no leading zero; a dash for what is unknown."""
    if value is None:
        return "—"
    return f"{value:.2f}".removeprefix("0") if value < 1 else f"{value:.2f}".removesuffix(".00")


def _rows(columns: Mapping[str, Json]) -> Iterator[Row]:
    for key, label, less in FIGURES:
        found = [_figure(report, key) for report in columns.values()]
        unit = ABOUT.get(key, "lower is better" if less else "")
        yield Row(label, unit, found[0]["n"], tuple(_cell(each) for each in found))


def _parts(report: Json) -> Iterator[Part]:
    for title, by in (("Menu of {} tools", "by_menu_size"), ("Task in {}", "by_language")):
        for key, part in sorted(report[by].items(), key=lambda item: (len(item[0]), item[0])):
            if part["top1"]["value"] is not None:
                name = {"en": "English", "de": "German"}.get(key, key)
                yield Part(title.format(name), part["top1"]["n"], _cell(part["top1"]), _cell(part["top3"]))


def _stops() -> Iterator[Stop]:
    cuts, counts = profile.fitted().thresholds, profile.measured()
    for rule, cut, key in (
        ("denied: breaks a restriction", f"from {number(cuts.restriction)}", "denied"),
        ("asks: information is missing", f"from {number(cuts.missing_information)}", "asked_for_information"),
        ("asks: does not serve the task", f"below {number(cuts.task_match)}", "asked_for_mismatch"),
    ):
        harmless, harmful = (
            f"{counts[key][side]['stopped']} of {counts[key][side]['of']}" for side in ("harmless", "harmful")
        )
        yield Stop(rule, cut, harmless, harmful)


def _host(check: Json | None) -> Json | None:
    return None if check is None else {name: _told(figure) for name, figure in check.items()}


def _told(figure: Json) -> Json:
    """A rate in words: `39 of 57` and its interval."""
    value = figure["value"]
    hits = None if value is None else round(value * figure["n"])
    return {"hits": hits, "n": figure["n"], "value": number(value), "interval": _interval(figure)}


def _figure(report: Json, key: str) -> Json:
    found: Json = report[key] if key in report else report["auc"].get(key, {"value": None, "n": 0})
    return found


def _cell(figure: Json) -> Cell:
    return Cell(number(figure["value"]), _interval(figure))


def _interval(figure: Json) -> str:
    return "" if figure["value"] is None else f"{number(figure['low'])} to {number(figure['high'])}"


@cache
def _stored(path: Path) -> Json:
    content: Json = json.loads(path.read_text(encoding="utf-8"))
    return content
