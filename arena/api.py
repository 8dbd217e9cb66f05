"""`/api/arena/…`: start, read, tail and stop comparisons."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest, JsonResponse
from ninja import Query, Router, Status

from arena import schemas
from arena.annotations import seen
from arena.approvals import answering
from arena.errors import Invalid, Unknown
from arena.exchange import documents
from arena.listing import pages
from arena.listing.wanted import Wanted
from arena.models import Run
from arena.own_cases import shelf as shelves
from arena.own_cases.api import router as own_cases
from arena.runs import dialogue, history
from arena.runs import start as starting
from arena.runs import stop as stopping
from arena.runs.agent_models import AgentOrder
from arena.servers.api import router as own_catalogs
from policy.calibration.passport import Saved
from policy.engine import call_rules_text
from policy.engine.call_rules import CallRules
from policy.engine.profile import InvalidConfig, Profile
from policy.engine.routing import RoutingPolicy
from policy.measurements import profiles
from policy.models import LedgerEntry
from policy.people import bearer
from policy.schemas.common import Problem

router = Router(tags=["arena"])
router.add_router("/catalogs", own_catalogs)
router.add_router("/own-cases", own_cases)
REFUSALS: dict[Any, Any] = dict.fromkeys((400, 401, 403, 404, 409, 422), Problem)
MAX_EVENTS = 500


@router.get(
    "/cases",
    auth=bearer.READ,
    response={200: schemas.CaseList, **REFUSALS},
    summary="Cases that can be run, and broken files",
)
def cases(request: HttpRequest) -> dict[str, Any]:
    shelf = shelves.books(by=request.user)  # type: ignore[arg-type]
    return {"cases": [each.to_json() for each in shelf.cases], "broken": list(shelf.broken)}


@router.post("/runs", auth=bearer.WRITE, response={201: schemas.RunDocument, **REFUSALS}, summary="Start a comparison")
def start(request: HttpRequest, body: schemas.StartRun) -> Status[Any]:
    run = starting.start(
        body.case,
        by=request.user,  # type: ignore[arg-type]
        origin="api",
        arms=body.arms,
        menu_size=body.menu,
        judge=body.judge,
        agent=body.agent,
        asked=AgentOrder(
            model=body.agent_model or "",
            effort=body.agent_effort or "",
            temperature=body.agent_temperature,
            max_steps=body.max_steps,
            max_tokens=body.max_tokens,
        ),
        profile=_profile(body.profile),
        selector=body.selector,
        routing=_routing(body.routing),
        seed=body.seed,
        pause_s=body.pause_s,
        gate=body.gate,
        rules=_rules(body.rules),
        attended=body.attended,
        stable_menu=body.stable_menu,
        find_tool=body.find_tool,
    )
    return Status(201, documents.run(run))


def _profile(given: dict[str, Any] | str | None) -> Profile | Saved | None:
    if isinstance(given, str):
        return profiles.saved(given)
    try:
        return None if given is None else Profile.from_json(given)
    except InvalidConfig as wrong:
        raise Invalid(f"The profile cannot be used: {wrong}") from wrong


def _rules(given: list[dict[str, Any]] | str | None) -> CallRules | None:
    if given is None:
        return None
    try:
        return call_rules_text.parse(given) if isinstance(given, str) else call_rules_text.from_json(given)
    except call_rules_text.InvalidRules as wrong:
        raise Invalid(str(wrong)) from wrong


def _routing(given: dict[str, Any] | None) -> RoutingPolicy | None:
    try:
        return None if given is None else RoutingPolicy.from_json(given)
    except InvalidConfig as wrong:
        raise Invalid(f"The routing limits cannot be used: {wrong}") from wrong


@router.get("/runs", auth=bearer.READ, response={200: schemas.RunList, **REFUSALS}, summary="Runs, newest first")
def runs(
    request: HttpRequest,
    wanted: Query[schemas.RunFilter],
    before: Annotated[int | None, Query(ge=0, le=2**62)] = None,
    limit: Annotated[int, Query(ge=1, le=pages.MAX_PAGE)] = 50,
) -> dict[str, Any]:
    page = pages.page(Wanted.read(wanted.dict()), before=before, limit=limit)
    return {"runs": [documents.run(run) for run in page.runs], "before": page.before}


@router.get("/runs/{run_id}", auth=bearer.READ, response={200: schemas.RunDocument, **REFUSALS}, summary="One run")
def run(request: HttpRequest, run_id: str) -> dict[str, Any]:
    return documents.run(_seen(request, run_id))


@router.get(
    "/runs/{run_id}/events",
    auth=bearer.READ,
    response={200: schemas.EventList, **REFUSALS},
    summary="Events after a number",
)
def events(
    request: HttpRequest,
    run_id: str,
    after: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
    limit: Annotated[int, Query(ge=1, le=MAX_EVENTS)] = MAX_EVENTS,
) -> dict[str, Any]:
    found = _seen(request, run_id)
    rows = history.events(found, after=after, limit=limit)
    last = rows[-1].seq if rows else after
    return {
        "events": [documents.event(row) for row in rows],
        "last": last,
        "final": found.is_final and last >= found.seq,
    }


@router.post(
    "/runs/{run_id}/stop",
    auth=bearer.WRITE,
    response={200: schemas.RunDocument, **REFUSALS},
    summary="Ask a run to stop",
)
def stop(request: HttpRequest, run_id: str) -> dict[str, Any]:
    return documents.run(stopping.stop(history.find(run_id), by=request.user))  # type: ignore[arg-type]


@router.post(
    "/runs/{run_id}/answer",
    auth=bearer.WRITE,
    response={201: schemas.RunDocument, **REFUSALS},
    summary="Answer what a run asked: a new run goes on with the answer",
)
def answer_question(request: HttpRequest, run_id: str, body: schemas.RunAnswer) -> Status[Any]:
    after = dialogue.answer(history.find(run_id), body.answer, by=request.user, origin="api")  # type: ignore[arg-type]
    return Status(201, documents.run(after))


@router.post(
    "/runs/{run_id}/no-answer",
    auth=bearer.WRITE,
    response={200: schemas.RunDocument, **REFUSALS},
    summary="Settle what a run asked without an answer",
)
def no_answer(request: HttpRequest, run_id: str) -> dict[str, Any]:
    return documents.run(dialogue.leave_open(history.find(run_id), by=request.user))  # type: ignore[arg-type]


@router.get(
    "/approvals",
    auth=bearer.READ,
    response={200: schemas.ApprovalList, **REFUSALS},
    summary="Calls that wait for your answer",
)
def approvals(request: HttpRequest) -> dict[str, Any]:
    rows = answering.waiting(by=request.user)  # type: ignore[arg-type]
    return {"approvals": [documents.approval(row) for row in rows]}


@router.post(
    "/approvals/{approval_id}/answer",
    auth=bearer.WRITE,
    response={200: schemas.ApprovalDocument, **REFUSALS},
    summary="Approve or deny one call",
)
def answer(request: HttpRequest, approval_id: str, body: schemas.Answer) -> dict[str, Any]:
    """The first answer in time counts; it holds for exactly this call, and for one execution of it."""
    row = answering.answer(
        approval_id,
        approve=body.approve,
        digest=body.digest,
        by=request.user,  # type: ignore[arg-type]
    )
    return documents.approval(row)


@router.get(
    "/runs/{run_id}/receipt",
    auth=bearer.READ,
    response={200: dict[str, Any], **REFUSALS},
    summary="How the menu was decided",
)
def receipt(request: HttpRequest, run_id: str) -> JsonResponse:
    """The receipt of the selection: request, raw reply and decision; it replays offline."""
    found = _seen(request, run_id)
    if found.selection is None:
        raise Unknown(f"Run {found.number} has no receipt: no judge was asked, or the run was not routed yet.")
    return _download(found.selection, f"jev-arena-{found.public_id}-receipt.json")


@router.get(
    "/runs/{run_id}/export",
    auth=bearer.READ,
    response={200: dict[str, Any], **REFUSALS},
    summary="Everything a run left",
)
def export(request: HttpRequest, run_id: str) -> JsonResponse:
    found = _seen(request, run_id)
    ledger = list(LedgerEntry.objects.filter(origin="run", origin_id=found.public_id))
    return _download(documents.export(found, history.events(found), ledger), f"jev-arena-{found.public_id}.json")


def _download(document: dict[str, Any], name: str) -> JsonResponse:
    response = JsonResponse(document, json_dumps_params={"indent": 1})
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _seen(request: HttpRequest, run_id: str) -> Run:
    """The run; whoever reads it knows its arms, so what they annotate from then on is not blind."""
    found = history.find(run_id)
    seen.note(found, by=request.user, how="api")  # type: ignore[arg-type]
    return found
