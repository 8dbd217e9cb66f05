"""Model routing (seed 000, Model routing): which of the configured models fits a task, and whether it is there."""

from __future__ import annotations

from policy.engine.model_routing.records import (
    Dropped,
    DropReason,
    ModelRouting,
    Route,
    RouteClass,
    Rule,
    Status,
    Target,
)
from policy.engine.model_routing.run import KEEP, QUESTION, QUESTION_SET, question_set_digest, route_model

__all__ = [
    "KEEP",
    "QUESTION",
    "QUESTION_SET",
    "DropReason",
    "Dropped",
    "ModelRouting",
    "Route",
    "RouteClass",
    "Rule",
    "Status",
    "Target",
    "question_set_digest",
    "route_model",
]
