"""The API object, error handlers and routers; nothing else."""

from __future__ import annotations

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from arena.api import router as arena
from arena.errors import ArenaError
from jevsite import bodies, errors, trouble
from jevsite.bodies import BodyParser
from jevsite.errors import problem
from policy.api import router as policy
from policy.engine.failures import HostFault
from policy.engine.profile import InvalidConfig
from policy.engine.routing import RoutingRefused
from policy.judges.registry import UnknownJudge
from policy.people import bearer
from policy.people.services import NotAllowed
from policy.people.tokens import TokenRefused
from policy.services.turns import Busy

UNRECORDED = "The judgment could not be recorded, and what is not recorded is not given. The log says why."
# Where the validator only says what is wrong, what to do about it.
MENDS = {
    "extra_forbidden": "there is no such field; leave it out. The fields stand at /api/docs",
    "missing": "this field is required; add it",
}
# In which field of a body the engine found a routing fault.
ROUTING_FIELDS = {
    "E_CATALOG": "catalog",
    "E_ROUTE_POLICY": "policy",
    "E_ROUTE_INTENT": "task",
    "E_ROUTE_AVAIL": "available_ids",
    "E_DEP": "dependencies",
}

# An operation that says nothing about its scope needs the widest.
api = NinjaAPI(title="Jev Arena", version="1", docs_url="docs", auth=bearer.WRITE, parser=BodyParser())
api.add_router("/arena", arena)
api.add_router("/policy", policy)


@api.exception_handler(ArenaError)
def refused(request: HttpRequest, error: ArenaError) -> HttpResponse:
    return problem(error.status, error.message, code=error.code)


@api.exception_handler(NotAllowed)
def not_allowed(request: HttpRequest, error: NotAllowed) -> HttpResponse:
    return problem(403, str(error), code="not-allowed")


@api.exception_handler(TokenRefused)
def token_refused(request: HttpRequest, error: TokenRefused) -> HttpResponse:
    refusal = problem(error.status, str(error), code="token" if error.status == 401 else "scope")
    if error.status == 401:
        refusal["WWW-Authenticate"] = "Bearer"
    return refusal


@api.exception_handler(ValidationError)
def invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    first = error.errors[0]
    where = ".".join(str(part) for part in first["loc"][1:] if part != "body") or "the body"
    said = MENDS.get(first["type"], first["msg"])
    return problem(422, f"{where}: {said}.", code="invalid", field=where)


@api.exception_handler(InvalidConfig)
def unusable(request: HttpRequest, error: InvalidConfig) -> HttpResponse:
    return problem(422, f"{error}.", code="invalid")


@api.exception_handler(RoutingRefused)
def unroutable(request: HttpRequest, error: RoutingRefused) -> HttpResponse:
    where = next((field for begin, field in ROUTING_FIELDS.items() if error.fault.startswith(begin)), None)
    return problem(422, f"{where}: {error}." if where else f"{error}.", code=error.fault.value, field=where)


@api.exception_handler(UnknownJudge)
def unknown_judge(request: HttpRequest, error: UnknownJudge) -> HttpResponse:
    return problem(422, str(error), code="invalid", field="judge")


@api.exception_handler(Busy)
def busy(request: HttpRequest, error: Busy) -> HttpResponse:
    refusal = problem(503, str(error), code="busy")
    refusal["Retry-After"] = str(error.retry_after_s)
    return refusal


@api.exception_handler(HostFault)
def unrecorded(request: HttpRequest, error: HostFault) -> HttpResponse:
    cause = error.__cause__
    return problem(503, (cause and trouble.sentence(cause)) or UNRECORDED, code="host-fault")


@api.exception_handler(RequestDataTooBig)
def too_big(request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:
    return errors.bad_request(request, error)


@api.exception_handler(HttpError)
def http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    cause = error.__cause__
    if isinstance(cause, ValueError | RecursionError):
        return problem(400, bodies.trouble(cause), code="bad-request")
    return problem(error.status_code, str(error), code="bad-request")


@api.exception_handler(Http404)
def missing(request: HttpRequest, error: Http404) -> HttpResponse:
    return problem(404, "There is nothing at this address.", code="unknown")
