"""A refusal as a page: the sentence of the error, with the status that belongs to it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from policy.people.models import User
from policy.people.services import NotAllowed

View = Callable[..., HttpResponse]


def told(view: View) -> View:
    """A view for people whose role allows it; the others are told which role does."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except NotAllowed as refusal:
            context = {"status": 403, "title": "Refused", "detail": str(refusal)}
            return render(request, "error.html", context, status=403)

    return wrapped


def person(request: HttpRequest) -> User:
    """Who is at the page; the site's middleware has put a real person there."""
    assert isinstance(request.user, User)
    return request.user
