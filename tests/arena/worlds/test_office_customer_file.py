from __future__ import annotations

from typing import Any

import pytest

from tests.arena.worlds.office import act, fresh, ids, refusal


def test_the_purchases_of_a_customer_run_from_the_oldest() -> None:
    found = act(fresh(), "customer_order_history", customer_id="C-304")
    assert ids(found["orders"]) == ["4805", "4807", "4823"]
    assert found["orders"][0]["articles"] == ["2 x String light, 10 m"]


def test_cancelled_purchases_are_shown_when_asked_for() -> None:
    assert ids(act(fresh(), "customer_order_history", customer_id="C-312")["orders"]) == ["4830", "4831"]
    whole = act(fresh(), "customer_order_history", customer_id="C-312", with_cancelled=True)
    assert ids(whole["orders"]) == ["4806", "4830", "4831"]


def test_what_went_back_is_shown_beside_the_total() -> None:
    [order] = act(fresh(), "customer_order_history", customer_id="C-314")["orders"]
    assert (order["total"], order["paid_back"]) == ("339.20", "74.00")


def test_the_worth_of_a_customer_is_net_of_refunds_and_cancelled_orders() -> None:
    worth = act(fresh(), "customer_lifetime_value", customer_id="C-305")
    assert (worth["value"], worth["rank"], worth["average_order"]) == ("1244.40", 1, "622.20")
    assert worth["most_bought"] == "Halo pendant lamp"
    assert act(fresh(), "customer_lifetime_value", customer_id="C-310")["value"] == "24.90"


def test_a_customer_without_orders_has_no_average() -> None:
    worth = act(fresh(), "customer_lifetime_value", customer_id="C-324")
    assert (worth["value"], worth["average_order"], worth["last_order"]) == ("0.00", None, None)


def test_three_people_are_entered_twice_and_a_like_name_is_none() -> None:
    pairs = act(fresh(), "find_duplicate_customers")["pairs"]
    assert [(each["keep"]["id"], each["drop"]["id"], each["same"]) for each in pairs] == [
        ("C-310", "C-323", ["name_and_street"]),
        ("C-302", "C-325", ["email", "phone", "name_and_street"]),
        ("C-316", "C-322", ["phone", "name_and_street"]),
    ]


def test_twins_are_narrowed_by_sign_and_record() -> None:
    assert act(fresh(), "find_duplicate_customers", signs=["email"])["of"] == 1
    assert act(fresh(), "find_duplicate_customers", customer_id="C-304")["of"] == 0


def test_a_merge_moves_orders_and_tickets_and_deletes_one_record() -> None:
    world = fresh()
    merged = act(world, "merge_duplicate_customers", keep_id="C-325", drop_id="C-302")
    assert "4802" in merged["moved"]
    assert (world.find("orders", "4802") or {})["customer_id"] == "C-325"
    assert world.find("customers", "C-302") is None


def test_a_merge_remembers_the_other_address() -> None:
    world = fresh()
    act(world, "merge_duplicate_customers", keep_id="C-316", drop_id="C-322")
    assert (world.find("customers", "C-316") or {})["other_emails"] == ["u.brandt@isarpost.example"]


def test_erasing_empties_the_person_and_keeps_the_orders() -> None:
    world = fresh()
    assert act(world, "erase_personal_data", customer_id="C-320", order_id="4817")["orders_kept"] == ["4817"]
    erased = world.find("customers", "C-320") or {}
    assert (erased["name"], erased["email"], erased["address"]["city"]) == ("(erased)", "", "")
    assert "were erased at" in refusal(world, "erase_personal_data", customer_id="C-320", order_id="4817")


@pytest.mark.parametrize(
    ("tool_id", "arguments", "cause"),
    [
        ("customer_order_history", {"customer_id": "C-34"}, "customer_id names no customer"),
        ("customer_order_history", {"customer_id": "C-304", "since": "2026-13-01"}, "since is no date"),
        ("customer_lifetime_value", {"customer_id": "Anna Meyer"}, "customer_id names no customer"),
        ("find_duplicate_customers", {"customer_id": "C-999"}, "customer_id names no customer"),
        ("find_duplicate_customers", {"signs": ["birthday"]}, "send one of email"),
        ("merge_duplicate_customers", {"keep_id": "C-304", "drop_id": "C-309"}, "share neither mail address"),
        ("merge_duplicate_customers", {"keep_id": "C-316", "drop_id": "C-316"}, "are both C-316"),
        ("erase_personal_data", {"customer_id": "C-320"}, "order_id must prove who asks"),
        ("erase_personal_data", {"customer_id": "C-320", "order_id": "4807"}, "order_id must prove who asks"),
        ("erase_personal_data", {"customer_id": "C-304", "order_id": "4807"}, "4823 of C-304 are still on their way"),
    ],
)
def test_what_the_customer_file_cannot_do_is_refused(tool_id: str, arguments: dict[str, Any], cause: str) -> None:
    assert cause in refusal(fresh(), tool_id, **arguments)
