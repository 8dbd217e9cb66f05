"""The figures of the usage page as CSV, at their finest: one line for a day, judge, model and origin."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from policy.usage.cells import Cell

HEAD = (
    *("day", "judge", "requested_model", "answering_model", "origin"),
    *("physical_requests", "failed", "retries", "retries_for_a_wrong_total"),
    *("input_tokens", "input_tokens_estimated", "requests_without_input_tokens"),
    *("output_tokens", "requests_without_output_tokens"),
    *("known_cost_usd", "requests_without_known_cost", "price"),
    *("stored_answers_used_again", "their_input_tokens", "they_would_have_cost_usd"),
)
# What a spreadsheet takes for the beginning of a formula, or skips to find one.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\N{FULLWIDTH EQUALS SIGN}", "\N{FULLWIDTH PLUS SIGN}")
_MORE = ("\N{FULLWIDTH HYPHEN-MINUS}", "\N{FULLWIDTH COMMERCIAL AT}", "|", "%")


def lines(cells: Iterable[Cell]) -> Iterator[str]:
    """The file line by line; an unknown amount is an empty field, never 0."""
    yield _line(HEAD)
    for cell in cells:
        sums = cell.amounts
        yield _line(
            [
                *(cell.day.isoformat(), cell.judge, cell.asked, cell.model, cell.origin),
                *(sums.requests, sums.failed, sums.retries, sums.wrong_totals),
                *(sums.input if sums.input_told else None, sums.estimated, sums.input_unknown),
                *(sums.output if sums.output_told else None, sums.output_unknown),
                *(_decimal(cell.cost.usd), cell.cost.unknown, cell.source),
                *(sums.stored, sums.stored_input, _decimal(cell.saved.usd)),
            ]
        )


def harmless(value: object) -> object:
    """A text that a spreadsheet would run as a formula gets an apostrophe before it; numbers stay numbers."""
    if isinstance(value, str) and value.lstrip(" ").startswith((*_FORMULA, *_MORE)):
        return f"'{value}"
    return value


def _decimal(usd: object) -> object:
    return None if usd is None else f"{usd:f}"


def _line(values: Iterable[object]) -> str:
    out = io.StringIO()
    csv.writer(out).writerow([harmless(value) for value in values])
    return out.getvalue()
