"""One function per judgment, for pages and the API: plain input, a named judge, every request in the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from policy.engine import selection
from policy.services.asking import Judgment, Terms, ask

__all__ = ["Judgment", "Terms", "select_tools"]


def select_tools(
    *,
    task: str,
    candidates: Sequence[selection.Candidate],
    categories: Sequence[selection.Category] = (),
    step: str | None = None,
    always_allow: Sequence[str] = (),
    max_selected: int | None = None,
    ask_first: bool = False,
    member_lines: bool = False,
    **terms: Unpack[Terms],
) -> Judgment[selection.Selection]:
    """Which of the candidates the task needs (seed 000, Tool selection); `policy.services.asking.ask` says the rest."""
    return ask(
        lambda profile, mode: selection.select_tools(
            task=task,
            candidates=candidates,
            categories=categories,
            profile=profile,
            step=step,
            always_allow=always_allow,
            max_selected=max_selected,
            mode=mode,
            ask_first=ask_first,
            member_lines=member_lines,
        ),
        **terms,
    )
