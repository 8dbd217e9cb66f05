"""One function per judgment, for pages and the API: plain input, a named judge, every request in the ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from policy.calibration.fixtures import Kind
from policy.engine import assessment, model_routing, routing, selection, skill_routing
from policy.engine.skill_routing.run import MAX_DESCRIPTION_CHARS
from policy.services import arming
from policy.services.asking import Judgment, Terms, ask

__all__ = ["Judgment", "Terms", "assess_call", "route_model", "route_skill", "select_tools", "select_top_k"]


def select_tools(
    *,
    task: str,
    candidates: Sequence[selection.Candidate],
    categories: Sequence[selection.Category] = (),
    step: str | None = None,
    always_allow: Sequence[str] = (),
    max_selected: int | None = None,
    ask_first: bool = False,
    member_lines: bool = False,
    **terms: Unpack[Terms],
) -> Judgment[selection.Selection]:
    """Which of the candidates the task needs (seed 000, Tool selection); `policy.services.asking.ask` says the rest."""
    return ask(
        lambda profile, mode: selection.select_tools(
            task=task,
            candidates=candidates,
            categories=categories,
            profile=profile,
            step=step,
            always_allow=always_allow,
            max_selected=max_selected,
            mode=mode,
            ask_first=ask_first,
            member_lines=member_lines,
        ),
        lambda profile: arming.asked(
            Kind.SELECTION,
            menu=arming.tools_menu(candidates, categories),
            member_lines=member_lines,
            limits=profile.limits,
        ),
        **terms,
    )


def select_top_k(
    *,
    task: str,
    catalog: routing.Catalog,
    policy: routing.RoutingPolicy,
    available_ids: Sequence[str] | None = None,
    dependencies: Mapping[str, Sequence[str]] | None = None,
    model: str | None = None,
    **terms: Unpack[Terms],
) -> Judgment[routing.TopK]:
    """Which tools the task needs by one choice read with costs (seed 002); also raises `RoutingRefused`."""
    return ask(
        lambda profile, mode: routing.select_top_k(
            task=task,
            catalog=catalog,
            policy=policy,
            profile=profile,
            available_ids=available_ids,
            dependencies=dependencies,
            model=model,
            mode=mode,
        ),
        **terms,
    )


def assess_call(
    *,
    task: str,
    tool: str,
    arguments: Any,
    step: str | None = None,
    restrictions: Sequence[str] = (),
    schema: Mapping[str, Any] | None = None,
    include_risk: bool = False,
    risk_levels: Sequence[str] = assessment.RISK_LEVELS,
    redact_keys: Sequence[str] = (),
    **terms: Unpack[Terms],
) -> Judgment[assessment.Assessment]:
    """May this call be made (seed 000, Tool-call assessment); the engine masks its secrets before they are sent."""
    return ask(
        lambda profile, mode: assessment.assess_call(
            task=task,
            tool=tool,
            arguments=arguments,
            step=step,
            restrictions=restrictions,
            schema=schema,
            profile=profile,
            mode=mode,
            include_risk=include_risk,
            risk_levels=risk_levels,
            redact_keys=redact_keys,
        ),
        lambda profile: arming.asked(Kind.ASSESSMENT, limits=profile.limits),
        **terms,
    )


def route_model(
    *,
    task: str,
    routes: Mapping[str, model_routing.Route | None],
    default_target: model_routing.Target,
    available: Sequence[model_routing.Target],
    step: str | None = None,
    **terms: Unpack[Terms],
) -> Judgment[model_routing.ModelRouting]:
    """Which configured model fits the task (seed 000, Model routing); no model is changed by it."""
    return ask(
        lambda profile, mode: model_routing.route_model(
            task=task,
            step=step,
            routes=routes,
            default_target=default_target,
            available=available,
            profile=profile,
            mode=mode,
        ),
        lambda profile: arming.asked(Kind.MODEL_ROUTE, menu=arming.routes_menu(routes), limits=profile.limits),
        **terms,
    )


def route_skill(
    *,
    task: str,
    candidates: Sequence[skill_routing.Skill],
    step: str | None = None,
    max_description_chars: int = MAX_DESCRIPTION_CHARS,
    routing_hints: Mapping[str, str] | None = None,
    **terms: Unpack[Terms],
) -> Judgment[skill_routing.SkillRouting]:
    """Which skill the turn needs, if any (seed 000, Skill routing); no skill is loaded by it."""
    return ask(
        lambda profile, mode: skill_routing.route_skill(
            task=task,
            step=step,
            candidates=candidates,
            profile=profile,
            mode=mode,
            max_description_chars=max_description_chars,
            routing_hints=routing_hints,
        ),
        lambda profile: arming.asked(Kind.SKILL, menu=arming.skills_menu(candidates), limits=profile.limits),
        **terms,
    )
