"""A quality report as a plain text table: one line a figure, one column a variant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

ROWS = {
    "top1": "right tool first",
    "top3": "right tool in the first three",
    "mrr": "mean reciprocal rank",
    "none_auc": "nothing fits, AUC",
    "ece": "calibration error",
    "brier": "Brier",
}
WIDTH = 29
LABEL = 34


def table(report: Mapping[str, Any]) -> str:
    """Lines for a terminal; a figure is `value [low, high] n`, a dash where no case speaks about it."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    columns = {report["judge"]: report, **report["variants"]}
    yield f"Judge {report['judge']} ({report['model'] or 'model unknown'}), {report['made_at']}"
    for file in report["files"]:
        yield f"{file['name']}: {file['cases']} cases, SHA-256 {file['sha256'][:12]}"
    yield "95 % intervals: Wilson for shares, resampled cases for the others."
    yield ""
    yield f"{'':{LABEL}}" + "".join(f"{name:{WIDTH}}" for name in columns)
    yield from _section("", columns)
    for title, part in (("menu of", "by_menu_size"), ("language", "by_language")):
        for key in report[part]:
            yield ""
            yield from _section(f"{title} {key}", {name: column[part][key] for name, column in columns.items()})
    if check := report["host_check"]:
        yield ""
        yield f"{'host check: missing found':{LABEL}}{_figure(check['found'])}"
        yield f"{'host check: false alarms':{LABEL}}{_figure(check['false_alarms'])}"
    chance = report["ece"]["chance"]
    if chance:
        yield ""
        yield (
            f"Plug-in calibration error {_number(report['ece']['plug_in'])}; a judge whose numbers are true would show "
            f"{_number(chance['mean'])} on average, {_number(chance['p95'])} in one of twenty sets of this size."
        )


def _section(title: str, columns: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    if title:
        yield f"{title} (n={next(iter(columns.values()))['n']})"
    for key, label in ROWS.items():
        if any(column[key]["value"] is not None for column in columns.values()):
            yield f"{label:{LABEL}}" + "".join(f"{_figure(column[key]):{WIDTH}}" for column in columns.values())
    for kind in dict.fromkeys(kind for column in columns.values() for kind in column["auc"]):
        cells = "".join(f"{_figure(column['auc'].get(kind)):{WIDTH}}" for column in columns.values())
        yield f"{kind + ', AUC':{LABEL}}{cells}"


def _figure(figure: Mapping[str, Any] | None) -> str:
    if figure is None or figure["value"] is None:
        return "-"
    return f"{_number(figure['value'])} [{_number(figure['low'])}, {_number(figure['high'])}] n={figure['n']}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
