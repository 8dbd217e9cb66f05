"""`/api/arena/own-cases…`: cases of one's own."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Router, Status

from arena.own_cases import schemas, services
from arena.own_cases.models import OwnCase
from policy.people import bearer
from policy.people.models import User
from policy.schemas.common import Problem

router = Router()
REFUSALS: dict[Any, Any] = dict.fromkeys((400, 401, 403, 404, 409, 422), Problem)
ONE: dict[Any, Any] = {200: schemas.OwnCaseDocument, **REFUSALS}
MADE: dict[Any, Any] = {201: schemas.OwnCaseDocument, **REFUSALS}


def _by(request: HttpRequest) -> User:
    by: User = request.user  # type: ignore[assignment]
    return by


def _document(row: OwnCase) -> dict[str, Any]:
    why = services.why_not(row)
    told = {"id": row.public_id, "version": row.version, "title": row.title}
    return {**told, "usable": not why, "why_not": why, "case": services.document(row)}


@router.get("", auth=bearer.READ, response={200: schemas.OwnCaseList, **REFUSALS}, summary="Your own cases")
def cases(request: HttpRequest) -> dict[str, Any]:
    return {"cases": [_document(row) for row in services.of(_by(request))]}


@router.post("", auth=bearer.WRITE, response=MADE, summary="Write a case, or import one")
def make(request: HttpRequest, body: schemas.MakeCase) -> Status[Any]:
    return Status(201, _document(services.make(body.case, by=_by(request))))


@router.get("/{case_id}", auth=bearer.READ, response=ONE, summary="One of your cases")
def case(request: HttpRequest, case_id: str) -> dict[str, Any]:
    return _document(services.find(case_id, by=_by(request)))


@router.put("/{case_id}", auth=bearer.WRITE, response=ONE, summary="Change a case: a new version")
def change(request: HttpRequest, case_id: str, body: schemas.ChangeCase) -> dict[str, Any]:
    by = _by(request)
    row = services.find(case_id, by=by)
    return _document(services.change(row, body.case, version=body.version, by=by))


@router.delete("/{case_id}", auth=bearer.WRITE, response={204: None, **REFUSALS}, summary="Put a case away")
def archive(request: HttpRequest, case_id: str) -> Status[Any]:
    by = _by(request)
    services.archive(services.find(case_id, by=by), by=by)
    return Status(204, None)
