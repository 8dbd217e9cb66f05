"""All eight thresholds over the reports of one measurement, those that two kinds share settled for both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from policy.calibration.cuts import Floats
from policy.calibration.report import Report
from policy.calibration.shared import Settled, Shared, settle
from policy.calibration.verdicts import REFUSED_BELOW, Standing
from policy.engine.profile import Thresholds

TOOLS, SKILLS = "selection", "skill"
# Which kinds of report say something of each threshold (seed 000, Thresholds).
SERVES: Mapping[str, tuple[str, ...]] = {
    "relevance": (TOOLS,),
    "selection": (TOOLS, SKILLS),
    "confidence": (TOOLS, SKILLS),
    "restriction": ("assessment",),
    "missing_information": ("assessment",),
    "task_match": ("assessment",),
    "skill": (SKILLS,),
    "model_route": ("model-route",),
}
TOLD = {TOOLS: "tools", SKILLS: "skills"}
NOT_MEASURED, NOT_IDENTIFIED = "not measured", "not identified by this set"


@dataclass(frozen=True, slots=True)
class Overall:
    """One threshold: its value in use and the one that serves every kind that reads it.

    `proposed` is None where nothing may be recommended (`reasons`), and the value in use stays. `first` to `last`
    are the values that do equally well. `joint` is None for a threshold of one kind; for a shared one it says whether
    all kinds are at their best there, and `lost` how many cases each of them gives up otherwise.
    """

    name: str
    kinds: tuple[str, ...]
    current: float
    proposed: float | None = None
    first: float | None = None
    last: float | None = None
    joint: bool | None = None
    lost: Mapping[str, float] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        """Why it stays, or how the proposed value was found."""
        if self.reasons:
            return "; ".join(self.reasons)
        if self.joint is not None:
            lost = ", ".join(f"{TOLD[kind]} {many:g}" for kind, many in self.lost.items() if many)
            best = "serves both kinds at their best"
            return best if self.joint else f"no value serves both at their best; the best sum gives up: {lost}"
        if self.name == "confidence" and TOOLS in self.kinds:
            return "by recall and size of the menu; it changes no selection"
        return "best by agreement"

    def to_json(self) -> dict[str, Any]:
        """Plain JSON; unknown is null."""
        return {**asdict(self), "kinds": list(self.kinds), "reasons": list(self.reasons)}


def overall(found: Mapping[str, Report], current: Thresholds) -> tuple[Overall, ...]:
    """Every threshold, whatever was measured; `found` are reports by their kind, swept at `current`."""
    settled = _settled(found, current)
    return tuple(_one(name, found, getattr(current, name), settled) for name in SERVES)


def _one(name: str, found: Mapping[str, Report], current: float, settled: Settled | None) -> Overall:
    kinds = tuple(kind for kind in SERVES[name] if kind in found)
    if not kinds:
        return Overall(name, kinds, current, reasons=(NOT_MEASURED,))
    moving = tuple(kind for kind in kinds if _moves(found[kind], name))
    if not moving:
        return Overall(name, kinds, current, reasons=(NOT_IDENTIFIED,))
    why = tuple(reason for kind in moving for reason in _refusals(found[kind], name, told=kind if kinds[1:] else ""))
    if settled is not None and name in ("selection", "confidence"):
        return _shared(name, found, current, settled, why)
    value, first, last = _own(found[kinds[0]], name)
    return Overall(name, kinds, current, None if why else value, first, last, reasons=why)


def _settled(found: Mapping[str, Report], current: Thresholds) -> Settled | None:
    """None where only one of the two kinds was measured, so that nothing is shared."""
    tools, skills = found.get(TOOLS), found.get(SKILLS)
    if tools is None or skills is None or tools.menu is None:
        return None
    at = np.abs(np.asarray(tools.menu.cuts) - current.selection)
    return settle(_grid(tools), _grid(skills), np.asarray(tools.menu.complete, dtype=float), prefer=int(at.argmin()))


def _shared(name: str, found: Mapping[str, Report], current: float, settled: Settled, why: tuple[str, ...]) -> Overall:
    one: Shared = getattr(settled, name)
    cuts = np.asarray(found[TOOLS].axes[0].cuts)
    values = cuts[list(one.places)]
    nearest = float(cuts[settled.at]) if name == "selection" else float(values[np.abs(values - current).argmin()])
    return Overall(
        name=name,
        kinds=(TOOLS, SKILLS),
        current=current,
        proposed=None if why else nearest,
        first=float(values[0]),
        last=float(values[-1]),
        joint=one.joint,
        lost=dict(zip((TOOLS, SKILLS), one.lost, strict=True)),
        reasons=why,
    )


def _own(report: Report, name: str) -> tuple[float, float, float]:
    """Proposed, first and last of a threshold that one kind reads here; of menus those with the best recall."""
    if (menu := report.menu) is not None and name == "confidence":
        best = [cut for cut, recall in zip(menu.cuts, menu.recall, strict=True) if recall >= max(menu.recall) - 1e-9]
        return menu.smallest, best[0], best[-1]
    axis = next(each for each in report.axes if each.name == name)
    return report.proposal.thresholds[name], axis.separation.first, axis.separation.last


def _moves(report: Report, name: str) -> bool:
    if report.menu is not None and name == "confidence":
        return report.menu.identified
    return next(each for each in report.axes if each.name == name).identified


def _refusals(report: Report, name: str, *, told: str) -> Iterator[str]:
    """Why the threshold may not be recommended, after the kind where another one reads it, too."""
    if report.menu is not None and name == "confidence":
        cases = report.proposal.cases
        few: tuple[str, ...] = (f"{cases} measured rows of {REFUSED_BELOW} that a recommendation needs",)
        reasons = few if cases < REFUSED_BELOW else ()
    else:
        verdict = next(each for each in report.axes if each.name == name).verdict
        reasons = verdict.reasons if verdict.standing is Standing.REFUSED else ()
    yield from (f"{told}: {reason}" if told else reason for reason in reasons)


def _grid(report: Report) -> Floats:
    assert report.grid is not None
    return np.asarray(report.grid, dtype=np.float64)
