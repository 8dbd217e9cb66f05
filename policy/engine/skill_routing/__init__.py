"""Skill routing (seed 000, Skill routing): does this turn need a skill, and which one; bodies are never sent."""

from __future__ import annotations

from policy.engine.skill_routing.records import NONE, Dropped, DropReason, Rule, Skill, SkillRouting, Status
from policy.engine.skill_routing.run import NEEDS_SKILL, QUESTION_SET, SKILL, question_set_digest, route_skill

__all__ = [
    "NEEDS_SKILL",
    "NONE",
    "QUESTION_SET",
    "SKILL",
    "DropReason",
    "Dropped",
    "Rule",
    "Skill",
    "SkillRouting",
    "Status",
    "question_set_digest",
    "route_skill",
]
