"""`/v1`: who asks, what for, and every refusal in the vendor's shape."""

from __future__ import annotations

import functools
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from policy.engine.failures import HostFault
from policy.engine.profile import InvalidConfig
from policy.gateway import asking, bodies, names, refusals, replies, requests
from policy.gateway.refusals import AUTHENTICATION, USAGE, Refusal, refusal
from policy.people import bearer, tokens
from policy.people.models import User
from policy.people.services import NotAllowed
from policy.people.tokens import TokenRefused
from policy.services.turns import Busy

CACHE_HEADER = "X-Jev-Cache"
UNRECORDED = "The judgment could not be recorded, and what is not recorded is not given. The log says why."
Asked = Callable[[HttpRequest, User, str], dict[str, object]]


def _in_vendors_shape(answer: Asked) -> Callable[[HttpRequest], HttpResponse]:
    """Let the caller in, answer, and put every refusal into the vendor's shape; each reply has a request id."""

    @functools.wraps(answer)
    def view(request: HttpRequest) -> HttpResponse:
        request_id = refusals.new_request_id()
        try:
            found = answer(request, _person(request), request_id)
        except Refusal as refused:
            return refusals.respond(refused, request_id=request_id)
        except (NotAllowed, InvalidConfig, Busy, HostFault) as error:
            return refusals.respond(_of_ours(error), request_id=request_id)
        response = JsonResponse(found, json_dumps_params={"ensure_ascii": False})
        response[refusals.REQUEST_ID] = request_id
        return response

    return view


@csrf_exempt
@require_POST
@_in_vendors_shape
def system_one(request: HttpRequest, by: User, request_id: str) -> dict[str, object]:
    model, asked = requests.parse(bodies.read(request))
    named = names.named(model, by=by)
    call = request_id.removeprefix("req_")
    reply = asking.ask(asked, named=named, stored=_stored(request), call=call, by=by)
    return replies.body(reply, asked, judge=named.judge)


@require_GET
@_in_vendors_shape
def models(request: HttpRequest, by: User, request_id: str) -> dict[str, object]:
    return {"models": names.listed(by=by)}


def _person(request: HttpRequest) -> User:
    """Whose judges are asked. The vendor's SDK always sends a key: where nobody needs one, a foreign one is ignored.

    One of our own tokens always counts, and a bad one is never passed over.
    """
    kind, _, secret = request.headers.get("Authorization", "").strip().partition(" ")
    shown = kind.lower() == "bearer" and bool(secret.strip())
    person = getattr(request, "user", None)
    if shown and isinstance(person, User) and not secret.strip().startswith(tokens.BEGIN):
        return person
    try:
        return bearer.JUDGE(request)
    except TokenRefused as refused:
        # The vendor's 401 is for a key that is wrong, its 403 for none at all.
        status = refused.status if shown else 403
        kind = "permission_error" if refused.status == 403 else AUTHENTICATION
        raise refusal(status, kind, str(refused)) from refused


def _stored(request: HttpRequest) -> bool:
    """Whether the caller takes an answer that was given before."""
    wanted = request.headers.get(CACHE_HEADER, "").strip().lower()
    if wanted not in ("", "use"):
        raise refusal(400, USAGE, f"The header {CACHE_HEADER} may say use, or be left out; it says {wanted[:40]!r}.")
    return wanted == "use"


def _of_ours(error: Exception) -> Refusal:
    match error:
        case NotAllowed():
            return refusal(403, "permission_error", str(error))
        case InvalidConfig():
            return refusal(400, USAGE, f"{str(error).rstrip('.')}.")
        case Busy():
            return refusals.busy(str(error))
    return refusal(503, "internal_error", UNRECORDED, retry_after_s=Busy.retry_after_s)
