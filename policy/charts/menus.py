"""What the threshold `confidence` does to menus: the share of expected tools that are visible, against their number."""

from __future__ import annotations

from policy.calibration.report import Menu, Report
from policy.charts.chart import UNKNOWN, Chart, axis, curve, cut, layout, percent, share_axis, unit_axis

NAME = "confidence"
EVERY = 5


def menus(report: Report) -> Chart | None:
    """Recall and mean size of the visible menu along `confidence`; None for a kind that has no menus."""
    if (menu := report.menu) is None:
        return None
    cases = report.proposal.cases
    size = {**curve(menu.cuts, menu.size, "tools visible", dash="dot", shape="vh"), "yaxis": "y2"}
    frame = layout(
        unit_axis("threshold confidence"),
        share_axis("expected tools visible", range=[max(min(menu.recall) - 0.05, 0), 1.02], automargin=False),
        margin={"l": 72, "r": 64, "t": 14, "b": 48},
        showlegend=True,
        yaxis2=axis(
            "tools visible", overlaying="y", side="right", rangemode="tozero", showgrid=False, nticks=6, tickmode="auto"
        ),
    )
    rows = tuple(
        (cut(menu.cuts[at]), percent(menu.recall[at]), f"{menu.complete[at]} of {cases}", f"{menu.size[at]:.2f}")
        for at in range(0, len(menu.cuts), EVERY)
    )
    return Chart(
        f"menu-{NAME}",
        finding(menu),
        {"data": [curve(menu.cuts, menu.recall, "expected tools visible", shape="vh"), size], "layout": frame},
        ("threshold", "expected tools visible", "cases with all of them", "tools visible, mean"),
        rows,
        "Confidence never changes what is selected, only which menus are expanded; the other thresholds as in use.",
        line=NAME,
        height=340,
    )


def finding(menu: Menu) -> str:
    """What the curve shows, in a sentence."""
    if not menu.identified:
        return "Confidence is not identified by this set: moving it changes no menu"
    best = menu.cuts.index(menu.smallest) if menu.smallest in menu.cuts else -1
    recall = percent(menu.recall[best]) if best >= 0 else UNKNOWN
    size = f"{menu.size[best]:.1f}" if best >= 0 else UNKNOWN
    return f"{cut(menu.smallest)} is the lowest confidence with the best recall: {recall} visible in {size} tools"
