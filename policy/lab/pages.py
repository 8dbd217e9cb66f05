"""The pages of the policy lab: a form, and below it what the judge measured and what was decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from policy.calibration.fixtures import Kind
from policy.engine.canonical import canonical_json
from policy.engine.failures import HostFault
from policy.engine.mode import Mode
from policy.engine.profile import InvalidConfig
from policy.lab import examples, functions, links, stored, takeaways
from policy.lab.forms import DEFAULT, OWN, SCRIPTED, LabForm
from policy.lab.functions import Function
from policy.lab.story import Story, tell
from policy.measurements import profiles
from policy.pages.refusals import person
from policy.people.services import NotAllowed
from policy.services import arming, asking, judges
from policy.services.asking import Judgment

PROFILES = ((OWN, "the judge’s own"), (DEFAULT, "defaults of the engine"))
KINDS = {"call": Kind.ASSESSMENT, "select": Kind.SELECTION, "model": Kind.MODEL_ROUTE, "skill": Kind.SKILL}
SCRIPT_HINT = 'answers by question id, such as {"matches_task": {"noul": 0.2}}; empty: noul 0.5, the first label'
HOST_FAULT = "The judgment could not be recorded, and what is not recorded is not shown. The log says why."
OTHER_PROFILE = (
    "The profile has changed since this judgment was made; it is decided here under the thresholds of today."
)
GONE = "The stored judgment of this address cannot be shown: {reason}. Ask the judge again."


@dataclass(slots=True)
class _Desk:
    """The form as it is shown, with the example that it began from and what has come of it."""

    function: Function
    example: str
    filled: Mapping[str, str]
    form: LabForm
    status: int = 200
    trouble: str = ""
    judgment: Judgment[Any] | None = None
    story: Story | None = None
    faults: Mapping[str, str] = field(default_factory=dict)


@require_http_methods(["GET", "HEAD", "POST"])
def lab(request: HttpRequest, key: str = "call") -> HttpResponse:
    """One function of the lab; a form that is sent is judged and leads to its own address where it has one."""
    function = functions.named(key)
    if function is None:
        raise Http404(key)
    if request.method != "POST":
        return _page(request, _opened(function, request))
    desk = _desk(function, request.POST.dict(), sent=True)
    if not _valid(desk):
        desk.status = 422
        return _page(request, desk)
    _ask(request, desk)
    if desk.judgment is not None and (address := _own_address(desk)):
        return redirect(address)
    return _page(request, desk)


def _desk(function: Function, given: Mapping[str, str], *, sent: bool = False) -> _Desk:
    """The example that the address or the form names, under everything that it says itself."""
    named = given.get("example")
    fresh = named is None and not set(given) & set(function.form.base_fields)
    example = examples.first(function.key) if fresh else named or ""
    found = examples.find(example) if example else None
    filled = function.filled(found) if found else {}
    desk = _Desk(function, example if found else "", filled, function.form(given if sent else {**filled, **given}))
    if example and found is None:
        desk.trouble = f"There is no example “{example[:64]}” any more; what the address says itself is filled in."
    return desk


def _opened(function: Function, request: HttpRequest) -> _Desk:
    """The page at an address: the request that it holds, and the stored judgment that it names."""
    desk = _desk(function, request.GET.dict())
    call = request.GET.get("judgment", "")
    if not call or not _valid(desk):
        return desk
    try:
        inputs, mode, profile = _asked(desk)
        desk.judgment = stored.judgment(call, function.begin(inputs, profile, mode), profile=profile)
        _told(desk)
        if request.GET.get("under", "") not in ("", profile.digest[:12]):
            desk.trouble = OTHER_PROFILE
    except (stored.Departed, InvalidConfig) as departed:
        desk.trouble = GONE.format(reason=departed)
    return desk


def _valid(desk: _Desk) -> bool:
    desk.faults = {name: " ".join(map(str, errors)) for name, errors in desk.form.errors.items()}
    return not desk.faults


def _ask(request: HttpRequest, desk: _Desk) -> None:
    try:
        inputs, mode, profile = _asked(desk)
        desk.judgment = asking.ask(
            lambda chosen, asked: desk.function.begin(inputs, chosen, asked),
            lambda chosen: arming.asked_with(KINDS[desk.function.key], inputs, limits=chosen.limits),
            by=request.user,  # type: ignore[arg-type]
            origin="lab",
            judge=desk.form.chosen_judge(),
            profile=desk.form.chosen_saved() or profile,
            mode=mode,
        )
        _told(desk)
    except InvalidConfig as refusal:
        desk.status, desk.trouble = 422, f"{refusal}."
    except NotAllowed as refusal:
        desk.status, desk.trouble = 403, f"{refusal}"
    except HostFault as fault:
        desk.status, desk.trouble = 503, f"{fault}" if fault.__cause__ is None else HOST_FAULT


def _asked(desk: _Desk) -> tuple[dict[str, Any], Mode, Any]:
    return desk.form.inputs(), Mode(desk.form.cleaned_data["mode"]), desk.form.chosen_profile()


def _told(desk: _Desk) -> None:
    assert desk.judgment is not None
    inputs, mode, _ = _asked(desk)
    desk.story = tell(desk.function, desk.judgment, inputs, mode)


def _own_address(desk: _Desk) -> str:
    """The address that shows this judgment again; empty where there is none, or where it would not be the same."""
    assert desk.judgment is not None
    inputs, mode, profile = _asked(desk)
    try:
        address = _address(desk)
        again = stored.judgment(desk.judgment.call, desk.function.begin(inputs, profile, mode), profile=profile)
    except (links.NoLink, stored.Departed):
        return ""
    same = canonical_json(again.result.decision_json()) == canonical_json(desk.judgment.result.decision_json())
    return address if same else ""


def _address(desk: _Desk) -> str:
    assert desk.judgment is not None
    call, under = desk.judgment.call, desk.judgment.profile.digest
    return links.address(desk.function, desk.form, desk.filled, example=desk.example, call=call, under=under)


def _page(request: HttpRequest, desk: _Desk) -> HttpResponse:
    form = desk.form
    judge, by = form.shown["judge"], person(request)
    offered = judges.offered()
    context = {
        "section": "policy",
        "functions": functions.FUNCTIONS,
        "function": desk.function,
        "form": form,
        "shown": form.shown,
        "example": desk.example,
        "kept": desk.example != examples.first(desk.function.key),
        "examples": examples.titles(with_call=desk.function.key == "call"),
        "judges": [info for info in offered if info.name == judge or not judges.why_not(info.name, by=by)],
        "judge": next((info for info in offered if info.name == judge), offered[0]),
        "profiles": (*PROFILES, *((name, name) for name in profiles.references())),
        "modes": [mode.value for mode in Mode],
        "trouble": desk.trouble,
        "faults": desk.faults,
        "terms": ("judge", "profile", "mode"),
        "story": desk.story,
        "scripted": SCRIPTED,
        "script_hint": SCRIPT_HINT,
        **_taken(request, desk),
    }
    return render(request, "policy/lab.html", context, status=desk.status)


def _taken(request: HttpRequest, desk: _Desk) -> dict[str, Any]:
    """What can be taken along of a judged request: the address, the JSON document, the API call."""
    if desk.judgment is None or desk.story is None:
        return {}
    try:
        link = _address(desk)
        no_link = ""
    except links.NoLink as reason:
        link, no_link = "", f"{reason}"
    return {
        "link": request.build_absolute_uri(link) if link else "",
        "no_link": no_link,
        "curl": takeaways.curl(desk.function, desk.form, origin=request.build_absolute_uri("/")[:-1]),
        "document": takeaways.document(desk.function, desk.form, desk.judgment, desk.story.flips),
    }
