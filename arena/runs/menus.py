"""What every lane of a run gets to see, decided before anything is written: a menu, or why it is withheld."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

from arena import arms, controls
from arena.models import Arm
from arena.runs.inputs import Inputs
from policy.engine.selection import Outcome
from policy.engine.selectors import SelectorResult
from policy.judges.ranking import NoRanking

BLOCKED = "selection.prerequisite-blocked"
WITHHELD = {
    Outcome.NEEDS_CLARIFICATION: "The judge finds the task open: a question comes before any tool.",
    Outcome.NO_MATCH: "The judge finds no tool of the menu that fits the task.",
    Outcome.UNAVAILABLE: "There is no usable judgment, and without one no menu: the full menu is never the fallback.",
}
NO_SIZE = "It is as large as the selected menu, and there is none in this run; so this control has nothing to show."


@dataclass(frozen=True, slots=True)
class Decision:
    """What the selection came to: `outcome` and `rule` are empty where no judge was asked."""

    outcome: str = ""
    rule: str = ""
    picked: tuple[arms.MenuEntry, ...] = ()
    blocked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Laid:
    """The menu of one lane; `withheld` says why it has none, and is empty where the lane may run."""

    entries: tuple[arms.MenuEntry, ...] = ()
    withheld: str = ""


def decide(selection: SelectorResult | None, given: Inputs) -> Decision:
    """The selected menu with its prerequisites, or the outcome without one."""
    if selection is None:
        return Decision()
    picked, blocked = arms.selected(selection, given.catalog, given.menu, given.case.forbids)
    outcome, rule = selection.outcome.value, selection.rule
    if blocked and outcome == Outcome.SELECTED.value:
        # `two-stage` knows no prerequisites; `top-k` has said by a rule of its own that one is blocked.
        outcome, rule = Outcome.UNAVAILABLE.value, BLOCKED
    return Decision(outcome, rule, picked, blocked if outcome == Outcome.UNAVAILABLE.value else ())


def lay(arm: Arm, given: Inputs, decision: Decision) -> Laid:
    """The menu of an arm. A control that follows the selected menu's size has none where nothing was selected."""
    if arm.sees_everything:
        return Laid(arms.full(given.menu))
    if arm == Arm.ORACLE:
        return Laid(controls.oracle(given.case, given.menu, given.catalog))
    if decision.outcome != Outcome.SELECTED.value:
        return Laid(withheld=NO_SIZE if arm.is_control else _why(decision))
    return _control(arm, given, len(decision.picked)) if arm.is_control else Laid(decision.picked)


def _control(arm: Arm, given: Inputs, size: int) -> Laid:
    seed, cache_dir = given.setup.seed, settings.VECTORS_DIR
    try:
        menu = controls.of_size(arm, size, given.case, given.menu, given.catalog, seed=seed, cache_dir=cache_dir)
    except NoRanking as missing:
        return Laid(withheld=f"There are no sentence vectors to rank by: {missing}.")
    return Laid(menu)


def _why(decision: Decision) -> str:
    return _blocked(decision.blocked) if decision.blocked else WITHHELD[Outcome(decision.outcome)]


def _blocked(tools: Sequence[str]) -> str:
    return f"What was selected needs {', '.join(tools)}, which this lane may not have; so the whole menu is withheld."
