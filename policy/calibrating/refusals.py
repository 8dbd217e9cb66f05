"""What the services refuse, as a sentence on the page that was left."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from policy.errors import PolicyError
from policy.people.services import NotAllowed

View = Callable[..., HttpResponse]


def answered(view: View) -> View:
    """A view whose refusals are told: 404 and 403 as pages of their own, the others with their status and sentence."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except NotAllowed as refusal:
            return _page(request, 403, "Refused", str(refusal))
        except PolicyError as refusal:
            title = {404: "There is no such thing", 409: "Not now"}.get(refusal.status, "Refused")
            return _page(request, refusal.status, title, refusal.message)

    return wrapped


def back(request: HttpRequest, address: str, said: str) -> HttpResponse:
    """To another page, with a sentence that says what was done."""
    messages.success(request, said)
    return redirect(address)


def _page(request: HttpRequest, status: int, title: str, detail: str) -> HttpResponse:
    return render(request, "error.html", {"status": status, "title": title, "detail": detail}, status=status)
