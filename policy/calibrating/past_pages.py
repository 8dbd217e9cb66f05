"""The time machine: sliders that decide past selections and calls again, without a request."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from policy.calibrating import past, words
from policy.calibrating.past import Past
from policy.engine.profile import InvalidConfig, Thresholds
from policy.judges import registry

NAMES = ("relevance", "selection", "confidence", "ask_first", "restriction", "missing_information", "task_match")


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """The sliders, at the profile of the newest decision or at what the address says."""
    newest = next(iter(past.decisions(most=1)), None)
    cuts, named = _cuts(request, newest)
    axes = [(name, words.threshold(name), getattr(cuts, name)) for name in NAMES]
    begun = _begun(newest, named=named)
    context = {"section": "calibration", "tab": "past", "axes": axes, "begun": begun}
    return render(request, "policy/calibration/past.html", context)


@require_safe
@never_cache
def values(request: HttpRequest) -> HttpResponse:
    """Every stored decision with the places where it flips."""
    return JsonResponse({"past": [each.to_json() for each in past.decisions()]})


def _cuts(request: HttpRequest, newest: Past | None) -> tuple[Thresholds, bool]:
    """Thresholds of the address over those of the newest decision, and whether the address says any.

    An address that cannot be read leaves the decision's. Without a decision they are those of the judge of today.
    """
    own = newest.flips.base if newest else registry.profile(registry.available()[0].name).thresholds
    named = {words.camel(name): request.GET.get(f"cut-{name}") for name in NAMES}
    try:
        moved = {name: float(text) for name, text in named.items() if text}
        return Thresholds.from_json({**own.to_json(), **moved}), bool(moved)
    except (ValueError, InvalidConfig):
        return own, False


def _begun(newest: Past | None, *, named: bool) -> str:
    """Where the sliders stand at first, in a sentence."""
    others = (
        "The thresholds that the address names stand as it says; the others are" if named else "The sliders begin at"
    )
    if newest is None:
        return f"{others} the judge's profile of today; no decision is stored yet."
    if newest.profile:
        return f"{others} {newest.profile}, the profile that the newest decision used ({newest.title})."
    return (
        f"{others} the profile of the judge {newest.judge} as it is today: which one was in force at the newest "
        "decision is unknown, because the ledger keeps no profile."
    )
