"""A saved profile is armed only for what it was calibrated on; disarmed, it permits nothing and is not replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from policy.calibration.fixtures import Kind
from policy.calibration.measuring import Options, question_set
from policy.calibration.passport import Asked, Judged, Saved, menu_digest, mismatches
from policy.engine.failures import Failure, FailureCode, JudgeFailed
from policy.engine.judge import Judge, JudgeReply, JudgeRequest
from policy.engine.model_routing import Route
from policy.engine.profile import Limits, Profile
from policy.engine.selection import Candidate, Category, Selection, Status
from policy.engine.skill_routing import Skill

Result = TypeVar("Result")


def asked(kind: Kind, *, menu: str = "", member_lines: bool = False, limits: Limits) -> Asked:
    """What a call asks, in the terms of a passport."""
    return Asked(kind, question_set(kind), Options(member_lines, limits).of(kind), menu)


def tools_menu(candidates: Sequence[Candidate], categories: Sequence[Category]) -> str:
    """The digest of a menu of tools, as `passport.menu_of` has it."""
    tools = [[each.id, list(each.categories), each.description, each.restricted] for each in candidates]
    return menu_digest([tools, [[each.id, each.description] for each in categories]])


def skills_menu(candidates: Sequence[Skill]) -> str:
    return menu_digest([[each.name, each.description, each.when_to_use] for each in candidates])


def routes_menu(routes: Mapping[str, Route | None]) -> str:
    def told(route: Route) -> dict[str, Any]:
        return {key: value for key, value in route.to_json().items() if value is not None}

    return menu_digest({name: told(route) for name, route in routes.items() if route is not None})


def asked_with(kind: Kind, inputs: Mapping[str, Any], *, limits: Limits) -> Asked:
    """The same from the inputs that a function of the engine takes."""
    match kind:
        case Kind.SELECTION:
            menu = tools_menu(inputs["candidates"], inputs.get("categories", ()))
            return asked(kind, menu=menu, member_lines=bool(inputs.get("member_lines")), limits=limits)
        case Kind.SKILL:
            return asked(kind, menu=skills_menu(inputs["candidates"]), limits=limits)
        case Kind.MODEL_ROUTE:
            return asked(kind, menu=routes_menu(inputs["routes"]), limits=limits)
        case _:
            return asked(kind, limits=limits)


def armed(profile: Profile | Saved | None, call: Asked | None, judge: Judge, asking: Judge) -> ArmedJudge | None:
    """`asking` (the judge, perhaps recorded) behind the passport of a saved profile; None where there is no passport.

    `disarmed` of it says afterwards why nothing was decided, if so. `call` None uses no threshold of the profile.
    """
    if not isinstance(profile, Saved) or call is None:
        return None
    return ArmedJudge(asking, profile, mismatches(profile.passport, call, Judged.of(judge)))


class ArmedJudge:
    """Asks only where the passport fits; an answer by another model than the calibrated one is none."""

    def __init__(self, judge: Judge, saved: Saved, reasons: tuple[str, ...]) -> None:
        self.name = judge.name
        self._judge = judge
        self._saved = saved
        self.disarmed = reasons

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        if self.disarmed:
            raise JudgeFailed(self._failure(unsent=True))
        reply = self._judge.ask(request, timeout_s=timeout_s)
        model = reply.body.get("model") if isinstance(reply.body, Mapping) else None
        calibrated = self._saved.passport.answered_model
        if (model or "") != calibrated:
            self.disarmed = (f'"{model}" answered, calibrated was "{calibrated}"',)
            raise JudgeFailed(self._failure(unsent=False))
        return reply

    def _failure(self, *, unsent: bool) -> Failure:
        said = "; ".join(self.disarmed)
        message = f"profile {self._saved.reference} is disarmed: {said}. Calibrate again, or name another profile"
        return Failure(FailureCode.INVALID_CONFIG, message, unsent=unsent)


def withheld(result: Result, disarmed: tuple[str, ...]) -> Result:
    """A disarmed selection abstains; every other result already says what a failure means for it."""
    if disarmed and isinstance(result, Selection) and result.status is Status.FALLBACK:
        return replace(result, status=Status.ABSTAINED)
    return result
