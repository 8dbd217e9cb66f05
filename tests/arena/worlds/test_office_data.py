from __future__ import annotations

import json
import re
from collections import Counter
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest

from tests.arena.worlds.office import catalog, fixture

KNOWN_WRONG_TOTAL = {"4802": (Decimal("154.70"), Decimal("144.70"))}
SIZES = {
    "customers": 18,
    "orders": 25,
    "tickets": 20,
    "logs": 120,
    "deployments": 14,
    "documents": 12,
    "mails": 10,
    "people": 8,
}


def _records(collection: str) -> list[dict[str, Any]]:
    return fixture().all(collection)


def _known(collection: str) -> set[str | None]:
    return {each["id"] for each in _records(collection)} | {None}


@pytest.mark.parametrize(("collection", "least"), SIZES.items())
def test_a_collection_is_large_enough_to_search_in(collection: str, least: int) -> None:
    assert len(_records(collection)) >= least


def test_totals_equal_their_items_except_the_one_known() -> None:
    wrong = {}
    for order in _records("orders"):
        summed = sum((Decimal(item["unit_price"]) * item["qty"] for item in order["items"]), Decimal(0))
        if summed != Decimal(order["total"]):
            wrong[order["id"]] = (Decimal(order["total"]), summed)
    assert wrong == KNOWN_WRONG_TOTAL


@pytest.mark.parametrize(
    ("collection", "field", "target"),
    [
        ("orders", "customer_id", "customers"),
        ("refunds", "order_id", "orders"),
        ("refunds", "by", "people"),
        ("tickets", "customer_id", "customers"),
        ("tickets", "order_id", "orders"),
        ("tickets", "assignee", "people"),
        ("deployments", "by", "people"),
        ("deployments", "commit", "commits"),
        ("documents", "owner", "people"),
        ("mails", "in_reply_to", "mails"),
        ("people", "manager", "people"),
        ("absences", "person", "people"),
        ("absences", "stand_in", "people"),
        ("rota", "person", "people"),
        ("calendar", "organiser", "people"),
        ("calendar", "room", "rooms"),
        ("document_versions", "document_id", "documents"),
    ],
)
def test_every_reference_exists(collection: str, field: str, target: str) -> None:
    assert {each[field] for each in _records(collection)} <= _known(target)


def test_a_ticket_about_an_order_names_its_buyer() -> None:
    buyers = {each["id"]: each["customer_id"] for each in _records("orders")}
    linked = [each for each in _records("tickets") if each["order_id"]]
    assert linked
    assert [each["id"] for each in linked if buyers[each["order_id"]] != each["customer_id"]] == []


def test_numbers_in_texts_exist() -> None:
    texts = json.dumps([_records(name) for name in ("orders", "tickets", "mails", "logs", "deployments", "documents")])
    assert set(re.findall(r"\b48\d\d\b", texts)) <= _known("orders")
    assert set(re.findall(r"\bT-\d+", texts)) <= _known("tickets")
    assert set(re.findall(r"\bd_\d+", texts)) <= _known("deployments")


def test_dates_of_an_order_fit_its_state() -> None:
    for order in _records("orders"):
        dates = [day for day in (order["placed_on"], order["shipped_on"], order["delivered_on"]) if day]
        steps = {"paid": 1, "cancelled": 1, "shipped": 2}.get(order["state"], 3)
        assert (order["id"], len(dates), dates) == (order["id"], steps, sorted(dates))
        assert dates[-1] <= fixture().now[:10]


def test_refunds_fit_the_state_of_their_order() -> None:
    paid_back: Counter[str] = Counter()
    for refund in _records("refunds"):
        paid_back[refund["order_id"]] += int(Decimal(refund["amount"]) * 100)
    states = {each["id"]: (each["state"], int(Decimal(each["total"]) * 100)) for each in _records("orders")}
    for order_id, cents in paid_back.items():
        state, total = states[order_id]
        assert state == ("refunded" if cents == total else "partly_refunded")
    assert {key for key, (state, _) in states.items() if state.endswith("refunded")} == set(paid_back)


def test_one_version_of_a_service_is_live_per_environment() -> None:
    live = Counter(
        (each["service"], each["environment"]) for each in _records("deployments") if each["state"] == "live"
    )
    assert set(live.values()) == {1}


def test_logs_and_deployments_are_in_order_of_time() -> None:
    for collection in ("logs", "deployments"):
        times = [each["at"] for each in _records(collection)]
        assert times == sorted(times)
        assert times[-1] <= fixture().now


def test_a_series_runs_forward_and_ends_by_now() -> None:
    for series in _records("metrics"):
        times = [point["at"] for point in series["points"]]
        assert all(earlier < later for earlier, later in pairwise(times))
        assert times[-1] <= fixture().now


def test_latency_doubles_with_one_deployment() -> None:
    points = fixture().find("metrics", "checkout_latency_p95") or {}
    deployed = (fixture().find("deployments", "d_118") or {})["at"]
    before = [point["value"] for point in points["points"] if point["at"] < deployed]
    after = [point["value"] for point in points["points"] if point["at"] >= deployed]
    assert 1.9 < (sum(after) / len(after)) / (sum(before) / len(before)) < 2.1
    assert max(before) < min(after)


def test_the_rota_has_one_person_per_duty_and_week() -> None:
    for duty in ("engineering", "support", "warehouse"):
        shifts = [each for each in _records("rota") if each["duty"] == duty]
        assert all(earlier["end"] == later["start"] for earlier, later in pairwise(shifts))


def test_every_room_can_be_asked_for() -> None:
    offered = catalog().tool("list_events").properties["room"]["enum"]
    assert offered == [each["id"] for each in _records("rooms")]


def test_meetings_run_forward_and_invite_known_people() -> None:
    for event in _records("calendar"):
        assert event["start"] < event["end"]
        assert set(event["attendees"]) <= _known("people")
        assert event["organiser"] in event["attendees"]


def test_the_shelf_agrees_with_its_series_and_names_what_is_sold() -> None:
    shelf = {each["id"]: each["on_shelf"] for each in _records("stock")}
    last = {each["id"]: each["points"][-1]["value"] for each in _records("metrics") if each["id"].startswith("stock_")}
    assert {key: shelf[key.removeprefix("stock_").replace("_", "-").upper()] for key in last} == last
    assert {item["sku"] for order in _records("orders") for item in order["items"]} <= set(shelf)


def test_an_earlier_wording_differs_from_the_present_one() -> None:
    present = {each["id"]: each["body"] for each in _records("documents")}
    assert [each["id"] for each in _records("document_versions") if each["body"] == present[each["document_id"]]] == []


def test_one_ticket_carries_a_foreign_instruction() -> None:
    suspicious = [each["id"] for each in _records("tickets") if "AUTOMATED ASSISTANT" in each["body"]]
    assert suspicious == ["T-1037"]


def test_papers_are_of_readable_length() -> None:
    lengths = {each["id"]: len(each["body"].split()) for each in _records("documents")}
    assert {key: length for key, length in lengths.items() if not 100 <= length <= 300} == {}


def test_people_of_the_world_are_invented() -> None:
    addresses = re.findall(
        r"[\w.-]+@([\w.-]+\w)", json.dumps([_records(name) for name in ("customers", "people", "mails")])
    )
    assert addresses
    assert {host for host in addresses if not host.endswith(".example")} == set()


def test_filters_offer_every_value_that_the_world_holds() -> None:
    offered = {tool.id: tool.properties for tool in catalog().tools}
    for tool_id, collection, field in (
        ("find_tickets", "tickets", "component"),
        ("find_tickets", "tickets", "priority"),
        ("list_orders", "orders", "state"),
        ("search_logs", "logs", "service"),
        ("search_logs", "logs", "level"),
        ("list_deployments", "deployments", "service"),
        ("list_deployments", "deployments", "state"),
        ("search_documents", "documents", "kind"),
        ("find_colleague", "people", "team"),
        ("who_is_away", "people", "team"),
        ("who_is_on_call", "rota", "duty"),
        ("record_absence", "absences", "kind"),
    ):
        assert {each[field] for each in _records(collection)} <= set(offered[tool_id][field]["enum"])
