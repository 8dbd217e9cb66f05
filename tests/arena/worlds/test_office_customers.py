from __future__ import annotations

import pytest

from tests.arena.worlds.office import act, fresh, ids, refusal

MOVE = {"customer_id": "C-309", "street": "Könneritzstraße 14", "postcode": "04229", "city": "Leipzig"}


def test_a_shared_surname_gives_everybody() -> None:
    found = act(fresh(), "find_customer", query="meyer")
    assert found["of"] == 3
    assert ids(found["customers"]) == ["C-304", "C-309", "C-315"]


def test_the_town_tells_namesakes_apart() -> None:
    assert ids(act(fresh(), "find_customer", query="Anna Meyer", city="leipzig")["customers"]) == ["C-309"]
    assert ids(act(fresh(), "find_customer", query="Anna Meyer Hamburg")["customers"]) == ["C-304"]


def test_nobody_found_names_similar_people() -> None:
    found = act(fresh(), "find_customer", query="Meier")
    assert found == {"of": 0, "customers": [], "similar": ["Anna Meyer", "Robert Meyer"]}


def test_an_empty_query_is_refused() -> None:
    assert "query has 0 characters" in refusal(fresh(), "find_customer", query="")


def test_a_move_changes_the_address_alone_and_names_waiting_orders() -> None:
    world = fresh()
    before = world.find("customers", "C-309")
    assert act(world, "update_address", **MOVE)["orders_waiting"] == ["4827"]
    after = world.find("customers", "C-309")
    assert before is not None
    address = {"street": "Könneritzstraße 14", "postcode": "04229", "city": "Leipzig", "country": "DE"}
    assert after == {**before, "address": address}


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"customer_id": "C-39"}, "customer_id names no customer: 'C-39'; the nearest are C-3"),
        ({"postcode": "4229"}, "postcode is '4229', but DE has 5 digits"),
        ({"country": "AT"}, "AT has 4 digits"),
        ({"street": "  "}, "street is blank"),
        ({"street": "Karl-Heine-Straße 60"}, "has exactly this address already"),
        ({"country": "US"}, "send one of DE, AT"),
    ],
)
def test_a_wrong_address_is_refused(change: dict[str, str], cause: str) -> None:
    assert cause in refusal(fresh(), "update_address", **{**MOVE, **change})
