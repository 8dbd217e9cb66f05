"""How often the gate did what; numbers only, no value of any call."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(slots=True)
class Statistics:
    """Counts since the gate was made; asks, holds and denials only where they were applied."""

    selections: int = 0
    selection_failures: int = 0
    abstentions: int = 0
    restrictions_applied: int = 0
    assessments: int = 0
    asks: int = 0
    holds: int = 0
    denials: int = 0
    assessment_failures: int = 0
    loop_denials: int = 0
    stale_discarded: int = 0
    without_state: int = 0

    def to_json(self) -> dict[str, int]:
        return asdict(self)
