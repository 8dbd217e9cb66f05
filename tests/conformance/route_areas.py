"""How routing is run for the areas `model` and `skill` of the policy cases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from policy.engine.failures import Failure
from policy.engine.mode import mode_of
from policy.engine.model_routing import Route, Target, route_model
from policy.engine.skill_routing import Skill, route_skill
from policy.judges.scripted import ScriptedJudge
from tests.conformance.cases import Fragment, Runner
from tests.conformance.engine_areas import profile_of, scripted, sent
from tests.policy.engine.doubles import drive

Input = Mapping[str, Any]


def model(given: Input) -> dict[str, Any]:
    judge, profile = scripted(given), profile_of(given)
    steps = route_model(
        task=given["task"],
        step=given.get("step"),
        routes={name: pair and _route(pair) for name, pair in given["routes"].items()},
        default_target=Target(*given["defaultTarget"]),
        available=[Target(*pair) for pair in given["available"]],
        profile=profile,
        mode=mode_of(given.get("mode", "enforce")),
    )
    routing = drive(steps, judge, budget_ms=profile.limits.budget_ms)
    return {
        **routing.decision_json(),
        "target": [routing.target.provider, routing.target.model],
        **_told(routing.failure, routing.diagnostics.stages, judge),
        **sent(given, judge),
    }


def skill(given: Input) -> dict[str, Any]:
    judge, profile = scripted(given), profile_of(given)
    bound = {"max_description_chars": given["maxDescriptionChars"]} if "maxDescriptionChars" in given else {}
    steps = route_skill(
        task=given["task"],
        step=given.get("step"),
        candidates=[Skill(it["name"], it.get("description"), it.get("whenToUse")) for it in given["candidates"]],
        profile=profile,
        mode=mode_of(given.get("mode", "enforce")),
        **bound,
    )
    routing = drive(steps, judge, budget_ms=profile.limits.budget_ms)
    return {
        **routing.decision_json(),
        "needsSkill": routing.needs_skill,
        "criterionContains": _criterion(judge),
        **_told(routing.failure, routing.diagnostics.stages, judge),
        **sent(given, judge),
    }


def _route(pair: list[str]) -> Route:
    return Route(Target(pair[0], pair[1]), pair[2] if len(pair) > 2 else None)


def _criterion(judge: ScriptedJudge) -> Fragment:
    """What was said of the skills that were offered."""
    criteria = [
        wire["criteria"]
        for each in judge.requests
        for wire in each.to_wire()["questions"].values()
        if "criteria" in wire
    ]
    return Fragment("\n".join(text or "" for each in criteria for text in each.values()))


def _told(failure: Failure | None, stages: tuple[str, ...], judge: ScriptedJudge) -> dict[str, Any]:
    return {
        "failure": failure.code.value if failure else None,
        "stages": list(stages),
        "questionIds": [list(request.questions) for request in judge.requests],
    }


RUNNERS: dict[str, Runner] = {"model": model, "skill": skill}
