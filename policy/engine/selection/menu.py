"""The candidates sorted out before anything is sent: restricted and duplicate ones leave, the rest is grouped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from policy.engine.bounds import clean_text, sendable
from policy.engine.selection.records import Candidate, Category, Dropped, DropReason

UNCATEGORIZED = "uncategorized"

_id = attrgetter("id")


@dataclass(frozen=True, slots=True)
class Group:
    """A category with its members in the order in which they are offered."""

    category: Category
    members: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Menu:
    """Groups in first-seen order; no restricted id is in any of them, nor among the always allowed.

    `priorities` holds those of the tools that have one.
    """

    groups: tuple[Group, ...]
    dropped: tuple[Dropped, ...]
    restricted: frozenset[str]
    always_allow: tuple[str, ...] = ()
    priorities: Mapping[str, int] = field(default_factory=dict)


def arrange(candidates: Sequence[Candidate], categories: Sequence[Category], always_allow: Sequence[str] = ()) -> Menu:
    """Sort out empty, duplicate and restricted ids; an id is restricted as soon as one of its entries is.

    A category is named as it can be sent: with U+FFFD where it holds something else.
    """
    restricted = frozenset(each.id for each in candidates if each.restricted and isinstance(each.id, str))
    kept: dict[str, Candidate] = {}
    refused: set[str] = set()
    dropped: list[Dropped] = []
    sound = _all_sendable([candidate.id for candidate in candidates])
    for candidate in candidates:
        tool = candidate.id
        if not (sound and tool.strip()) and not _usable(tool):
            dropped.append(_unusable(tool))
        elif tool in kept or tool in refused:
            dropped.append(Dropped(tool, DropReason.DUPLICATE))
        elif tool in restricted:
            dropped.append(Dropped(tool, DropReason.RESTRICTED))
            refused.add(tool)
        else:
            kept[tool] = candidate
    always = [tool for tool in dict.fromkeys(always_allow) if tool not in restricted]
    dropped.extend(_unusable(tool) for tool in always if not _usable(tool))
    return Menu(
        groups=_groups(kept.values(), categories),
        dropped=tuple(dropped),
        restricted=restricted,
        always_allow=tuple(filter(_usable, always)),
        priorities={tool: each.priority for tool, each in kept.items() if each.priority is not None},
    )


def _groups(candidates: Iterable[Candidate], categories: Sequence[Category]) -> tuple[Group, ...]:
    described = {_named(category.id): category for category in reversed(categories)}
    members: dict[str, list[Candidate]] = {}
    known: dict[tuple[str, ...], tuple[list[Candidate], ...]] = {}
    for candidate in candidates:
        names = tuple(candidate.categories)
        if names not in known:  # tools share few lists of categories: each list is read once
            known[names] = tuple(members.setdefault(category, []) for category in _categories(names))
        for group in known[names]:
            group.append(candidate)
    return tuple(
        Group(_as_sent(described.get(category), category), tuple(_in_order(group)))
        for category, group in members.items()
    )


def _categories(names: Sequence[str]) -> Iterable[str]:
    """Each of them once, as it can be sent."""
    return dict.fromkeys(map(_named, filter(None, names))) or (UNCATEGORIZED,)


def _as_sent(described: Category | None, category: str) -> Category:
    if described is None:
        return Category(category)
    return described if described.id == category else Category(category, described.description)


def _in_order(group: list[Candidate]) -> list[Candidate]:
    """By priority, those without one last, then by id."""
    group.sort(key=_id)
    if any(member.priority is not None for member in group):
        group.sort(key=lambda member: (member.priority is None, member.priority or 0))
    return group


def _named(category: str) -> str:
    return clean_text(category).text


def _all_sendable(tools: list[str]) -> bool:
    """One look at all ids together; a whole menu of plain ones needs no second."""
    return all(type(tool) is str for tool in tools) and sendable("".join(tools))


def _usable(tool: object) -> bool:
    return isinstance(tool, str) and not (tool.isspace() or not tool) and sendable(tool)


def _unusable(tool: object) -> Dropped:
    empty = not isinstance(tool, str) or not tool.strip()
    return Dropped("", DropReason.EMPTY) if empty else Dropped(_named(str(tool)), DropReason.UNSENDABLE)
