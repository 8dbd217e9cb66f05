"""The measured figures of a settled run, lane beside lane; the words of every difference name who is better."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from arena.live import figures
from arena.live.story_clock import percent
from arena.live.story_events import LaneLog
from arena.models import Arm, LaneState

_COMPARABLE = (LaneState.COMPLETED, LaneState.WITHHELD)
_RECALL = {1.0: "nothing needed was hidden", 0.0: "something needed was hidden"}
_BETTER = {"tokens": "lower", "ms": "shorter", "USD": "cheaper"}


@dataclass(frozen=True, slots=True)
class Cell:
    """One lane's figure. `source` says where it comes from, or why it is unknown; the bars are CSS widths."""

    letter: str
    css: str
    value: str
    source: str
    known: bool
    icon: str
    tone: str
    bar: str
    judge_bar: str


@dataclass(frozen=True, slots=True)
class Difference:
    """Of a later lane to the first: the better lane's letter (empty where neither is) and the words."""

    letter: str
    css: str
    words: str
    same: bool
    of: str


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    note: str
    cells: tuple[Cell, ...]
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Column:
    letter: str
    css: str
    title: str
    note: str


@dataclass(frozen=True, slots=True)
class MetricStory:
    """`mirrored` for a pair; with more lanes, or one, there is one line per lane and metric."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    mirrored: bool
    sample: str


@dataclass(frozen=True, slots=True)
class _Kind:
    """One row: measured name, how to write a value, the judge's share; a `rare` one is there where a lane has it."""

    name: str
    title: str
    write: Callable[[float], str]
    judge: str = ""
    rare: bool = False


def _whole(value: float) -> str:
    return figures.count(round(value))


def _time(value: float) -> str:
    return figures.seconds(value / 1000)


_NOT_MEASURED = {"value": None, "source": None, "reason": "not measured", "unit": "", "at_least": False}
_KINDS = (
    _Kind("input_tokens", "Input tokens", _whole, judge="judge_input_tokens"),
    _Kind("output_tokens", "Output tokens", _whole, judge="judge_output_tokens"),
    _Kind("working_ms", "Time working", _time, judge="judge_ms"),
    _Kind("first_token_ms", "Time to first word", _time, rare=True),
    _Kind("first_tool_ms", "Time to first call", _time, rare=True),
    _Kind("provider_wait_ms", "Waited for the provider", _time, rare=True),
    _Kind("tool_calls", "Tool calls", _whole),
    _Kind("tools_exposed", "Tools seen", _whole),
)
_COST = _Kind("cost", "Cost", figures.money, judge="judge_cost")
_COSTS = (
    _Kind("cost", "Cost as billed", figures.money, judge="judge_cost"),
    _Kind("cost_uncached", "Cost without a cache", figures.money, judge="judge_cost"),
    _Kind("cost_perfect_cache", "Cost with a perfect cache", figures.money, judge="judge_cost"),
)


def tell(lanes: Sequence[LaneLog], *, complete: bool) -> MetricStory | None:
    """None while nothing is measured. Lanes of a run that is not complete stand side by side, uncompared."""
    if not any(lane.metrics for lane in lanes):
        return None
    kinds = (*_shown(lanes), *_costs(lanes))
    rows = [_check_row(lanes), *(_row(kind, lanes) for kind in kinds), _recall_row(lanes), *_gate_rows(lanes)]
    if not complete:
        apart = tuple(_none(lane, "not compared") for lane in lanes[1:])
        rows = [replace(row, differences=apart) for row in rows]
    columns = tuple(Column(lane.letter, lane.css, lane.arm_title, _no_result(lane)) for lane in lanes)
    sample = "n = 1 pair, lower is better" if len(lanes) == 2 else "n = 1 run, lower is better"
    return MetricStory(columns, tuple(rows), len(lanes) == 2, sample)


def _shown(lanes: Sequence[LaneLog]) -> list[_Kind]:
    return [kind for kind in _KINDS if not kind.rare or any(lane.measured(kind.name) for lane in lanes)]


def _costs(lanes: Sequence[LaneLog]) -> tuple[_Kind, ...]:
    """The three models of the cache; one row where they say the same of every lane, none for a run of older days."""
    if not any("cost" in lane.metrics for lane in lanes):
        return ()
    alike = all(len({str(_metric(lane, kind.name)["value"]) for kind in _COSTS}) == 1 for lane in lanes)
    return (_COST,) if alike else _COSTS


def comparable(lane: LaneLog) -> bool:
    """Whether a lane came to an end whose figures stand for the whole of its work.

    A control without a menu has done nothing, and nothing is not less than something.
    """
    idle = lane.state == LaneState.WITHHELD and Arm(lane.arm).is_control
    return lane.state in _COMPARABLE and not idle


def _no_result(lane: LaneLog) -> str:
    if comparable(lane):
        return ""
    return lane.message or f"the lane is {lane.state}"


def _metric(lane: LaneLog, name: str) -> Mapping[str, Any]:
    return lane.metrics.get(name, _NOT_MEASURED)


def _row(kind: _Kind, lanes: Sequence[LaneLog]) -> Row:
    most = max((lane.measured(kind.name) or 0 for lane in lanes), default=0)
    cells = tuple(_cell(kind, lane, most) for lane in lanes)
    return Row(kind.title, _note(kind, lanes), cells, tuple(_difference(kind, lanes[0], lane) for lane in lanes[1:]))


def _note(kind: _Kind, lanes: Sequence[LaneLog]) -> str:
    if kind.name != "tool_calls":
        return ""
    refused = [(lane.letter, int(lane.measured("rejected_calls") or 0)) for lane in lanes]
    return ", ".join(f"{number} of {letter}’s refused" for letter, number in refused if number)


def _cell(kind: _Kind, lane: LaneLog, most: float) -> Cell:
    metric = _metric(lane, kind.name)
    value = metric["value"]
    if value is None or (lane.state == LaneState.WITHHELD and not comparable(lane)):
        # Why a lane has no result at all stands once, under its letter.
        return _plain(lane, figures.UNKNOWN, metric["reason"] if comparable(lane) else "no result", known=False)
    judge = (lane.measured(kind.judge) or 0) if kind.judge and lane.arm == Arm.SELECTED else 0
    whole = most or 1
    at_least = f"{figures.AT_LEAST}{figures.GAP}" if metric["at_least"] else ""
    return Cell(
        letter=lane.letter,
        css=lane.css,
        value=at_least + kind.write(value),
        source=_source(kind, lane, value, judge),
        known=True,
        icon="",
        tone="",
        bar=percent((value - judge) / whole) if value > judge else "",
        judge_bar=percent(judge / whole) if judge and most else "",
    )


def _plain(lane: LaneLog, value: str, source: str, *, known: bool = True, icon: str = "", tone: str = "") -> Cell:
    return Cell(lane.letter, lane.css, value, source, known, icon, tone, "", "")


def _source(kind: _Kind, lane: LaneLog, value: float, judge: float) -> str:
    how = _how(_metric(lane, kind.name)["source"])
    if _metric(lane, kind.name)["unit"] == "USD":
        return _priced(kind, lane, judge)
    if judge and kind.judge == "judge_ms":
        return f"{how}, {kind.write(judge)} of it judge"
    if judge and lane.state == LaneState.WITHHELD:
        return f"the agent was not started; judge, {_how(_metric(lane, kind.judge)['source'])}"
    if judge:
        judged = _how(_metric(lane, kind.judge)["source"])
        return f"{kind.write(value - judge)} {how} + {kind.write(judge)} judge, {judged}"
    if kind.judge and lane.arm == Arm.SHADOW and (apart := lane.measured(kind.judge)):
        return f"{how}; judge apart, {kind.write(apart)}"
    return how


def _priced(kind: _Kind, lane: LaneLog, judge: float) -> str:
    """Where the price is from, and the judge's part of it; a control that borrows a size pays for no judge."""
    table = lane.prices.get("agent", "")
    apart = lane.measured(kind.judge) if lane.arm == Arm.SHADOW else None
    if judge:
        return f"{kind.write(judge)} of it judge; {table}"
    return f"{table}; judge apart, {kind.write(apart)}" if apart else table


def _how(source: str | None) -> str:
    return "est." if source == "estimated" else source or ""


def _difference(kind: _Kind, first: LaneLog, other: LaneLog) -> Difference:
    one, two = first.measured(kind.name), other.measured(kind.name)
    if one is None or two is None:
        return _none(other, "no difference, one side unknown")
    if LaneState.WITHHELD in (first.state, other.state) and not (comparable(first) and comparable(other)):
        return _none(other, "not compared")
    if kind.write(one) == kind.write(two):
        return Difference("", "", "same", True, other.letter)
    better = other if two < one else first
    low, high = sorted((one, two))
    unit = _metric(other, kind.name)["unit"]
    change = figures.share(low - high, high)
    amount = kind.write(high - low)
    words = f"{_BETTER[unit]} by {amount} ({change})" if unit in _BETTER else f"{amount} fewer"
    return Difference(better.letter, better.css, words, False, other.letter)


def _none(lane: LaneLog, words: str) -> Difference:
    return Difference("", "", words, False, lane.letter)


def _check_row(lanes: Sequence[LaneLog]) -> Row:
    differences = tuple(_check_difference(lanes[0], other) for other in lanes[1:])
    return Row("Automatic check", "", tuple(map(_check_cell, lanes)), differences)


def _check_cell(lane: LaneLog) -> Cell:
    state, source = lane.check, "menu withheld" if lane.state == "withheld" else ""
    return _plain(lane, state.word, source, icon=state.icon, tone=state.tone)


def _check_difference(first: LaneLog, other: LaneLog) -> Difference:
    if not (first.checked and other.checked):
        return _none(other, "no difference, one side unknown")
    if first.checked["passed"] == other.checked["passed"]:
        return Difference("", "", "same", True, other.letter)
    better = first if first.checked["passed"] else other
    return Difference(better.letter, better.css, "better", False, other.letter)


def _recall_row(lanes: Sequence[LaneLog]) -> Row:
    differences = tuple(_none(lane, _recall_words(lane)) for lane in lanes[1:])
    return Row("Needed tools in the menu", "more is better", tuple(map(_recall_cell, lanes)), differences)


def _recall_cell(lane: LaneLog) -> Cell:
    if Arm(lane.arm).sees_everything:
        return _plain(lane, figures.UNKNOWN, f"{lane.letter} hides nothing", known=False)
    metric = _metric(lane, "recall_at_menu")
    if lane.menu is None:
        return _plain(lane, figures.UNKNOWN, "no result", known=False)
    if metric["value"] is None:
        return _plain(lane, figures.UNKNOWN, metric["reason"], known=False)
    return _plain(lane, "all" if metric["value"] >= 1 else "not all", "computed")


def _recall_words(lane: LaneLog) -> str:
    hides = not Arm(lane.arm).sees_everything and lane.menu is not None
    share = lane.measured("recall_at_menu") if hides else None
    return "" if share is None else _RECALL[float(share >= 1)]


def _gate_rows(lanes: Sequence[LaneLog]) -> tuple[Row, ...]:
    """How much of what was executed the gate saw; no row where no lane had one."""
    if not any("gate_decisions" in lane.metrics for lane in lanes):
        return ()
    differences = tuple(_none(lane, "") for lane in lanes[1:])
    return (Row("Gate coverage", "more is better", tuple(map(_gate_cell, lanes)), differences),)


def _gate_cell(lane: LaneLog) -> Cell:
    metric = _metric(lane, "gate_coverage")
    if metric["value"] is None:
        return _plain(lane, figures.UNKNOWN, metric["reason"], known=False)
    refused, asked = lane.measured("gate_refused") or 0, lane.measured("gate_asked") or 0
    seen = figures.plural(round(lane.measured("gate_decisions") or 0), "decision")
    more = [f"{refused:.0f} refused" if refused else "", f"{asked:.0f} asked" if asked else ""]
    whole = metric["value"] >= 1
    said = ", ".join(filter(None, [seen, *more]))
    return _plain(lane, f"{metric['value']:.0%}", said, icon="" if whole else "bad", tone="" if whole else "bad")
