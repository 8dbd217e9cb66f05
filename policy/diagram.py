"""A reliability diagram as places on a square, for an SVG that the server writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# Pixels, shown as drawn: the plot, and the room for labels left of and below it.
SIDE = 208
LEFT = 44
TOP = 12
BOTTOM = 44
RIGHT = 20
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class Point:
    """One bin: where it stands, the ends of its interval, and what it says in words."""

    x: float
    y: float
    top: float
    bottom: float
    stated: str
    true: str
    interval: str
    n: int


@dataclass(frozen=True, slots=True)
class Tick:
    x: float
    y: float
    label: str


@dataclass(frozen=True, slots=True)
class Diagram:
    points: tuple[Point, ...]
    ticks: tuple[Tick, ...]
    width: int = LEFT + SIDE + RIGHT
    height: int = TOP + SIDE + BOTTOM
    left: int = LEFT
    right: int = LEFT + SIDE
    top: int = TOP
    bottom: int = TOP + SIDE

    @property
    def line(self) -> str:
        """The bins joined, for a polyline."""
        return " ".join(f"{point.x},{point.y}" for point in self.points)

    @property
    def finding(self) -> str:
        """What the diagram shows, in one sentence: in how many bins the true share is within reach of the stated."""
        inside = sum(point.top <= _y_of(point.x) <= point.bottom for point in self.points)
        return (
            f"In {inside} of {len(self.points)} groups the stated probability is within the interval of what came true"
        )


def reliability(bins: Sequence[Mapping[str, Any]]) -> Diagram:
    """Stated probability from left to right, share that came true from bottom to top."""
    ticks = tuple(Tick(_x(each), _y(each), _number(each)) for each in TICKS)
    return Diagram(tuple(_point(each) for each in bins), ticks)


def _point(found: Mapping[str, Any]) -> Point:
    true = found["true"]
    return Point(
        x=_x(found["stated"]),
        y=_y(true["value"]),
        top=_y(true["high"]),
        bottom=_y(true["low"]),
        stated=_number(found["stated"]),
        true=_number(true["value"]),
        interval=f"{_number(true['low'])} to {_number(true['high'])}",
        n=true["n"],
    )


def _x(share: float) -> float:
    return round(LEFT + share * SIDE, 1)


def _y(share: float) -> float:
    return round(TOP + (1 - share) * SIDE, 1)


def _y_of(x: float) -> float:
    """The height of the diagonal above a place."""
    return _y((x - LEFT) / SIDE)


def _number(share: float) -> str:
    return f"{share:.2f}".removeprefix("0") if share < 1 else "1"
