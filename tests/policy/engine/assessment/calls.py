"""One call to assess, and how its questions are answered."""

from __future__ import annotations

from typing import Any

from policy.engine.assessment import Assessment, assess_call
from policy.engine.profile import Profile
from policy.judges.scripted import Script, ScriptedJudge
from tests.policy.engine.doubles import drive

CALL: dict[str, Any] = {
    "task": "tell operations that the disk is full",
    "tool": "send_mail",
    "arguments": {"to": "ops@example.org"},
    "restrictions": ["do not mail customers"],
    "profile": Profile(),
}


def answers(violates: float = 0.1, missing: float = 0.1, matches: float = 0.9, **more: Any) -> dict[str, Any]:
    """A call in order, unless told otherwise."""
    nouls = {"violates_restriction": violates, "missing_information": missing, "matches_task": matches}
    return {**{name: {"noul": noul} for name, noul in nouls.items()}, **more}


def assessed(script: Script | None = None, **changed: Any) -> tuple[Assessment, ScriptedJudge]:
    judge = ScriptedJudge(script or Script(answers()))
    return drive(assess_call(**{**CALL, **changed}), judge), judge
