"""Charts of calibration as plain figures; the only room that knows how Plotly wants them."""

from __future__ import annotations

from policy.charts.chart import Chart

__all__ = ["Chart"]
