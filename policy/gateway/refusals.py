"""Every error of `/v1` in the vendor's shapes, and which status a failed judge becomes."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from typing import Any

from django.http import HttpResponse, JsonResponse

from policy.engine.failures import Failure, FailureCode
from policy.services.turns import RETRY_AFTER_S

REQUEST_ID = "x-typesafe-request-id"
MOST_PLACES = 100

TOO_LONG = "max_tokens_exceeded"
USAGE = "api_usage_error"
AUTHENTICATION = "authentication_error"
_BY_CODE: Mapping[FailureCode, tuple[int, str]] = {
    FailureCode.AUTHENTICATION: (401, AUTHENTICATION),
    FailureCode.PERMISSION: (403, AUTHENTICATION),
    FailureCode.RATE_LIMIT: (429, "rate_limit_error"),
    FailureCode.BAD_REQUEST: (400, USAGE),
    FailureCode.INVALID_CONFIG: (400, USAGE),
    FailureCode.INCOMPLETE_INPUT: (400, TOO_LONG),
    FailureCode.NOT_FOUND: (404, "not_found"),
    FailureCode.TIMEOUT: (504, "upstream_timeout"),
}
# What a judge's own server said goes before its code.
_BY_REASON = {
    "too_large": (400, TOO_LONG),
    "no_credits": (402, "insufficient_credits"),
    "busy": (503, "overloaded_error"),
    "overloaded": (529, "overloaded_error"),
}
_BROKEN = (502, "upstream_error")
# It says itself that asking again today is of no use.
_LASTING = frozenset({"daily_quota"})
_BY_STATUS = {
    400: USAGE,
    403: "permission_error",
    404: "not_found",
    405: "method_not_allowed",
    413: "request_too_large",
    503: "overloaded_error",
}


class Refusal(Exception):
    """A request that gets no answers; `body` and `headers` are sent with `status` as they are."""

    def __init__(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        super().__init__(f"{status}: {body}")
        self.status = status
        self.body = body
        self.headers = headers or {}


def refusal(status: int, error_type: str, message: str, *, retry_after_s: int | None = None) -> Refusal:
    """The shape of every error but those of a body: a kind for programs and a sentence for people."""
    headers = {} if retry_after_s is None else {"Retry-After": str(retry_after_s)}
    return Refusal(status, {"detail": {"error_type": error_type, "message": message}}, headers)


def invalid(places: Iterable[Mapping[str, Any]]) -> Refusal:
    """422 with one entry per place of the body; what was sent there is not repeated."""
    listed = [
        {"loc": ["body", *place["loc"]], "msg": place["msg"], "type": place["type"]}
        for place, _ in zip(places, range(MOST_PLACES), strict=False)
    ]
    return Refusal(422, {"detail": listed})


def at(loc: Iterable[str | int], msg: str, kind: str) -> Refusal:
    """422 for a single place."""
    return invalid([{"loc": list(loc), "msg": msg, "type": kind}])


def of_failure(failure: Failure, *, judge: str, reason: str = "") -> Refusal:
    """What a judge's failure is for the caller; `reason` is the ledger's word for what the judge's server meant.

    Nothing is a 500: a judge that broke, could not be reached or broke the contract is a bad gateway (502).
    """
    if failure.unsent and failure.code is FailureCode.TIMEOUT:
        return busy(f"The judge {judge} was busy for the whole time: {failure.message}.")
    status, error_type = _BY_REASON.get(reason) or _BY_CODE.get(failure.code, _BROKEN)
    again = status in (429, 503, 529) and reason not in _LASTING
    message = f"The judge {judge} gave no answer ({failure.code}): {failure.message.rstrip('.')}."
    return refusal(status, error_type, message, retry_after_s=RETRY_AFTER_S if again else None)


def busy(message: str) -> Refusal:
    return refusal(503, "overloaded_error", message, retry_after_s=RETRY_AFTER_S)


def respond(refused: Refusal, *, request_id: str) -> HttpResponse:
    response = JsonResponse(refused.body, status=refused.status, headers=dict(refused.headers))
    response[REQUEST_ID] = request_id
    return response


def of_site(status: int, message: str) -> HttpResponse:
    """A refusal of the site itself (a foreign page, an unknown path, a wrong method) in the vendor's shape."""
    refused = refusal(status, _BY_STATUS.get(status, "internal_error"), message)
    return respond(refused, request_id=new_request_id())


def new_request_id() -> str:
    """As the vendor's look: `req_` and 32 hex digits. The digits are the call of the ledger where there is one."""
    return f"req_{secrets.token_hex(16)}"
