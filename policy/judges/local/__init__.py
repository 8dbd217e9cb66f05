"""Judge `local`: computed probabilities from sentence vectors and word overlap, no key, no network, no download."""

from __future__ import annotations

from policy.judges.local.judge import LocalJudge

__all__ = ["LocalJudge"]
