from __future__ import annotations

import pytest

from arena.worlds.world import Effect
from tests.arena.worlds.office import act, fresh, refusal

HAMBURG = {"street": "Elbchaussee 5", "postcode": "22765", "city": "Hamburg"}


@pytest.mark.parametrize(
    ("order_id", "earliest", "latest", "freight"),
    [
        ("4822", "2026-03-10", "2026-03-12", False),
        ("4824", "2026-03-12", "2026-03-16", True),
        ("4825", "2026-03-16", "2026-03-19", False),
    ],
)
def test_a_parcel_on_the_road_has_its_days(order_id: str, earliest: str, latest: str, freight: bool) -> None:
    found = act(fresh(), "estimate_delivery", order_id=order_id)
    assert (found["earliest"], found["latest"], found["freight"]) == (earliest, latest, freight)
    assert not found["overdue"]


def test_an_order_that_waits_leaves_on_the_next_packing_day() -> None:
    found = act(fresh(), "estimate_delivery", order_id="4827")
    assert (found["shipped_on"], found["leaves_on"], found["latest"]) == (None, "2026-03-13", "2026-03-18")


def test_a_parcel_past_its_latest_day_is_overdue() -> None:
    world = fresh()
    world.apply([Effect("update", "orders", "4823", {"shipped_on": "2026-03-05"})])
    assert act(world, "estimate_delivery", order_id="4823")["overdue"]


@pytest.mark.parametrize(
    ("order_id", "cause"),
    [
        ("4807", "4807 is delivered and arrived on 2026-03-02"),
        ("4806", "4806 is cancelled; only a paid or shipped one"),
        ("48", "order_id names no order"),
    ],
)
def test_what_will_not_arrive_has_no_estimate(order_id: str, cause: str) -> None:
    assert cause in refusal(fresh(), "estimate_delivery", order_id=order_id)


def test_a_country_without_usual_times_is_named() -> None:
    world = fresh()
    world.apply([Effect("update", "orders", "4823", {"deliver_to": {**HAMBURG, "country": "PT"}})])
    assert "country PT of order 4823" in refusal(world, "estimate_delivery", order_id="4823")


def test_a_redirected_parcel_leaves_the_customer_record_alone() -> None:
    world = fresh()
    answer = act(world, "reroute_shipment", order_id="4823", **HAMBURG)
    order, customer = world.find("orders", "4823") or {}, world.find("customers", "C-304") or {}
    assert answer["before"] == customer["address"]
    assert order["deliver_to"] == {**HAMBURG, "country": "DE"}


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"order_id": "4827"}, "4827 is paid; correct the customer's address instead"),
        ({"order_id": "4807"}, "4807 is delivered; there is no parcel to redirect"),
        ({"postcode": "2276"}, "postcode is '2276', but DE has 5 digits; correct it."),
        ({"street": " "}, "street is blank"),
        ({"street": "Övelgönne 23", "postcode": "22605"}, "goes to exactly this address already"),
    ],
)
def test_a_parcel_that_cannot_be_redirected_is_refused(change: dict[str, str], cause: str) -> None:
    assert cause in refusal(fresh(), "reroute_shipment", **{"order_id": "4823", **HAMBURG, **change})


def test_a_replacement_goes_where_the_parcel_went() -> None:
    world = fresh()
    act(world, "reroute_shipment", order_id="4823", **HAMBURG)
    act(world, "send_replacement", order_id="4823", sku="LMP-DSK-02", reason="lost")
    sent = world.find("replacements", "rp_1") or {}
    assert (sent["sku"], sent["quantity"], sent["reason"]) == ("LMP-DSK-02", 1, "lost")
    assert sent["deliver_to"]["street"] == "Elbchaussee 5"


def test_no_more_is_replaced_than_was_bought() -> None:
    world = fresh()
    act(world, "send_replacement", order_id="4801", sku="LMP-TBL-04", quantity=1, reason="damaged")
    wanted = {"order_id": "4801", "sku": "LMP-TBL-04", "reason": "damaged"}
    assert "only 1 can still be replaced; send 1 or less" in refusal(world, "send_replacement", **wanted, quantity=2)
    act(world, "send_replacement", **wanted)
    assert "only 0 can still be replaced; leave it as it is" in refusal(world, "send_replacement", **wanted)


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"sku": "LMP-ARC-01"}, "no article of order 4819: 'LMP-ARC-01'; use one of LMP-DSK-02"),
        ({"order_id": "4803", "sku": "LMP-WAL-05"}, "4803 is refunded"),
        ({"order_id": "4828", "sku": "LMP-TBL-04"}, "4828 is paid; only goods that were sent"),
        ({"reason": "bored"}, "send one of damaged, wrong_item, lost"),
    ],
)
def test_a_replacement_for_nothing_is_refused(change: dict[str, str], cause: str) -> None:
    wanted = {"order_id": "4819", "sku": "LMP-DSK-02", "reason": "damaged"}
    assert cause in refusal(fresh(), "send_replacement", **{**wanted, **change})
