"""`/api/policy/…`: judgments for programs. A judge's failure is an answer (200) that permits nothing."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.http import HttpRequest
from ninja import Router

from policy.calibration.passport import Saved
from policy.calibration_api import router as calibration
from policy.engine.profile import Profile
from policy.engine.routing import create_catalog
from policy.measurements import profiles as profiles_saved
from policy.people import bearer
from policy.people.models import Purpose, User
from policy.schemas import calls, common, lists, routes, selection, top_k
from policy.schemas import loops as loop_schemas
from policy.services import judges as people_judges
from policy.services import judgments, loops
from policy.services.asking import Terms

router = Router(tags=["policy"])
router.add_router("/calibration", calibration)
REFUSALS: dict[Any, Any] = dict.fromkeys((400, 401, 403, 404, 413, 422, 503), common.Problem)


@router.get(
    "/judges", auth=bearer.READ, response={200: lists.JudgeList, **REFUSALS}, summary="Judges that can be asked"
)
def judges(request: HttpRequest) -> dict[str, Any]:
    by = _person(request)
    return {
        "judges": [
            {**asdict(info), "trouble": people_judges.why_not(info.name, by=by)} for info in people_judges.offered()
        ]
    }


@router.get(
    "/profiles", auth=bearer.READ, response={200: lists.ProfileList, **REFUSALS}, summary="The profile of each judge"
)
def profiles(request: HttpRequest) -> dict[str, Any]:
    brought = [(info.name, people_judges.profile(info.name)) for info in people_judges.offered()]
    return {
        "profiles": [
            {"judge": name, "digest": profile.digest, "profile": profile.to_json()} for name, profile in brought
        ]
    }


@router.post(
    "/select-tools",
    auth=bearer.JUDGE,
    response={200: selection.SelectionJudgment, **REFUSALS},
    exclude_unset=True,
    summary="Which tools a task needs",
)
def select_tools(request: HttpRequest, body: selection.SelectTools) -> dict[str, Any]:
    """First which categories matter, then which tool of each fits; restricted tools are never sent."""
    judgment = judgments.select_tools(
        task=body.task,
        step=body.step,
        candidates=[each.to_engine() for each in body.candidates],
        categories=[each.to_engine() for each in body.categories],
        always_allow=body.always_allow,
        max_selected=body.max_selected,
        ask_first=body.ask_first,
        member_lines=body.member_lines,
        **_terms(request, body),
    )
    return judgment.to_json(exchanges=body.exchanges)


@router.post(
    "/select-top-k",
    auth=bearer.JUDGE,
    response={200: top_k.TopKJudgment, **REFUSALS},
    exclude_unset=True,
    summary="Which tools a task needs, the cheapest that fit",
)
def select_top_k(request: HttpRequest, body: top_k.SelectTopK) -> dict[str, Any]:
    """One choice over all available tools and "ask back", read with floors, a window and costs."""
    judgment = judgments.select_top_k(
        task=body.task,
        catalog=create_catalog(body.catalog),
        policy=body.policy_to_engine(),
        available_ids=body.available_ids,
        dependencies=body.dependencies,
        model=body.model,
        **_terms(request, body),
    )
    return judgment.to_json(exchanges=body.exchanges)


@router.post(
    "/assess-call",
    auth=bearer.JUDGE,
    response={200: calls.AssessmentJudgment, **REFUSALS},
    exclude_unset=True,
    summary="May a tool call be made, or must somebody be asked",
)
def assess_call(request: HttpRequest, body: calls.AssessCall) -> dict[str, Any]:
    """One request with three questions: does it break a restriction, is something missing, does it serve the task."""
    judgment = judgments.assess_call(
        task=body.task,
        step=body.step,
        tool=body.tool,
        arguments=body.arguments,
        restrictions=body.restrictions,
        schema=body.tool_schema,
        include_risk=body.include_risk,
        risk_levels=body.risk_levels,
        redact_keys=body.redact_keys,
        **_terms(request, body),
    )
    return judgment.to_json(exchanges=body.exchanges)


@router.post(
    "/route-model",
    auth=bearer.JUDGE,
    response={200: routes.ModelJudgment, **REFUSALS},
    exclude_unset=True,
    summary="Which configured model fits a task",
)
def route_model(request: HttpRequest, body: routes.RouteModel) -> dict[str, Any]:
    """One choice among your classes and "keep what is used"; a target that is not available is never the answer."""
    judgment = judgments.route_model(
        task=body.task,
        step=body.step,
        routes=body.routes.to_engine(),
        default_target=body.default_target.to_engine(),
        available=[each.to_engine() for each in body.available],
        **_terms(request, body),
    )
    return judgment.to_json(exchanges=body.exchanges)


@router.post(
    "/route-skill",
    auth=bearer.JUDGE,
    response={200: routes.SkillJudgment, **REFUSALS},
    exclude_unset=True,
    summary="Which skill a turn needs, if any",
)
def route_skill(request: HttpRequest, body: routes.RouteSkill) -> dict[str, Any]:
    """One request with two questions; names and descriptions are sent, never the skill itself."""
    judgment = judgments.route_skill(
        task=body.task,
        step=body.step,
        candidates=[each.to_engine() for each in body.candidates],
        max_description_chars=body.max_description_chars,
        routing_hints=body.routing_hints,
        **_terms(request, body),
    )
    return judgment.to_json(exchanges=body.exchanges)


@router.post(
    "/loops/observe",
    auth=bearer.JUDGE,
    response={200: loop_schemas.ObservationDocument, **REFUSALS},
    summary="Count a call that was made",
)
def observe(request: HttpRequest, body: loop_schemas.ObserveCall) -> dict[str, Any]:
    """No judge is asked. Any other call of the subject, or a reset, begins its count anew."""
    return loops.observe(
        subject=body.subject,
        tool=body.tool,
        arguments=body.arguments,
        max_repeats=body.max_repeats,
        exempt=body.exempt,
        by=_person(request),
    ).to_json()


@router.post(
    "/loops/check",
    auth=bearer.JUDGE,
    response={200: loop_schemas.CheckDocument, **REFUSALS},
    summary="Would this call go on a loop?",
)
def check(request: HttpRequest, body: loop_schemas.CheckCall) -> dict[str, Any]:
    """No judge is asked and nothing is counted. No decision is no permission: repetition is all that is looked at."""
    return loops.check(
        subject=body.subject,
        tool=body.tool,
        arguments=body.arguments,
        max_repeats=body.max_repeats,
        exempt=body.exempt,
        mode=body.mode,
        by=_person(request),
    ).to_json()


@router.post(
    "/loops/reset",
    auth=bearer.JUDGE,
    response={200: loop_schemas.ResetDocument, **REFUSALS},
    summary="Forget a subject's calls",
)
def reset(request: HttpRequest, body: loop_schemas.ResetSubject) -> dict[str, Any]:
    return {"subject": body.subject, "forgotten": loops.reset(subject=body.subject, by=_person(request))}


def _terms(request: HttpRequest, body: common.Asked) -> Terms:
    by = _person(request)
    judge = body.judge or people_judges.chosen(Purpose.API, by=by).judge
    return {
        "by": by,
        "origin": "api",
        "judge": judge,
        "profile": _profile(body.profile),
        "mode": body.mode,
    }


def _profile(given: dict[str, Any] | str | None) -> Profile | Saved | None:
    if isinstance(given, str):
        return profiles_saved.saved(given)
    return None if given is None else Profile.from_json(given)


def _person(request: HttpRequest) -> User:
    """Who asks; the site's middleware has put a real person there."""
    assert isinstance(request.user, User)
    return request.user
