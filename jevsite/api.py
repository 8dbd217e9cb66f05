"""The API object, error handlers and routers; nothing else."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from arena.api import router as arena
from arena.errors import ArenaError
from jevsite.errors import problem
from policy.people.services import NotAllowed

api = NinjaAPI(title="Jev Arena", version="1", docs_url="docs")
api.add_router("/arena", arena)


@api.exception_handler(ArenaError)
def refused(request: HttpRequest, error: ArenaError) -> HttpResponse:
    return problem(error.status, error.message, code=error.code)


@api.exception_handler(NotAllowed)
def not_allowed(request: HttpRequest, error: NotAllowed) -> HttpResponse:
    return problem(403, str(error), code="not-allowed")


@api.exception_handler(ValidationError)
def invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    first = error.errors[0]
    where = ".".join(str(part) for part in first["loc"][1:] if part != "body") or "the body"
    return problem(422, f"{where}: {first['msg']}.", code="invalid")


@api.exception_handler(HttpError)
def http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    return problem(error.status_code, str(error), code="bad-request")


@api.exception_handler(Http404)
def missing(request: HttpRequest, error: Http404) -> HttpResponse:
    return problem(404, "There is nothing at this address.", code="unknown")
