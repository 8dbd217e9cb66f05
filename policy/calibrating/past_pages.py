"""The time machine: sliders that decide past selections and calls again, without a request."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from policy.calibrating import past, words
from policy.engine.profile import InvalidConfig, Thresholds
from policy.judges import registry

NAMES = ("relevance", "selection", "confidence", "ask_first", "restriction", "missing_information", "task_match")


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """The sliders, at the profile of the judge in force or at what the address says."""
    cuts = _cuts(request)
    axes = [(name, words.threshold(name), getattr(cuts, name)) for name in NAMES]
    return render(request, "policy/calibration/past.html", {"section": "calibration", "tab": "past", "axes": axes})


@require_safe
@never_cache
def values(request: HttpRequest) -> HttpResponse:
    """Every stored decision with the places where it flips."""
    return JsonResponse({"past": [each.to_json() for each in past.decisions()]})


def _cuts(request: HttpRequest) -> Thresholds:
    """Thresholds of the address over those of the profile; an address that says none leaves the profile."""
    own = registry.profile(registry.available()[0].name).thresholds
    named = {words.camel(name): request.GET.get(f"cut-{name}") for name in NAMES}
    try:
        moved = {name: float(text) for name, text in named.items() if text}
        return Thresholds.from_json({**own.to_json(), **moved})
    except (ValueError, InvalidConfig):
        return own
