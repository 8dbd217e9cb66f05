from __future__ import annotations

import pytest

from tests.arena.worlds.office import act, fresh, ids, refusal

REPORT = {"title": "Cart loses its lines", "body": "After a reload the cart is empty.", "component": "checkout"}


def test_tickets_are_found_by_words_whatever_their_accents() -> None:
    found = act(fresh(), "find_tickets", text="zurich VAT")
    assert ids(found["tickets"]) == ["T-1022"]


def test_filters_of_tickets_add_up() -> None:
    found = act(fresh(), "find_tickets", state="open", component="checkout", priority="high", assignee="Brandvold")
    assert ids(found["tickets"]) == ["T-1045"]


def test_a_comment_counts_as_text_of_its_ticket() -> None:
    assert ids(act(fresh(), "find_tickets", text="LMP-OUT-07")["tickets"]) == ["T-1024"]


def test_a_long_list_of_tickets_is_cut_and_counted() -> None:
    found = act(fresh(), "find_tickets", state="open", limit=3)
    assert ids(found["tickets"]) == ["T-1045", "T-1044", "T-1043"]
    assert found["of"] == 20


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        ({"assignee": "Bruno"}, "names nobody of the staff: 'Bruno'"),
        ({"assignee": "a"}, "names several people of the staff"),
        ({"state": "done"}, "send one of open, closed"),
        ({"limit": 0}, "send at least 1"),
    ],
)
def test_a_wrong_filter_of_tickets_is_named(arguments: dict[str, object], cause: str) -> None:
    assert cause in refusal(fresh(), "find_tickets", **arguments)


def test_a_ticket_shows_its_discussion() -> None:
    ticket = act(fresh(), "get_ticket", ticket_id="T-1038")
    assert ticket["priority"] == "urgent"
    assert [comment["by"] for comment in ticket["comments"]] == ["p_10", "p_06"]


def test_an_unknown_ticket_names_the_nearest() -> None:
    assert "'T-138'; the nearest are T-1038" in refusal(fresh(), "get_ticket", ticket_id="T-138")


def test_a_new_ticket_gets_the_following_number() -> None:
    world = fresh()
    assert act(world, "create_ticket", **REPORT)["id"] == "T-1046"
    ticket = act(world, "get_ticket", ticket_id="T-1046")
    assert (ticket["state"], ticket["priority"], ticket["opened_at"]) == ("open", "normal", world.now)


def test_an_open_ticket_of_the_same_title_is_not_filed_twice() -> None:
    world = fresh()
    act(world, "create_ticket", **REPORT)
    assert "T-1046 has the same title" in refusal(world, "create_ticket", **REPORT)


@pytest.mark.parametrize(
    ("change", "cause"), [({"title": " "}, "title is blank"), ({"component": "kitchen"}, "send one of checkout")]
)
def test_an_incomplete_ticket_is_refused(change: dict[str, str], cause: str) -> None:
    assert cause in refusal(fresh(), "create_ticket", **{**REPORT, **change})


def test_closing_keeps_the_resolution() -> None:
    world = fresh()
    act(world, "close_ticket", ticket_id="T-1045", resolution="Duplicate of T-1038.")
    ticket = act(world, "get_ticket", ticket_id="T-1045")
    assert (ticket["state"], ticket["resolution"], ticket["closed_at"]) == ("closed", "Duplicate of T-1038.", world.now)


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        ({"ticket_id": "T-1031", "resolution": "Prices are right."}, "T-1031 was closed on 2026-03-05"),
        ({"ticket_id": "T-1038", "resolution": "      "}, "resolution is blank"),
        ({"ticket_id": "T-1038"}, "argument resolution is missing"),
        ({"ticket_id": "1038", "resolution": "Rolled back."}, "the nearest are T-1038"),
    ],
)
def test_a_ticket_is_not_closed_without_need_or_word(arguments: dict[str, str], cause: str) -> None:
    assert cause in refusal(fresh(), "close_ticket", **arguments)
