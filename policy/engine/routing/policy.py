"""The host's limits on a routing: how sure, how probable, how close to the best and how dear a tool may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from policy.engine.plain import is_number, is_record, is_unit
from policy.engine.routing.catalog import MAX_TOOLS
from policy.engine.routing.faults import Fault, RoutingRefused

_WIRE = {
    "topK": "top_k",
    "confidenceFloor": "confidence_floor",
    "probabilityFloor": "probability_floor",
    "relevanceWindow": "relevance_window",
    "maxCostUnits": "max_cost_units",
}


@dataclass(frozen=True, slots=True)
class RoutingPolicy:
    """Floors and window in [0, 1], `max_cost_units` per tool and not a running budget; a value at a limit passes.

    The defaults are the demonstration values of seed 002: starting points, not calibrated ones.
    """

    top_k: int = 1
    confidence_floor: float = 0.7
    probability_floor: float = 0.2
    relevance_window: float = 0.1
    max_cost_units: float = 10

    def __post_init__(self) -> None:
        if not is_number(self.top_k) or self.top_k != int(self.top_k) or not 1 <= self.top_k <= MAX_TOOLS:
            raise _refused("topK", f"a whole number from 1 to {MAX_TOOLS}", self.top_k)
        object.__setattr__(self, "top_k", int(self.top_k))
        for wire, name in list(_WIRE.items())[1:4]:
            if not is_unit(getattr(self, name)):
                raise _refused(wire, "a number in [0, 1]", getattr(self, name))
        if not is_number(self.max_cost_units) or self.max_cost_units < 0:
            raise _refused("maxCostUnits", "a number, 0 or more", self.max_cost_units)

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Read the wire form; all five limits must be there and nothing else."""
        if not is_record(value) or value.keys() != _WIRE.keys():
            given = (", ".join(value) or "none") if is_record(value) else type(value).__name__
            wanted = ", ".join(_WIRE)
            raise RoutingRefused(Fault.POLICY, f"a routing policy has exactly the keys {wanted}; got {given:.200}")
        return cls(**{name: value[wire] for wire, name in _WIRE.items()})

    def to_json(self) -> dict[str, Any]:
        return {wire: getattr(self, name) for wire, name in _WIRE.items()}


def _refused(wire: str, wanted: str, given: object) -> RoutingRefused:
    return RoutingRefused(Fault.POLICY, f'routing limit "{wire}" must be {wanted}; got {given!r:.80}')
