"""Which judge a model name means, and the list of names."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from policy.gateway.refusals import USAGE, Refusal, refusal
from policy.judges import registry
from policy.people.models import Purpose, User
from policy.services import judges

# The default of the vendor's SDK: whatever the person set for the API.
ALIAS = "jev-latest"
# The vendor's list wants a date; ours is the day on which these names were first served.
SINCE = "2026-11-30"
MOST_CHARS = 120


@dataclass(frozen=True, slots=True)
class Named:
    """A judge and the model to ask of it; blank is the one that is set or recommended."""

    judge: str
    model: str = ""


def named(model: str, *, by: User) -> Named:
    """The judge that a model name means for this person; raises `Refusal` 400, which lists what can be asked for.

    `jev-latest` is the judge set for the API. A judge's name is that judge, `judge/model` one model of it. Any other
    name goes on to the judge set for the API where that is behind HTTP: only its server knows its versions. So nothing
    leaves this machine unless a person chose a judge that does, or the caller names one.
    """
    own = judges.chosen(Purpose.API, by=by)
    remote = {info.name: info.leaves_machine for info in judges.offered()}
    name, slash, version = model.partition("/")
    if model == ALIAS:
        return Named(own.judge)
    if name in remote and not slash:
        return Named(name)
    if remote.get(name) and version:
        return Named(name, version)
    if model == _local_version():
        return Named(judges.DEFAULT)
    if remote.get(own.judge) and model:
        return Named(own.judge, model)
    raise _unknown(model, by=by)


def listed(*, by: User) -> list[dict[str, str]]:
    """The vendor's list: the alias, then every judge that this person can ask now."""
    own = judges.chosen(Purpose.API, by=by)
    here = [info for info in judges.offered() if not info.in_workers]
    offered = [info for info in here if not judges.why_not(info.name, by=by)]
    label = next((info.label for info in judges.offered() if info.name == own.judge), own.judge)
    first = _entry(ALIAS, f"The judge that is set for the API on Settings, now {label}.")
    return [first, *(_entry(info.name, info.description) for info in offered)]


def _entry(name: str, description: str) -> dict[str, str]:
    return {"name": name, "description": description, "release_date": SINCE}


def _local_version() -> str:
    """What answers of `local` say as their model: a pin that stops to fit when the judge changes."""
    return str(getattr(registry.get(judges.DEFAULT, cache_dir=settings.VECTORS_DIR), "model", ""))


def _unknown(model: str, *, by: User) -> Refusal:
    names = ", ".join(entry["name"] for entry in listed(by=by))
    return refusal(
        400,
        USAGE,
        f"Unknown model: {model[:MOST_CHARS]}. Ask for one of {names}, or for a model of a judge as judge/model "
        "(typesafe/jev-1.13.0). Other names are understood once a judge behind HTTP is set for the API on Settings.",
    )
