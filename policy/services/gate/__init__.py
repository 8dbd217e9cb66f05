"""The gate before every tool call of an agent: loops, other policies, assessment, and nothing decided on old news."""

from __future__ import annotations

from policy.services.gate.host import Gate
from policy.services.gate.narrowing import Menu, narrowed
from policy.services.gate.rulings import PROCEED, Kind, Ruling
from policy.services.gate.settings import Settings
from policy.services.gate.snapshots import Snapshot
from policy.services.gate.statistics import Statistics

__all__ = ["PROCEED", "Gate", "Kind", "Menu", "Ruling", "Settings", "Snapshot", "Statistics", "narrowed"]
