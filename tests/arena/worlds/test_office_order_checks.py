from __future__ import annotations

from decimal import Decimal

import pytest

from arena.worlds.world import Effect
from tests.arena.worlds.office import act, fixture, fresh, refusal


def test_a_total_that_is_too_high_shows_its_gap() -> None:
    found = act(fresh(), "audit_order_total", order_id="4802")
    assert (found["expected"], found["charged"], found["difference"]) == ("144.70", "154.70", "10.00")
    assert [line["sum"] for line in found["lines"]] == ["119.80", "24.90"]
    assert not found["correct"]


def test_one_order_alone_has_a_wrong_total() -> None:
    world = fresh()
    ids = [order["id"] for order in fixture().all("orders")]
    assert [each for each in ids if not act(world, "audit_order_total", order_id=each)["correct"]] == ["4802"]
    assert "names no order" in refusal(world, "audit_order_total", order_id="999")


def test_an_order_placed_twice_is_detected() -> None:
    found = act(fresh(), "find_duplicate_orders")
    pairs = [(pair["first"], pair["second"], pair["days_apart"]) for pair in found["pairs"]]
    assert (found["compared"], pairs) == (11, [("4830", "4831", 0)])


def test_days_and_finished_orders_decide_what_is_compared() -> None:
    world = fresh()
    world.apply([Effect("update", "orders", "4830", {"state": "cancelled", "placed_on": "2026-03-01"})])
    assert act(world, "find_duplicate_orders", within_days=10)["pairs"] == []
    assert act(world, "find_duplicate_orders", include_finished=True)["pairs"] == []
    assert len(act(world, "find_duplicate_orders", include_finished=True, within_days=10)["pairs"]) == 1


def test_duplicates_may_be_sought_for_one_customer() -> None:
    assert act(fresh(), "find_duplicate_orders", customer_id="C-304") == {"compared": 1, "pairs": []}
    assert "customer_id names no customer" in refusal(fresh(), "find_duplicate_orders", customer_id="C-1")


def test_both_parts_of_an_order_cost_what_it_did() -> None:
    world = fresh()
    answer = act(world, "split_order", order_id="4826", skus=["BLB-E27-01"], note="lamps are late")
    kept, moved = (world.find("orders", each) or {} for each in ("4826", answer["new_order"]["id"]))
    assert (moved["id"], moved["customer_id"], moved["state"]) == ("4833", "C-305", "paid")
    assert moved["note"] == "split from 4826: lamps are late"
    assert Decimal(kept["total"]) + Decimal(moved["total"]) == Decimal("803.40")
    assert [len(order["items"]) for order in (kept, moved)] == [1, 1]


@pytest.mark.parametrize(
    ("order_id", "skus", "cause"),
    [
        ("4826", ["BLB-E27-01", "LMP-PND-03"], "names every article of order 4826; leave at least one behind"),
        ("4826", ["LMP-DSK-02"], "'LMP-DSK-02'; it has LMP-PND-03, BLB-E27-01"),
        ("4824", ["BLB-E27-01"], "4824 is shipped; only a paid one can be split"),
        ("4826", [], "skus has 0 entries; send at least 1"),
    ],
)
def test_an_order_that_cannot_be_split_is_refused(order_id: str, skus: list[str], cause: str) -> None:
    assert cause in refusal(fresh(), "split_order", order_id=order_id, skus=skus)


def test_an_order_with_a_wrong_total_is_not_split() -> None:
    world = fresh()
    world.apply([Effect("update", "orders", "4826", {"total": "800.00"})])
    assert "does not fit its lines" in refusal(world, "split_order", order_id="4826", skus=["BLB-E27-01"])
