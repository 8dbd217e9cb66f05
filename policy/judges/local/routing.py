"""The limits that judge `local` brings along for the selector `top-k`."""

from __future__ import annotations

from policy.engine.routing import RoutingPolicy

# Chosen on our own 101 cases, and so not independent of them. In menus of 20 a complete acceptable set is among the
# tools in 60 of 74 cases (2.5 tools in the mean), with the defaults in 29 (0.5 tools); of the 27 cases that want a
# question or a refusal these limits withhold 3, the defaults 26. `local` spreads its probability and hardly ever
# lets asking back lead, so the selector `two-stage` is the better one where a task may be vague.
LIMITS = RoutingPolicy(top_k=4, confidence_floor=0.2, probability_floor=0.05, relevance_window=0.8, max_cost_units=10)
