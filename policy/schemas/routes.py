"""Routing a task to a model or to a skill over the API."""

from __future__ import annotations

from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field

from policy.engine.model_routing import Route, Target
from policy.engine.skill_routing import Skill
from policy.engine.skill_routing.run import MAX_DESCRIPTION_CHARS
from policy.schemas.common import (
    AskedInSteps,
    DiagnosticsDocument,
    FailureDocument,
    JudgmentDocument,
    Name,
    Strict,
    Text,
    shown,
)

MAX_TARGETS = 1_000
MAX_SKILLS = 1_000


class TargetIn(Strict):
    """A model at a provider; two targets are the same when both names are."""

    provider: Annotated[Name, Field(min_length=1, examples=["acme"])]
    model: Annotated[Name, Field(min_length=1, examples=["acme-large"])]

    def to_engine(self) -> Target:
        return Target(self.provider, self.model)


class RouteIn(TargetIn):
    """What a class stands for."""

    description: Annotated[
        Text | None, Field(description="What the class is good for; the first 200 code points are sent.")
    ] = None

    def to_route(self) -> Route:
        return Route(self.to_engine(), self.description)


class RoutesIn(Strict):
    """The classes that can be offered; one without a target is not."""

    fast: RouteIn | None = None
    balanced: RouteIn | None = None
    reasoning: RouteIn | None = None

    def to_engine(self) -> dict[str, Route | None]:
        given: dict[str, RouteIn | None] = {name: getattr(self, name) for name in self.model_fields_set}
        return {name: None if route is None else route.to_route() for name, route in given.items()}


class RouteModel(AskedInSteps):
    """Which of your models fits this task?"""

    model_config = shown(
        {
            "task": "Prove that the two functions are equal",
            "routes": {
                "fast": {"provider": "acme", "model": "small"},
                "reasoning": {"provider": "acme", "model": "large", "description": "Long proofs and hard bugs."},
            },
            "default_target": {"provider": "acme", "model": "small"},
            "available": [{"provider": "acme", "model": "small"}, {"provider": "acme", "model": "large"}],
        }
    )

    routes: RoutesIn
    default_target: Annotated[TargetIn, Field(description="What is used now, and kept unless a route is taken.")]
    available: Annotated[
        list[TargetIn],
        Field(
            max_length=MAX_TARGETS,
            description="What can be reached at this moment; no other target is ever given back as a route.",
        ),
    ]


class SkillIn(Strict):
    """What is known of a skill before it is loaded; its body is never sent."""

    name: Annotated[Name, Field(examples=["release-notes"])]
    description: Text | None = None
    when_to_use: Text | None = None

    def to_engine(self) -> Skill:
        return Skill(self.name, self.description, self.when_to_use)


class RouteSkill(AskedInSteps):
    """Does this turn need one of these skills?"""

    model_config = shown(
        {
            "task": "Write the notes of the release",
            "candidates": [{"name": "release-notes", "description": "Writes release notes."}],
        }
    )

    candidates: Annotated[
        list[SkillIn],
        Field(
            max_length=MAX_SKILLS,
            description="The first `maxSkills` of the profile are offered.",
        ),
    ]
    max_description_chars: Annotated[
        int,
        Field(
            alias="maxDescriptionChars",
            strict=True,
            ge=1,
            le=10_000,
            description="Code points of a description and of a when-to-use text that are sent, each.",
        ),
    ] = MAX_DESCRIPTION_CHARS
    routing_hints: Annotated[
        dict[Name, Text],
        Field(alias="routingHints", max_length=MAX_SKILLS, description="Skill name to text for its when-to-use."),
    ] = {}


class TargetDocument(Schema):
    provider: str
    model: str


class DroppedRouteDocument(Schema):
    route: str
    reason: str


class ModelRoutingDocument(Schema):
    """`target` is the default one unless the status is `routed`; change your model only where `applied`."""

    status: Literal["routed", "fallback", "off"]
    rule: Annotated[str, Field(examples=["model.routed"])]
    reason: str
    mode: str
    applied: bool
    route: Literal["fast", "balanced", "reasoning"] | None
    target: TargetDocument
    choice: str | None
    probability: float | None
    confidence: float | None
    probabilities: dict[str, float]
    dropped: list[DroppedRouteDocument]
    failure: FailureDocument | None
    diagnostics: DiagnosticsDocument


class ModelJudgment(JudgmentDocument):
    result: ModelRoutingDocument


class DroppedSkillDocument(Schema):
    name: str
    reason: str


class SkillRoutingDocument(Schema):
    """`skill` is null unless the status is `selected`; show the hint to your model only where `applied`."""

    status: Literal["selected", "none", "fallback", "off"]
    rule: Annotated[str, Field(examples=["skill.selected"])]
    reason: str
    mode: str
    applied: bool
    skill: str | None
    hint: str | None
    needs_skill: float | None
    choice: str | None
    probability: float | None
    confidence: float | None
    probabilities: dict[str, float]
    dropped: list[DroppedSkillDocument]
    failure: FailureDocument | None
    diagnostics: DiagnosticsDocument


class SkillJudgment(JudgmentDocument):
    result: SkillRoutingDocument
