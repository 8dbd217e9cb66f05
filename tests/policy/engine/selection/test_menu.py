"""Candidates sorted out before anything is sent."""

from __future__ import annotations

from typing import Any

import pytest

from policy.engine.profile import Limits
from policy.engine.selection import Candidate, Category, Dropped, DropReason
from policy.engine.selection.menu import Menu, arrange
from policy.engine.selection.prepared import prepared


def members(menu: Menu) -> dict[str, list[str]]:
    return {group.category.id: [member.id for member in group.members] for group in menu.groups}


def test_groups_come_in_first_seen_order_and_share_tools() -> None:
    menu = arrange([Candidate("b", ("y", "x")), Candidate("a", ("x", "x"))], [])
    assert members(menu) == {"y": ["b"], "x": ["a", "b"]}


@pytest.mark.parametrize("categories", [(), ("",)])
def test_a_tool_without_a_category_is_uncategorized(categories: tuple[str, ...]) -> None:
    assert members(arrange([Candidate("a", categories)], [])) == {"uncategorized": ["a"]}


def test_members_are_ordered_by_priority_then_id() -> None:
    given = [Candidate("d", ("x",)), Candidate("c", ("x",), priority=2), Candidate("b", ("x",), priority=-1)]
    assert members(arrange([*given, Candidate("a", ("x",))], [])) == {"x": ["b", "c", "a", "d"]}


@pytest.mark.parametrize("order", [(True, False), (False, True)])
def test_any_restricted_entry_of_an_id_wins(order: tuple[bool, bool]) -> None:
    menu = arrange([Candidate("wipe", ("x",), restricted=each) for each in order], [])
    assert menu.groups == ()
    assert [dropped.reason for dropped in menu.dropped] == [DropReason.RESTRICTED, DropReason.DUPLICATE]
    assert menu.restricted == {"wipe"}


def test_the_first_entry_of_an_id_counts() -> None:
    menu = arrange([Candidate("a", ("x",), "first"), Candidate("a", ("y",), "second")], [])
    assert members(menu) == {"x": ["a"]}
    assert menu.groups[0].members[0].description == "first"


@pytest.mark.parametrize("empty", ["", " \n", None, 7, ["a"]])
def test_an_id_that_is_no_text_is_dropped(empty: Any) -> None:
    menu = arrange([Candidate(empty, ("x",), restricted=True), Candidate("a", ("x",))], [])
    assert menu.dropped == (Dropped("", DropReason.EMPTY),)


@pytest.mark.parametrize("odd", ["a\x00b", "a\ud800b"])
def test_an_id_that_cannot_be_sent_is_dropped(odd: str) -> None:
    assert arrange([Candidate(odd, ("x",))], []).dropped == (Dropped("a\ufffdb", DropReason.UNSENDABLE),)


def test_the_first_description_of_a_category_counts() -> None:
    menu = arrange([Candidate("a", ("x",))], [Category("x", "one"), Category("x", "two"), Category("unused")])
    assert [group.category for group in menu.groups] == [Category("x", "one")]


def test_always_allowed_ids_are_named_once_without_restricted_and_unsendable_ones() -> None:
    menu = arrange([Candidate("wipe", ("x",), restricted=True)], [], ["help", "wipe", "help", "h\ud800"])
    assert menu.always_allow == ("help",)
    assert menu.dropped[-1] == Dropped("h\ufffd", DropReason.UNSENDABLE)


def test_a_category_is_named_as_it_can_be_sent() -> None:
    menu = arrange([Candidate("a", ("x\ud800",))], [Category("x\ud800", "one")])
    assert [group.category for group in menu.groups] == [Category("x\ufffd", "one")]


def test_a_menu_is_made_ready_once_and_a_changed_one_anew() -> None:
    given = [Candidate("a", ("x",), "first")]
    menu, writer = prepared(given, [], [], Limits(), False)
    assert prepared(list(given), (), (), Limits(), False) == (menu, writer)
    other, _ = prepared([Candidate("a", ("x",), "second")], [], [], Limits(), False)
    assert other.groups[0].members[0].description == "second"


def test_a_menu_with_an_id_that_has_no_hash_is_made_ready_all_the_same() -> None:
    odd: Any = ["a"]
    menu, _ = prepared([Candidate(odd, ("x",)), Candidate("b", ("x",))], [], [], Limits(), False)
    assert members(menu) == {"x": ["b"]}
