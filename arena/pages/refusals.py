"""A refusal as a page: the sentence of the error, with the status that belongs to it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from arena.errors import ArenaError
from policy.people.services import NotAllowed

_TITLES = {404: "Not found", 409: "Not possible now", 422: "Not valid"}
View = Callable[..., HttpResponseBase]


def told(view: View) -> View:
    """A view whose refusals are told to the person instead of breaking the page."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except ArenaError as refusal:
            return page(request, refusal.status, refusal.message)
        except NotAllowed as refusal:
            return page(request, 403, str(refusal))

    return wrapped


def page(request: HttpRequest, status: int, detail: str) -> HttpResponse:
    context = {"status": status, "title": _TITLES.get(status, "Refused"), "detail": detail}
    return render(request, "error.html", context, status=status)
