"""The automatic check beside each other: one row per thing that was checked, one column per lane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.live import story_states
from arena.live.story_events import LaneLog
from arena.live.story_states import State


@dataclass(frozen=True, slots=True)
class Cell:
    """What one lane's check gave; `state` is "no check" where this lane has no such item."""

    letter: str
    css: str
    state: State
    got: str


@dataclass(frozen=True, slots=True)
class Item:
    """`got` stands once where all lanes say the same, else behind each letter."""

    title: str
    cells: tuple[Cell, ...]
    got: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CheckStory:
    letters: tuple[tuple[str, str], ...]
    items: tuple[Item, ...]


def tell(lanes: Sequence[LaneLog]) -> CheckStory | None:
    """None where no check ran."""
    checked = [lane for lane in lanes if lane.checked]
    if not checked:
        return None
    titles = dict.fromkeys(item["title"] for lane in checked if lane.checked for item in lane.checked["items"])
    letters = tuple((lane.letter, lane.css) for lane in lanes)
    return CheckStory(letters, tuple(_item(title, lanes) for title in titles))


def _item(title: str, lanes: Sequence[LaneLog]) -> Item:
    cells = tuple(_cell(title, lane) for lane in lanes)
    said = [(cell.letter, cell.got) for cell in cells if cell.got]
    same = len({got for _, got in said}) == 1 and len(said) == len(lanes)
    return Item(title, cells, (("", said[0][1]),) if same else tuple(said))


def _cell(title: str, lane: LaneLog) -> Cell:
    items = lane.checked["items"] if lane.checked else ()
    found = next((item for item in items if item["title"] == title), None)
    if found is None:
        return Cell(lane.letter, lane.css, story_states.NO_CHECK if lane.checked else lane.check, "")
    return Cell(lane.letter, lane.css, story_states.of_check(found["passed"], ended=True), found["got"])
