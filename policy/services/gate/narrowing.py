"""What a selection does to an agent's tools: it may leave some out, and never adds one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from policy.engine.selection import Selection
from policy.engine.selection.records import Status


@dataclass(frozen=True, slots=True)
class Menu:
    """The tools that an agent may see, in the host's order; `reason` says why they were or were not narrowed."""

    tools: tuple[str, ...]
    narrowed: bool
    reason: str
    selection: Selection | None = None


def narrowed(existing: Sequence[str], selection: Selection, *, stale: bool = False) -> Menu:
    """Selected, expand and always-allowed tools among the existing ones (spec section 3.6).

    Everything stays where the mode is not enforce, the status not `selected`, the selection stale or nothing would
    be left.
    """
    if not selection.applied or selection.status is not Status.SELECTED:
        return Menu(
            tuple(existing), False, f"selection {selection.status.value} in mode {selection.mode.value}", selection
        )
    if stale:
        return Menu(tuple(existing), False, "the selection is stale: task or tools changed meanwhile", selection)
    wanted = {*(each.id for each in (*selection.selected, *selection.expand)), *selection.always_allow}
    kept = tuple(tool for tool in existing if tool in wanted)
    if not kept:
        return Menu(tuple(existing), False, "none of the selected tools exists any more", selection)
    return Menu(kept, True, f"{len(kept)} of {len(existing)} tools were selected", selection)
