"""How good a judge is on labelled cases: read them, ask, count, with an interval on every figure."""

from __future__ import annotations

from policy.judges.quality.cases import BrokenCases, Cases, read
from policy.judges.quality.report import report
from policy.judges.quality.table import table

__all__ = ["BrokenCases", "Cases", "read", "report", "table"]
