"""Tools that reckon over tables: groups, a percentile, a cross table, two periods side by side."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from arena.worlds import dates, records, tables
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.tables import Cell, Row
from arena.worlds.tools.data import percentile
from arena.worlds.world import World

_CENT = Decimal("0.01")


@handler("group_and_sum")
def group_and_sum(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Largest figure first; `count` needs no column of numbers, the others do."""
    table, taken = arguments["table"], tables.rows(world, arguments["table"])
    by = tables.column(table, taken, arguments["group_by"], argument="group_by")
    measure = _Measure(table, taken, arguments)
    groups: dict[Cell, list[Row]] = {}
    for row in taken:
        groups.setdefault(row[by], []).append(row)
    rows = [{by: group, "rows": len(members), measure.title: measure.of(members)} for group, members in groups.items()]
    rows.sort(key=lambda row: -Decimal(str(row[measure.title] or 0)))
    whole = {"rows": len(taken), measure.title: measure.of(taken)}
    return ToolResult({**records.capped("groups", rows, 50), "all": whole})


@handler("column_percentile")
def column_percentile(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Linear between the nearest ranks, to two decimals."""
    table, taken = arguments["table"], tables.rows(world, arguments["table"])
    name = tables.column(table, taken, arguments["column"])
    values = sorted(tables.numbers(table, taken, name))
    if not values:
        raise ToolError(f"The column {name} of {table} holds no number; choose another one.")
    value = percentile(values, Decimal(str(arguments["percent"])))
    return ToolResult(
        {
            "column": name,
            "percent": arguments["percent"],
            "value": str(value.quantize(_CENT)),
            "of": len(values),
            "lowest": tables.shown_number(values[0]),
            "highest": tables.shown_number(values[-1]),
        }
    )


@handler("pivot_table")
def pivot_table(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """One line per value of `down`, one column per value of `across`; a field without rows is None."""
    table, taken = arguments["table"], tables.rows(world, arguments["table"])
    down = tables.column(table, taken, arguments["down"], argument="down")
    across = tables.column(table, taken, arguments["across"], argument="across")
    if down == across:
        raise ToolError(f"The arguments down and across are both {down}; name two different columns.")
    measure = _Measure(table, taken, arguments)
    heads = sorted({str(row[across]) for row in taken})
    fields: dict[str, dict[str, list[Row]]] = {}
    for row in taken:
        fields.setdefault(str(row[down]), {}).setdefault(str(row[across]), []).append(row)
    lines = [
        {down: name, **{head: measure.of(cells[head]) if head in cells else None for head in heads}}
        for name, cells in sorted(fields.items())
    ]
    return ToolResult({"measure": measure.title, "across": across, "columns": heads, "lines": lines})


@handler("compare_periods")
def compare_periods(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """The same figure for two spans of days, both included, their difference and the change in percent."""
    table, taken = arguments["table"], tables.rows(world, arguments["table"])
    when = tables.column(table, taken, arguments["date_column"], argument="date_column")
    _refuse_no_dates(taken, when)
    measure = _Measure(table, taken, arguments)
    found = []
    for which in ("first", "second"):
        span = dates.span(arguments, f"{which}_since", f"{which}_until")
        members = [row for row in taken if row[when] and span.holds(str(row[when]))]
        found.append({"rows": len(members), measure.title: measure.of(members)})
    before, after = (Decimal(str(each[measure.title] or 0)) for each in found)
    percent = str(((after - before) / before * 100).quantize(Decimal("0.1"))) if before else None
    difference = tables.shown_number(after - before)
    return ToolResult({"first": found[0], "second": found[1], "difference": difference, "change_percent": percent})


class _Measure:
    """What is reckoned over a group of rows: how many, or a figure of one column; raises ToolError."""

    def __init__(self, table: str, taken: list[Row], arguments: Mapping[str, Any]) -> None:
        self.table = table
        self.figure = arguments.get("figure", "count")
        self.column = arguments.get("column")
        if self.figure != "count":
            if self.column is None:
                raise ToolError(f"The argument column is missing; {self.figure} is reckoned over a column of numbers.")
            tables.numbers(table, taken, tables.column(table, taken, self.column))

    @property
    def title(self) -> str:
        return "count" if self.figure == "count" else f"{self.figure} of {self.column}"

    def of(self, members: list[Row]) -> int | str | None:
        values = tables.numbers(self.table, members, self.column) if self.column and self.figure != "count" else []
        return tables.figure(self.figure, values, len(members))


def _refuse_no_dates(taken: list[Row], name: str) -> None:
    for row in taken:
        try:
            if row[name] is not None:
                dates.parse(str(row[name]))
        except ValueError:
            cause = f"The argument date_column holds no dates: {name}"
            raise ToolError(f"{cause}; name a column like placed_on or opened_at.") from None
