"""Two-stage tool selection (seed 000, Tool selection): which categories matter, then which tool of each fits."""

from __future__ import annotations

from policy.engine.diagnostics import Diagnostics, RequestNote
from policy.engine.mode import Mode
from policy.engine.selection.questions import QUESTION_SET, question_set_digest
from policy.engine.selection.records import (
    Candidate,
    Category,
    CategoryResult,
    Chosen,
    Dropped,
    DropReason,
    Outcome,
    Pick,
    Rule,
    Selection,
    Status,
)
from policy.engine.selection.run import select_tools

__all__ = [
    "QUESTION_SET",
    "Candidate",
    "Category",
    "CategoryResult",
    "Chosen",
    "Diagnostics",
    "DropReason",
    "Dropped",
    "Mode",
    "Outcome",
    "Pick",
    "RequestNote",
    "Rule",
    "Selection",
    "Status",
    "question_set_digest",
    "select_tools",
]
