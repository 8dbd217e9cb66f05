"""The profile that judge `gguf` brings along: time for a model on a processor, and seed 000's own thresholds.

Fitted constants make its probabilities honest; a cut on them is for whoever measures the file on cases of their own
(`/calibration/`). So nothing is tuned here but the time: some fifty questions to a model of a few hundred MB.
"""

from __future__ import annotations

from policy.engine.profile import Limits, Profile

BUDGET_MS = 120_000


def profile() -> Profile:
    """The defaults with a budget that a model on a processor can keep."""
    return Profile(name="gguf", limits=Limits(budget_ms=BUDGET_MS))
