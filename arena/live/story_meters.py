"""A measured value as a bar with its threshold."""

from __future__ import annotations

from dataclasses import dataclass

from arena.live import figures


@dataclass(frozen=True, slots=True)
class Meter:
    """A measured value as a bar and the threshold as a tick through it, both as CSS numbers."""

    name: str
    value: str
    text: str
    threshold: str
    fires: bool


def meter(name: str, value: float, threshold: float) -> Meter:
    """The meter fires when the value reaches the threshold."""
    return Meter(name, f"{value:.4f}", figures.probability(value), f"{threshold:.4f}", value >= threshold)
