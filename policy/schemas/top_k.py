"""The selector `top-k` over the API."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import Field, WithJsonSchema

from policy.engine.routing import MAX_TOOLS, RoutingPolicy
from policy.schemas.common import Asked, DiagnosticsDocument, FailureDocument, JudgmentDocument, Name, closed, shown

_PROPERTY = {
    "type": "object",
    "required": ["type", "description"],
    "properties": {"type": {"enum": ["string", "number", "boolean"]}, "description": {"type": "string"}},
}
_INPUT = closed(
    {
        "type": {"enum": ["object"]},
        "properties": {"type": "object", "additionalProperties": _PROPERTY},
        "required": {"type": "array", "items": {"type": "string"}},
        "additionalProperties": {"enum": [False]},
    }
)
_TOOL = closed(
    {
        "id": {"type": "string", "pattern": "^[a-z][a-z0-9_]{0,63}$"},
        "kind": {"enum": ["tool", "subagent"]},
        "description": {"type": "string"},
        "estimatedCostUnits": {"type": "number", "minimum": 0, "description": "Relative units per use, not money."},
        "inputSchema": {**_INPUT, "description": "Closed and flat: no nested objects, no lists."},
    }
)
_UNIT = {"type": "number", "minimum": 0, "maximum": 1}
_POLICY = closed(
    {
        "topK": {"type": "integer", "minimum": 1, "maximum": MAX_TOOLS},
        "confidenceFloor": _UNIT,
        "probabilityFloor": _UNIT,
        "relevanceWindow": {**_UNIT, "description": "How far below the best tool another may be."},
        "maxCostUnits": {"type": "number", "minimum": 0, "description": "Of one tool, not of all together."},
    }
)

# All three are read by the engine, whose refusals name the tool and the cause.
ToolIn = Annotated[dict[str, Any], WithJsonSchema({**_TOOL, "required": list(_TOOL["properties"])})]
PolicyIn = Annotated[dict[str, Any], WithJsonSchema({**_POLICY, "required": list(_POLICY["properties"])})]
Needs = Annotated[list[Name], Field(max_length=MAX_TOOLS)]

_READ = {
    "id": "read_file",
    "kind": "tool",
    "description": "Reads a file.",
    "estimatedCostUnits": 1,
    "inputSchema": {
        "type": "object",
        "properties": {"path": {"type": "string", "description": "Which file."}},
        "required": ["path"],
        "additionalProperties": False,
    },
}


class SelectTopK(Asked):
    """Which of these tools does this task need, and which is cheapest among those that fit?"""

    model_config = shown({"task": "Show me the error log of last night", "catalog": [_READ]})

    catalog: Annotated[list[ToolIn], Field(max_length=MAX_TOOLS)]
    available_ids: Annotated[
        list[Name] | None,
        Field(max_length=MAX_TOOLS, description="What can be used now; no other is sent. null: the whole catalog."),
    ] = None
    dependencies: Annotated[
        dict[Name, Needs],
        Field(max_length=MAX_TOOLS, description="Tool id to the tools that it needs; all of them come along, or none."),
    ] = {}
    policy: Annotated[PolicyIn | None, Field(description=f"null: the starting values {RoutingPolicy().to_json()}.")] = (
        None
    )
    model: Annotated[Name | None, Field(description="The model that has to answer; null: any.")] = None

    def policy_to_engine(self) -> RoutingPolicy:
        return RoutingPolicy() if self.policy is None else RoutingPolicy.from_json(self.policy)


class RoutedDocument(Schema):
    id: str
    probability: float
    cost_units: float


class NotRoutedDocument(Schema):
    id: str
    reason: str
    probability: float | None
    cost_units: float | None = None


class EvidenceDocument(Schema):
    model: str
    choice: str
    confidence: float
    probabilities: dict[str, float]


class BundleDocument(Schema):
    """The selected tools with all that they need, or nothing."""

    status: Literal["ready", "withheld"]
    rootIds: list[str]
    prerequisiteIds: list[str]
    blockedIds: list[str]
    loadedIds: Annotated[list[str], Field(description="What to offer, in catalog order.")]
    estimatedCostUnits: float
    rule: str
    reason: str


class RoutingPolicyDocument(Schema):
    topK: int
    confidenceFloor: float
    probabilityFloor: float
    relevanceWindow: float
    maxCostUnits: float


class LeftOutDocument(Schema):
    id: str
    reason: str


class TopKDocument(Schema):
    """Offer `bundle.loadedIds` only where `applied`; on any other outcome keep your own set, or withhold."""

    selector: Literal["top-k"]
    status: Literal["selected", "abstained", "fallback", "off"]
    outcome: Literal["selected", "needs_clarification", "no_match", "unavailable"]
    rule: str
    reason: str
    mode: str
    applied: bool
    selected: Annotated[list[RoutedDocument], Field(description="Cheapest first, without what they need.")]
    dropped: list[NotRoutedDocument]
    evidence: EvidenceDocument | None
    clarification: Annotated[float | None, Field(description="Probability that the task has to be asked about.")]
    policy: RoutingPolicyDocument
    bundle: BundleDocument
    left_out: list[LeftOutDocument]
    narrowed: list[LeftOutDocument] = []
    failure: FailureDocument | None
    diagnostics: DiagnosticsDocument


class TopKJudgment(JudgmentDocument):
    result: TopKDocument
