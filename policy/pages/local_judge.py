"""The page of judge `local`."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from policy import judge_card


@require_safe
def local_judge(request: HttpRequest) -> HttpResponse:
    """The card of judge `local`: what it is, what it is good and weak at, measured."""
    card = judge_card.local(cache_dir=settings.VECTORS_DIR)
    return render(request, "policy/judge.html", {"section": "judge", "card": card})
