"""`/api/arena/catalogs…`: catalogs of one's own."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest
from ninja import Router, Status

from arena.catalogs.catalog import Category
from arena.catalogs.own import Mark, Marks
from arena.servers import proposing, schemas, services
from policy.people import bearer
from policy.people.models import User
from policy.schemas.common import Problem

router = Router()
REFUSALS: dict[Any, Any] = dict.fromkeys((400, 401, 403, 404, 409, 422), Problem)
ONE: dict[Any, Any] = {200: schemas.CatalogDocument, **REFUSALS}
MADE: dict[Any, Any] = {201: schemas.CatalogDocument, **REFUSALS}


def _by(request: HttpRequest) -> User:
    by: User = request.user  # type: ignore[assignment]
    return by


@router.get("", auth=bearer.READ, response={200: schemas.CatalogList, **REFUSALS}, summary="Your own catalogs")
def catalogs(request: HttpRequest) -> dict[str, Any]:
    return {"catalogs": [services.document(row) for row in services.of(_by(request))]}


@router.post("", auth=bearer.WRITE, response=MADE, summary="Connect a tool server")
def connect(request: HttpRequest, body: schemas.ConnectServer) -> Status[Any]:
    row = services.connect(
        name=body.name,
        by=_by(request),
        command=body.command,
        folder=body.folder,
        url=body.url,
        secrets=body.secrets,
    )
    return Status(201, services.document(row))


@router.post("/import", auth=bearer.WRITE, response=MADE, summary="Import a catalog from JSON")
def import_document(request: HttpRequest, body: schemas.ImportCatalog) -> Status[Any]:
    row = services.import_document(name=body.name, text=json.dumps(body.document), by=_by(request))
    return Status(201, services.document(row))


@router.get("/{catalog_id}", auth=bearer.READ, response=ONE, summary="One of your catalogs")
def catalog(request: HttpRequest, catalog_id: str) -> dict[str, Any]:
    return services.document(services.find(catalog_id, by=_by(request)))


@router.post("/{catalog_id}/list", auth=bearer.WRITE, response=ONE, summary="List a server's tools again")
def list_again(request: HttpRequest, catalog_id: str) -> dict[str, Any]:
    by = _by(request)
    return services.document(services.list_again(services.find(catalog_id, by=by), by=by))


@router.post("/{catalog_id}/propose", auth=bearer.WRITE, response=ONE, summary="Let the judge propose categories")
def propose(request: HttpRequest, catalog_id: str) -> dict[str, Any]:
    by = _by(request)
    return services.document(proposing.propose(services.find(catalog_id, by=by), by=by))


@router.put("/{catalog_id}/marks", auth=bearer.WRITE, response=ONE, summary="Mark effects, categories, prerequisites")
def mark(request: HttpRequest, catalog_id: str, body: schemas.MarkCatalog) -> dict[str, Any]:
    by = _by(request)
    tools = {
        name: Mark(each.effect, each.category, tuple(each.prerequisites), each.left_out)
        for name, each in body.tools.items()
    }
    categories = tuple(Category(each.id, each.title, each.description) for each in body.categories)
    row = services.find(catalog_id, by=by)
    return services.document(services.mark(row, Marks(tools, categories), by=by))


@router.post("/{catalog_id}/approve", auth=bearer.WRITE, response=ONE, summary="Approve what is listed")
def approve(request: HttpRequest, catalog_id: str, body: schemas.ApproveCatalog) -> dict[str, Any]:
    by = _by(request)
    return services.document(services.approve(services.find(catalog_id, by=by), digest=body.digest, by=by))


@router.delete("/{catalog_id}", auth=bearer.WRITE, response={204: None, **REFUSALS}, summary="Put a catalog away")
def archive(request: HttpRequest, catalog_id: str) -> Status[Any]:
    by = _by(request)
    services.archive(services.find(catalog_id, by=by), by=by)
    return Status(204, None)
