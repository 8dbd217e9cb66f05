"""The limits that judge `local` brings along for the selector `top-k`."""

from __future__ import annotations

from policy.engine.routing import RoutingPolicy

# Chosen on our own 101 cases, and so not independent of them: in menus of 20 a complete acceptable set is among the
# tools in 57 of 74 cases with these limits and in 26 with the defaults, at 2.6 and 0.5 tools in the mean.
# `local` spreads its probability wide, so its best choice is seldom as sure as the defaults ask for.
LIMITS = RoutingPolicy(top_k=4, confidence_floor=0.2, probability_floor=0.05, relevance_window=0.8, max_cost_units=10)
