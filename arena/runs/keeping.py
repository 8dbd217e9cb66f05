"""A selection that is kept: a run that goes on with an answer has the menu of the run before it, in the same order.

A menu that changes breaks a provider's prompt cache of everything behind it, and costs another judgment. Kept is what
the selected lane saw at the end, tools that joined included. Where nothing was selected before, there is nothing to
keep: the judge is asked.
"""

from __future__ import annotations

from typing import Any

from arena import arms
from arena.models import Arm, Event, Lane, Run
from arena.runs.inputs import Inputs
from arena.runs.menus import Decision
from policy.engine.selection import Outcome

RULE = "selection.kept"


def kept(run: Run, given: Inputs) -> tuple[Decision, dict[str, Any]] | None:
    """The decision of the run before and its event as this run tells it; None where the judge has to be asked."""
    before = run.continues
    if not given.setup.stable_menu or before is None or before.outcome != Outcome.SELECTED.value:
        return None
    lane = Lane.objects.filter(run=before, arm=Arm.SELECTED).first()
    event = Event.objects.filter(run=before, kind="routing.decided").first()
    if lane is None or not lane.menu or event is None:
        return None
    decision = Decision(Outcome.SELECTED.value, RULE, arms.from_json(lane.menu))
    return decision, {**event.payload, "rule": RULE}
