"""The assessment of a tool call over the API."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import Field

from policy.engine.assessment import RISK_LEVELS
from policy.schemas.common import (
    AskedInSteps,
    DecisionDocument,
    DiagnosticsDocument,
    FailureDocument,
    JudgmentDocument,
    Name,
    Text,
    shown,
)

MAX_RESTRICTIONS = 200
MAX_REDACT_KEYS = 100


class AssessCall(AskedInSteps):
    """May this call be made, or must somebody be asked first?"""

    model_config = shown(
        {
            "task": "Show me the error log of last night",
            "tool": "delete_file",
            "arguments": {"path": "error.log"},
            "restrictions": ["Do not delete anything."],
        }
    )

    tool: Name
    arguments: Annotated[
        dict[str, Any],
        Field(description="Secrets in them are masked before they are sent or kept; what is too long is not sent."),
    ]
    restrictions: Annotated[
        list[Text], Field(max_length=MAX_RESTRICTIONS, description="What the person has forbidden, a sentence each.")
    ] = []
    tool_schema: Annotated[
        dict[str, Any] | None,
        Field(
            alias="schema", description="The tool's JSON Schema: a missing required argument is asked for, unjudged."
        ),
    ] = None
    include_risk: Annotated[
        bool, Field(strict=True, description="Also ask how bad a wrong call would be; never decides anything.")
    ] = False
    risk_levels: Annotated[list[Text], Field(min_length=2, max_length=10, description="The mildest first.")] = [
        *RISK_LEVELS
    ]
    redact_keys: Annotated[
        list[Name], Field(max_length=MAX_REDACT_KEYS, description="More parts of names whose values are secrets.")
    ] = []


class RiskDocument(Schema):
    """A place on the rubric, 0 to levels - 1; no percentage."""

    score: float
    confidence: float


class ValuesDocument(Schema):
    """What the judge answered; null where there is no usable answer."""

    matches_task: float | None
    missing_information: float | None
    violates_restriction: float | None
    risk: RiskDocument | None


class LossDocument(Schema):
    path: str
    kind: str


class AssessmentDocument(Schema):
    """Make the call only on `allow`. A judge that failed gives `ask` or `hold`, never `allow`."""

    status: Literal["allow", "ask", "hold", "deny", "off"]
    rule: Annotated[str | None, Field(examples=["assessment.restriction-violation"])]
    reason: str | None
    mode: str
    applied: bool
    tool: str
    signature: Annotated[str, Field(description="The same for the same call only, secrets included; 16 hex digits.")]
    restrictions: Annotated[list[str], Field(description="As they were weighed.")]
    values: ValuesDocument
    decisions: list[DecisionDocument]
    losses: Annotated[list[LossDocument], Field(description="What a judge would not have seen; then none is asked.")]
    failure: FailureDocument | None
    diagnostics: DiagnosticsDocument


class AssessmentJudgment(JudgmentDocument):
    result: AssessmentDocument
