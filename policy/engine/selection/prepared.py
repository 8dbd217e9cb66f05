"""A menu and its questions, made ready once for all selections from the same tools."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from policy.engine.profile import Limits
from policy.engine.selection.menu import Menu, arrange
from policy.engine.selection.records import Candidate, Category
from policy.engine.selection.writer import QuestionWriter

# A host selects again and again for the few menus of its agents.
MENUS_KEPT = 32


def prepared(
    candidates: Sequence[Candidate],
    categories: Sequence[Category],
    always_allow: Sequence[str],
    limits: Limits,
    member_lines: bool,
) -> tuple[Menu, QuestionWriter]:
    """The arranged menu and the writer of its questions, kept for the next selection from the same menu."""
    given = (tuple(candidates), tuple(categories), tuple(always_allow), limits, member_lines)
    try:
        return _kept(*given)
    except TypeError:  # an id that is no text may have no hash; such a menu is arranged every time
        return _arranged(*given)


def forget() -> None:
    """Keep no menu, as in a new process."""
    _kept.cache_clear()


def _arranged(
    candidates: tuple[Candidate, ...],
    categories: tuple[Category, ...],
    always_allow: tuple[str, ...],
    limits: Limits,
    member_lines: bool,
) -> tuple[Menu, QuestionWriter]:
    menu = arrange(candidates, categories, always_allow)
    return menu, QuestionWriter(menu.groups, limits, member_lines=member_lines)


_kept = lru_cache(MENUS_KEPT)(_arranged)
