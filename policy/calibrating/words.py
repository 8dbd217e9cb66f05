"""How the calibration pages write numbers and names of thresholds."""

from __future__ import annotations

from collections.abc import Mapping

from policy.calibration.verdicts import Standing
from policy.measurements.models import MeasurementState

UNKNOWN = "—"
# Icon and tone of the shared look, by what is said.
STATES: Mapping[str, tuple[str, str]] = {
    MeasurementState.QUEUED: ("queued", "off"),
    MeasurementState.MEASURING: ("running", ""),
    MeasurementState.COMPLETE: ("good", "ok"),
    MeasurementState.PARTIAL: ("partial", "ask"),
    MeasurementState.FAILED: ("bad", "bad"),
    MeasurementState.STOPPED: ("stopped", "off"),
}
STANDINGS: Mapping[str, tuple[str, str]] = {
    Standing.OK: ("good", "ok"),
    Standing.PROVISIONAL: ("partial", "ask"),
    Standing.REFUSED: ("lock", "off"),
}
KINDS = {
    "assessment": "assessment",
    "selection": "selection of tools",
    "skill": "skill",
    "model-route": "model route",
    "generic": "own question",
}
DECISIONS = {
    "allow": ("allow", "ok"),
    "ask": ("asking", "ask"),
    "deny": ("deny", "bad"),
    "hold": ("hold", "ask"),
}


def threshold(name: str) -> str:
    """`missing_information` as people read it."""
    return name.replace("_", " ")


def camel(name: str) -> str:
    """The name of a threshold in a profile's document."""
    first, *rest = name.split("_")
    return first + "".join(each.title() for each in rest)


def share(value: float | None) -> str:
    """A threshold or probability with two decimals, without the leading zero."""
    if value is None:
        return UNKNOWN
    text = f"{value:.2f}"
    return text.removeprefix("0") if 0 <= value < 1 else text.removesuffix(".00")


def percent(value: float | None) -> str:
    return UNKNOWN if value is None else f"{100 * value:.1f} %"


def points(value: float | None) -> str:
    """A difference of shares."""
    return UNKNOWN if value is None else f"{100 * value:.1f} points"


def span(low: float, high: float) -> str:
    """`.44 to .72`; one value where both ends are the same."""
    return share(low) if share(low) == share(high) else f"{share(low)} to {share(high)}"


def duration(seconds: float | None) -> str:
    """`3 min 5 s`; a dash where it is not known yet."""
    if seconds is None:
        return UNKNOWN
    whole = round(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60} min {whole % 60} s"


def place(counted: tuple[str, int]) -> int:
    """Where a kind stands in lists: in the order of `KINDS`, on every page."""
    return list(KINDS).index(counted[0])


def kind(name: str) -> str:
    """A kind, or the question of somebody's own rows, in words."""
    return KINDS.get(name, name)
