"""One chart: a title that states the finding, the figure, and the same numbers as a table.

Colours are named, not given: the script that draws reads `token:NAME` from the style sheet in force, so that a chart
follows the theme.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Figure = dict[str, Any]
UNKNOWN = "—"


@dataclass(frozen=True, slots=True)
class Chart:
    """`rows` are written cells under the heads `head`; `note` says how to read it, empty where it needs no word.

    `line` names the threshold that a line through the chart marks, `cross` the two of a heat map, `follows` the one
    whose slider moves the operating point.
    """

    key: str
    title: str
    figure: Figure
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    line: str = ""
    cross: tuple[str, str] | tuple[()] = ()
    follows: str = ""
    height: int = 280

    def to_json(self) -> dict[str, Any]:
        """For the script that draws it."""
        return {
            "key": self.key,
            "figure": self.figure,
            "line": self.line,
            "cross": list(self.cross),
            "follows": self.follows,
            "height": self.height,
        }


def token(name: str) -> str:
    """A colour of the look."""
    return f"token:{name}"


def see_through(name: str, percent: int) -> str:
    """The same colour, so many percent of it over the panel."""
    return f"token:{name}:{percent}"


def unit_axis(title: str, **more: Any) -> dict[str, Any]:
    """An axis from 0 to 1 with a number at every second tenth."""
    ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]
    return axis(title, range=[0, 1], tickvals=ticks, ticktext=["0", ".2", ".4", ".6", ".8", "1"], **more)


def share_axis(title: str, **more: Any) -> dict[str, Any]:
    """An axis of shares, written in percent."""
    return axis(title, tickformat=".0%", **more)


def axis(title: str, **more: Any) -> dict[str, Any]:
    return {
        "title": {"text": title, "standoff": 8, "font": {"size": 14, "color": token("ink-3")}},
        "gridcolor": token("grid"),
        "zeroline": False,
        "linecolor": token("edge"),
        "automargin": True,
        "fixedrange": True,
        **more,
    }


def layout(x: Mapping[str, Any], y: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """The frame that all charts have in common; text is drawn at the size at which it is shown."""
    text = {"family": "Instrument Sans, Jev Symbols, system-ui, sans-serif", "size": 14, "color": token("ink-3")}
    return {
        "font": text,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "margin": {"l": 72, "r": 16, "t": 14, "b": 48},
        "hoverlabel": {
            "bgcolor": token("panel"),
            "bordercolor": token("line"),
            "font": {**text, "color": token("ink")},
        },
        "showlegend": False,
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": -0.28,
            "yanchor": "top",
            "itemclick": False,
            "itemdoubleclick": False,
        },
        "xaxis": dict(x),
        "yaxis": dict(y),
        **more,
    }


def band(low: float, high: float, percent: int) -> dict[str, Any]:
    """A stretch of the horizontal axis, shaded over the whole height."""
    return {
        "type": "rect",
        "xref": "x",
        "yref": "paper",
        "x0": low,
        "x1": high,
        "y0": 0,
        "y1": 1,
        "layer": "below",
        "line": {"width": 0},
        "fillcolor": see_through("ink", percent),
    }


def curve(x: Sequence[float], y: Sequence[float], name: str, *, dash: str = "solid", shape: str = "linear") -> Figure:
    """A line in ink; several lines of one chart differ by their dashes."""
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": list(x),
        "y": list(y),
        "line": {"color": token("ink"), "width": 2, "dash": dash, "shape": shape},
    }


def point(x: float, y: float, name: str, *, symbol: str = "circle") -> Figure:
    """One marked point in ink with the ground around it."""
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": [x],
        "y": [y],
        "marker": {"symbol": symbol, "size": 12, "color": token("ink"), "line": {"color": token("panel"), "width": 2}},
    }


def written(value: float | None, digits: int = 2) -> str:
    """A number for a table; a dash where it is unknown."""
    return UNKNOWN if value is None else f"{value:.{digits}f}"


def percent(value: float | None) -> str:
    return UNKNOWN if value is None else f"{100 * value:.1f} %"


def cut(value: float) -> str:
    """A threshold with two decimals, without the leading zero."""
    text = f"{value:.2f}"
    return text.removeprefix("0") if value < 1 else "1"
