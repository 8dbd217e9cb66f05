"""What a person or a program sees when a request fails: a sentence, never a traceback."""

from __future__ import annotations

import sys
from collections.abc import Callable

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from jevsite import trouble
from policy.gateway import refusals

TITLES = {
    400: "Bad request",
    401: "Not known",
    403: "Refused",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    413: "Too large",
    422: "Not valid",
    500: "Something broke",
    503: "Not available",
}


def problem(status: int, detail: str, *, code: str = "", **more: object) -> JsonResponse:
    """A problem document (RFC 9457) with our stable `code`."""
    body = {"type": "about:blank", "title": TITLES.get(status, "Error"), "status": status, "detail": detail}
    return JsonResponse({**body, "code": code, **more}, status=status, content_type="application/problem+json")


def respond(request: HttpRequest, status: int, detail: str) -> HttpResponse:
    """The same refusal as a problem document for the API, in the vendor's shape for `/v1`, as a page for people."""
    if request.path.startswith("/api/"):
        return problem(status, detail)
    if request.path.startswith("/v1/"):
        return refusals.of_site(status, detail)
    context = {"status": status, "title": TITLES.get(status, "Error"), "detail": detail}
    return render(request, "error.html", context, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig):
        return respond(request, 413, "The request is larger than this site takes (2.5 MB). Send less.")
    return respond(request, 400, "The request cannot be read: too many fields, or not in the form that it claims.")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return respond(request, 404, "There is nothing at this address. The list of runs shows what there is.")


def server_error(request: HttpRequest) -> HttpResponse:
    error = sys.exc_info()[1]
    if error is not None and (words := trouble.sentence(error)) is not None:
        return respond(request, 503, words)
    return respond(
        request, 500, "The request could not be carried out; nothing was changed half-way. The log says why."
    )


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return respond(request, 403, "The page was older than the session. Reload it and send the form again.")


class MethodMiddleware:
    """A request by a method that the address does not take is refused like any other, with the ones that it takes."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code != 405:
            return response
        allowed = response.headers.get("Allow", "")
        refusal = respond(request, 405, f"This address takes {allowed or 'another method'}, not {request.method}.")
        refusal.headers["Allow"] = allowed
        return refusal
