"""The candidates sorted out before anything is sent: restricted and duplicate ones leave, the rest is grouped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from policy.engine.bounds import clean_text
from policy.engine.selection.records import Candidate, Category, Dropped, DropReason

UNCATEGORIZED = "uncategorized"


@dataclass(frozen=True, slots=True)
class Group:
    """A category with its members in the order in which they are offered."""

    category: Category
    members: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Menu:
    """Groups in first-seen order; no restricted id is in any of them, nor among the always allowed."""

    groups: tuple[Group, ...]
    dropped: tuple[Dropped, ...]
    restricted: frozenset[str]
    always_allow: tuple[str, ...] = ()


def arrange(candidates: Sequence[Candidate], categories: Sequence[Category], always_allow: Sequence[str] = ()) -> Menu:
    """Sort out empty, duplicate and restricted ids; an id is restricted as soon as one of its entries is.

    A category is named as it can be sent: with U+FFFD where it holds something else.
    """
    restricted = frozenset(
        candidate.id for candidate in candidates if candidate.restricted and isinstance(candidate.id, str)
    )
    kept: dict[str, Candidate] = {}
    seen: set[str] = set()
    dropped: list[Dropped] = []
    for candidate in candidates:
        if (unusable := _unusable(candidate.id)) is not None:
            dropped.append(unusable)
            continue
        if candidate.id in seen:
            dropped.append(Dropped(candidate.id, DropReason.DUPLICATE))
        elif candidate.id in restricted:
            dropped.append(Dropped(candidate.id, DropReason.RESTRICTED))
        else:
            kept[candidate.id] = candidate
        seen.add(candidate.id)
    always: list[str] = []
    for tool in dict.fromkeys(always_allow):
        if (unusable := _unusable(tool)) is not None:
            dropped.append(unusable)
        elif tool not in restricted:
            always.append(tool)
    return Menu(_groups(tuple(kept.values()), categories), tuple(dropped), restricted, tuple(always))


def _groups(candidates: Sequence[Candidate], categories: Sequence[Category]) -> tuple[Group, ...]:
    described = {_named(category.id): replace(category, id=_named(category.id)) for category in reversed(categories)}
    members: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        for category in dict.fromkeys(map(_named, filter(None, candidate.categories))) or (UNCATEGORIZED,):
            members.setdefault(category, []).append(candidate)
    return tuple(
        Group(described.get(category, Category(category)), tuple(sorted(group, key=_offer_order)))
        for category, group in members.items()
    )


def _offer_order(candidate: Candidate) -> tuple[bool, int, str]:
    return candidate.priority is None, candidate.priority or 0, candidate.id


def _named(category: str) -> str:
    return clean_text(category).text


def _unusable(tool: str) -> Dropped | None:
    if not isinstance(tool, str) or not tool.strip():
        return Dropped("", DropReason.EMPTY)
    cleaned = clean_text(tool)
    return Dropped(cleaned.text, DropReason.UNSENDABLE) if cleaned.lost else None
