"""Tools that take rows out of tables: filter, join, check, draw at random, find the odd ones."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from arena.worlds import records, tables
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.tables import Cell, Row
from arena.worlds.world import World

_DEFAULT_ROWS = 20
_LEAST_FOR_OUTLIERS = 5
_MAIL = re.compile(r"[^\s@]+@[^\s@.]+(\.[^\s@.]+)+")


@handler("filter_rows")
def filter_rows(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """In the order of the table, or by one column where `order_by` names it."""
    table, operator = arguments["table"], arguments["operator"]
    taken = tables.rows(world, table)
    name = tables.column(table, taken, arguments["column"])
    if operator != "empty" and "value" not in arguments:
        raise ToolError(f"The argument value is missing; the operator {operator} compares with it.")
    wanted = arguments.get("value", "")
    if operator not in ("contains", "empty") and _numeric(taken, name) and tables.number(wanted) is None:
        raise ToolError(f"The argument value is no number: {wanted!r}; the column {name} holds numbers.")
    found = [row for row in taken if tables.holds(row[name], operator, wanted)]
    if "order_by" in arguments:
        by = tables.column(table, taken, arguments["order_by"], argument="order_by")
        found.sort(key=lambda row: _sortable(row[by]), reverse=arguments.get("descending", False))
    return ToolResult(_shown(found, arguments))


@handler("join_tables")
def join_tables(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Columns of the right table get its name in front; `unmatched` keeps left rows without a partner."""
    left, right = arguments["left"], arguments["right"]
    left_rows, right_rows = tables.rows(world, left), tables.rows(world, right)
    left_column = tables.column(left, left_rows, arguments["left_column"], argument="left_column")
    right_column = tables.column(right, right_rows, arguments["right_column"], argument="right_column")
    partners: dict[Cell, list[Row]] = {}
    for row in right_rows:
        partners.setdefault(row[right_column], []).append(row)
    if arguments.get("keep", "matched") == "unmatched":
        return ToolResult(_shown([row for row in left_rows if row[left_column] not in partners], arguments))
    joined = [
        {**row, **{f"{right}.{name}": cell for name, cell in partner.items() if name != right_column}}
        for row in left_rows
        if row[left_column] is not None
        for partner in partners.get(row[left_column], ())
    ]
    return ToolResult(_shown(joined, arguments))


@handler("validate_rows")
def validate_rows(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Rows that break the rule, with the cell that does; an empty cell breaks `filled` alone."""
    table, rule = arguments["table"], arguments["rule"]
    taken = tables.rows(world, table)
    name = tables.column(table, taken, arguments["column"])
    if rule == "listed" and not arguments.get("allowed"):
        raise ToolError("The argument allowed is missing; the rule listed needs the values that are right.")
    cells = [row[name] for row in taken]
    broken = [
        row for row, good in zip(taken, _good(cells, rule, arguments.get("allowed", ())), strict=True) if not good
    ]
    key = next(iter(taken[0]))
    failing = [tables.shown_row({key: row[key], name: row[name]}) for row in broken]
    return ToolResult({"rule": rule, "checked": len(taken), **records.capped("failing", failing, 50)})


@handler("sample_rows")
def sample_rows(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Without repeats and the same for the same seed; the order is that of the table."""
    taken = tables.rows(world, arguments["table"])
    size = arguments["size"]
    if size > len(taken):
        raise ToolError(f"The argument size is {size}, but {arguments['table']} has {len(taken)} rows; ask for fewer.")
    chosen = sorted(random.Random(arguments.get("seed", 1)).sample(range(len(taken)), size))
    return ToolResult(records.capped("rows", [tables.shown_row(taken[at]) for at in chosen], size))


@handler("detect_outliers")
def detect_outliers(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Tukey's fences: outside the middle half by more than `reach` times its width, 1.5 if left out."""
    table = arguments["table"]
    taken = tables.rows(world, table)
    name = tables.column(table, taken, arguments["column"])
    values = sorted(tables.numbers(table, taken, name))
    if len(values) < _LEAST_FOR_OUTLIERS:
        raise ToolError(f"The column {name} has {len(values)} numbers; outliers need {_LEAST_FOR_OUTLIERS} at least.")
    low, high = (percentile(values, Decimal(each)) for each in (25, 75))
    reach = Decimal(str(arguments.get("reach", 1.5))) * (high - low)
    odd = [row for row in taken if row[name] is not None and not low - reach <= Decimal(str(row[name])) <= high + reach]
    fences = {"below": f"{low - reach:.2f}", "above": f"{high + reach:.2f}"}
    return ToolResult({"column": name, "fences": fences, **_shown(odd, arguments)})


def percentile(ordered: list[Decimal], percent: Decimal) -> Decimal:
    """Linear between the two nearest ranks; `ordered` ascends and is not empty, `percent` runs from 0 to 100."""
    place = (len(ordered) - 1) * percent / 100
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def _numeric(taken: list[Row], name: str) -> bool:
    return any(isinstance(row[name], int | Decimal) for row in taken)


def _sortable(cell: Cell) -> tuple[bool, Decimal, str]:
    if isinstance(cell, str) or cell is None:
        return cell is not None, Decimal(0), cell or ""
    return True, Decimal(cell), ""


def _shown(taken: list[Row], arguments: Mapping[str, Any]) -> dict[str, Any]:
    columns = arguments.get("columns")
    if columns and taken:
        for name in columns:
            tables.column("the result", taken, name, argument="columns")
        taken = [{name: row[name] for name in columns} for row in taken]
    return records.capped("rows", [tables.shown_row(row) for row in taken], arguments.get("limit", _DEFAULT_ROWS))


def _good(cells: list[Cell], rule: str, allowed: tuple[str, ...]) -> list[bool]:
    if rule == "filled":
        return [cell not in (None, "") for cell in cells]
    if rule == "unique":
        counts = Counter(cells)
        return [cell in (None, "") or counts[cell] == 1 for cell in cells]
    fits = (lambda text: text in allowed) if rule == "listed" else _RULES[rule]
    return [cell in (None, "") or fits(str(cell)) for cell in cells]


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True


_RULES: dict[str, Callable[[str], bool]] = {
    "number": lambda text: tables.number(text) is not None,
    "positive": lambda text: (tables.number(text) or 0) > 0,
    "date": _is_day,
    "mail_address": lambda text: _MAIL.fullmatch(text) is not None,
}
