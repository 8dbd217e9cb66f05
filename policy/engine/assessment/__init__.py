"""Tool-call assessment (seed 000, Tool-call assessment): may this call be made, or must somebody be asked."""

from __future__ import annotations

from policy.engine.assessment.records import Assessment, Risk, Rule, Status, Values
from policy.engine.assessment.run import QUESTION_SET, assess_call, question_set_digest
from policy.engine.call_questions import RISK_LEVELS

__all__ = [
    "QUESTION_SET",
    "RISK_LEVELS",
    "Assessment",
    "Risk",
    "Rule",
    "Status",
    "Values",
    "assess_call",
    "question_set_digest",
]
