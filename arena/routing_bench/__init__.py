"""The paired offline comparison of full and lean context over our own cases (seed 002, `bench:routing`)."""

from __future__ import annotations

from arena.routing_bench.figures import summary
from arena.routing_bench.scenarios import Scenario, from_cases, scripted
from arena.routing_bench.trial import Trial, attempt

__all__ = ["Scenario", "Trial", "attempt", "from_cases", "scripted", "summary"]
