"""What a profile was calibrated on, and why it is disarmed where a call differs from that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from policy.calibration.fixtures import Fixture, Kind
from policy.engine.canonical import digest
from policy.engine.judge import Judge
from policy.engine.profile import Profile


@dataclass(frozen=True, slots=True)
class Covered:
    """One kind of decision: the wording, the options and the cases that its thresholds were chosen on.

    `menu` is the digest of the tools, skills or routes where all cases offered the same ones; None where they differed,
    which leaves every menu allowed. `agreed` of `cases` were decided as labelled, `interval` is Wilson's.
    `guarantee` is what holds at the saved point: `bound`, its `form` (one look, any time) and the number of the `look`.
    """

    question_set: str
    options: Mapping[str, Any]
    menu: str | None
    cases: int
    failed: int
    agreed: int
    interval: tuple[float, float]
    standing: str
    reasons: tuple[str, ...] = ()
    guarantee: Mapping[str, Any] | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Covered:
        low, high = data["interval"]
        return cls(**{**data, "interval": (low, high), "reasons": tuple(data["reasons"])})


@dataclass(frozen=True, slots=True)
class Passport:
    """Judge, model and fixtures of a calibration; `date` is ISO with Z, `author` the person who chose the point."""

    judge: str
    endpoint: str
    requested_model: str
    answered_model: str
    fixtures: str
    fixture_digest: str
    measurement: str
    date: str
    author: str
    kinds: Mapping[str, Covered] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Passport:
        return cls(**{**data, "kinds": {kind: Covered.from_json(each) for kind, each in data["kinds"].items()}})


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved profile with its passport, as calls use it."""

    profile: Profile
    passport: Passport

    @property
    def reference(self) -> str:
        return f"{self.profile.name}@{self.profile.version}"


@dataclass(frozen=True, slots=True)
class Asked:
    """What one call asks, in the terms of a passport."""

    kind: Kind
    question_set: str
    options: Mapping[str, Any]
    menu: str


@dataclass(frozen=True, slots=True)
class Judged:
    """Who is asked: the same request to another of these is another measurement."""

    judge: str
    endpoint: str = ""
    requested_model: str = ""

    @classmethod
    def of(cls, judge: Judge) -> Judged:
        """Judges of this machine have no endpoint."""
        return cls(judge.name, str(getattr(judge, "endpoint", ""))[:200], str(getattr(judge, "model", ""))[:120])


def mismatches(passport: Passport, asked: Asked, judged: Judged) -> tuple[str, ...]:
    """Every reason why thresholds of this passport say nothing about this call; empty where it is armed."""
    return tuple(_mismatches(passport, asked, judged))


def menu_digest(offered: Any) -> str:
    """SHA-256 of what is chosen from, as plain JSON; its order counts."""
    return digest(offered)


def menu_of(fixture: Fixture) -> str:
    """The same of a fixture; empty where nothing is chosen from a list."""
    row = fixture.row
    match fixture.kind:
        case Kind.SELECTION:
            tools = [
                [each["id"], each["categories"], each.get("description"), bool(each.get("restricted"))]
                for each in row["candidates"]
            ]
            about = [[each["id"], each.get("description")] for each in row.get("categories", ())]
            return menu_digest([tools, about])
        case Kind.SKILL:
            return menu_digest(
                [[each["name"], each.get("description"), each.get("whenToUse")] for each in row["candidates"]]
            )
        case Kind.MODEL_ROUTE:
            return menu_digest({name: route for name, route in row["routes"].items() if route is not None})
        case _:
            return ""


def shared_menu(fixtures: list[Fixture]) -> str | None:
    """The one menu of all these fixtures; None where they differ, or where there is none."""
    found = {menu_of(each) for each in fixtures}
    return found.pop() or None if len(found) == 1 else None


def _mismatches(passport: Passport, asked: Asked, judged: Judged) -> Iterator[str]:
    for what, before, now in (
        ("judge", passport.judge, judged.judge),
        ("endpoint", passport.endpoint, judged.endpoint),
        ("requested model", passport.requested_model, judged.requested_model),
    ):
        if before != now:
            yield f'the {what} is "{now}", calibrated was "{before}"'
    covered = passport.kinds.get(asked.kind.value)
    if covered is None:
        known = ", ".join(passport.kinds) or "nothing"
        yield f"it was calibrated for {known}, not for {asked.kind.value}"
        return
    if covered.question_set != asked.question_set:
        yield f"the wording of the questions has changed ({covered.question_set[:12]} to {asked.question_set[:12]})"
    for name in sorted({*covered.options, *asked.options}):
        if covered.options.get(name) != asked.options.get(name):
            was, told = _said(covered.options.get(name)), _said(asked.options.get(name))
            yield f"the option {name} is {told}, calibrated was {was}"
    if covered.menu is not None and covered.menu != asked.menu:
        yield f"what is offered has changed ({covered.menu[:12]} to {asked.menu[:12]})"


def _said(value: Any) -> str:
    return (
        {True: "true", False: "false", None: "not set"}[value]
        if value is None or isinstance(value, bool)
        else f"{value}"
    )
