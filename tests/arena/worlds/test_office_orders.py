from __future__ import annotations

from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.worlds.handlers import ToolError
from tests.arena.worlds.office import act, fresh, ids, refusal

REFUND = {"order_id": "4807", "amount": 129, "reason": "damaged"}


def test_an_order_comes_with_its_items_and_refunds() -> None:
    order = act(fresh(), "get_order", order_id="4809")
    assert order["total"] == "339.20"
    assert [item["sku"] for item in order["items"]] == ["LMP-WAL-05", "BLB-E14-02"]
    assert [refund["amount"] for refund in order["refunds"]] == ["74.00"]


def test_an_unknown_order_names_the_nearest() -> None:
    sentence = refusal(fresh(), "get_order", order_id="48071")
    assert "order_id names no order: '48071'" in sentence
    assert "4807" in sentence.replace("48071", "")


def test_an_order_number_is_text() -> None:
    assert "order_id is a whole number; send a string" in refusal(fresh(), "get_order", order_id=4807)


def test_orders_of_a_customer_come_newest_first() -> None:
    listed = act(fresh(), "list_orders", customer_id="C-304")
    assert listed["of"] == 3
    assert ids(listed["orders"]) == ["4823", "4807", "4805"]


def test_both_ends_of_the_placing_days_count() -> None:
    listed = act(fresh(), "list_orders", placed_since="2026-03-09", placed_until="2026-03-11", state="paid")
    assert ids(listed["orders"]) == ["4831", "4830", "4829", "4828", "4827", "4826"]


def test_a_long_list_of_orders_is_cut_and_counted() -> None:
    listed = act(fresh(), "list_orders", limit=2)
    assert (listed["of"], len(listed["orders"])) == (32, 2)


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        ({"customer_id": "C-999"}, "customer_id names no customer"),
        ({"placed_since": "last week"}, "placed_since is no date: 'last week'"),
        ({"placed_since": "2026-03-02", "placed_until": "2026-03-01"}, "placed_since lies after placed_until"),
        ({"state": "lost"}, "send one of paid, shipped"),
    ],
)
def test_a_wrong_filter_of_orders_is_named(arguments: dict[str, str], cause: str) -> None:
    assert cause in refusal(fresh(), "list_orders", **arguments)


def test_a_full_refund_is_recorded_and_moves_the_order() -> None:
    world = fresh()
    act(world, "issue_refund", **REFUND, note="shade cracked")
    refund = world.find("refunds", "rf_4")
    assert refund is not None
    assert (refund["order_id"], refund["amount"], refund["note"]) == ("4807", "129.00", "shade cracked")
    assert act(world, "get_order", order_id="4807")["state"] == "refunded"


def test_a_part_may_be_refunded_once_more_up_to_the_total() -> None:
    world = fresh()
    first = act(world, "issue_refund", order_id="4820", amount=129.0, reason="wrong_item")
    assert (first["order_state"], first["left"]) == ("partly_refunded", "4.90")
    second = act(world, "issue_refund", order_id="4820", amount=4.9, reason="goodwill")
    assert (second["order_state"], second["left"]) == ("refunded", "0.00")


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(min_value=1, max_value=20_000), min_size=1, max_size=8))
def test_refunds_never_exceed_what_was_paid(cents: list[int]) -> None:
    world = fresh()
    for amount in cents:
        with suppress(ToolError):
            act(world, "issue_refund", order_id="4807", amount=amount / 100, reason="damaged")
    paid_back = [Decimal(each["amount"]) for each in act(world, "get_order", order_id="4807")["refunds"]]
    assert sum(paid_back, Decimal(0)) <= Decimal("129.00")


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"amount": 129.01}, "amount is 129.01, but of order 4807 only 129.00 EUR can still be paid back"),
        ({"order_id": "4809", "amount": 300}, "only 265.20 EUR"),
        ({"order_id": "4812"}, "4812 is cancelled"),
        ({"order_id": "4828"}, "4828 is paid but has not left the warehouse; cancel it instead"),
        ({"order_id": "4803"}, "4803 is refunded in full already"),
        ({"order_id": "9999"}, "names no order"),
        ({"amount": 12.345}, "at most two decimals"),
        ({"amount": 0}, "send at least 0.01"),
        ({"reason": "bored"}, "send one of damaged, wrong_item, late, goodwill"),
    ],
)
def test_a_refund_that_cannot_be_right_is_refused(change: dict[str, object], cause: str) -> None:
    assert cause in refusal(fresh(), "issue_refund", **{**REFUND, **change})


def test_a_paid_order_can_be_called_off() -> None:
    world = fresh()
    act(world, "cancel_order", order_id="4830", reason="placed twice")
    order = world.find("orders", "4830")
    assert order is not None
    assert (order["state"], order["cancel_reason"], order["cancelled_at"]) == ("cancelled", "placed twice", world.now)


@pytest.mark.parametrize(
    ("order_id", "cause"),
    [
        ("4822", "4822 is shipped; only a paid order"),
        ("4809", "4809 is partly refunded"),
        ("4806", "4806 is cancelled; leave it as it is"),
        ("483", "names no order: '483'; the nearest are 4832, 4831, 4830"),
    ],
)
def test_an_order_that_is_gone_cannot_be_called_off(order_id: str, cause: str) -> None:
    assert cause in refusal(fresh(), "cancel_order", order_id=order_id, reason="changed mind")


def test_calling_off_needs_a_reason_in_words() -> None:
    assert "reason is blank" in refusal(fresh(), "cancel_order", order_id="4830", reason="  ")
