"""Free questions, and the engine as one object: the path around a request (seed 000; spec section 8)."""

from __future__ import annotations

from policy.engine.evaluation.engines import AsyncEngine, Engine
from policy.engine.evaluation.records import Evaluation
from policy.engine.evaluation.run import evaluate
from policy.engine.rules import Rule, RuleKind

__all__ = ["AsyncEngine", "Engine", "Evaluation", "Rule", "RuleKind", "evaluate"]
