from __future__ import annotations

from typing import Any

import pytest

from tests.arena.worlds.office import act, fresh, ids, refusal

YEAR = {
    "table": "orders",
    "date_column": "placed_on",
    "first_since": "2026-01-01",
    "first_until": "2026-01-31",
    "second_since": "2026-02-01",
    "second_until": "2026-02-28",
}


def test_rows_are_picked_by_number_and_sorted() -> None:
    wanted = {"table": "orders", "column": "total", "operator": "at_least", "value": "200"}
    found = act(fresh(), "filter_rows", **wanted, order_by="total", descending=True, columns=["id", "total"])
    assert found["rows"][0] == {"id": "4826", "total": "803.40"}
    assert ids(found["rows"]) == ["4826", "4804", "4809", "4822"]


@pytest.mark.parametrize(
    ("column", "operator", "value", "count"),
    [
        ("placed_on", "at_most", "2026-01", 10),
        ("shipped_on", "empty", "any", 9),
        ("state", "equals", "PAID", 7),
        ("id", "contains", "483", 3),
    ],
)
def test_text_and_dates_are_compared_as_people_write_them(column: str, operator: str, value: str, count: int) -> None:
    assert act(fresh(), "filter_rows", table="orders", column=column, operator=operator, value=value)["of"] == count


def test_paid_orders_sum_up_to_the_cent() -> None:
    found = act(fresh(), "group_and_sum", table="orders", group_by="state", figure="sum", column="total")
    assert {"state": "paid", "rows": 7, "sum of total": "1384.30"} in found["groups"]
    assert found["all"] == {"rows": 32, "sum of total": "4659.70"}


def test_an_order_knows_the_country_of_its_buyer() -> None:
    found = act(fresh(), "group_and_sum", table="orders", group_by="country", figure="sum", column="total")
    assert [group["country"] for group in found["groups"]][:2] == ["GB", "DE"]
    assert found["of"] == 7


def test_rows_of_two_tables_meet_over_a_key() -> None:
    keys = {"left": "refunds", "right": "orders", "left_column": "order_id", "right_column": "id"}
    found = act(fresh(), "join_tables", **keys, columns=["id", "amount", "orders.customer_id"])
    assert found["rows"][0] == {"id": "rf_1", "amount": "74.00", "orders.customer_id": "C-310"}
    assert found["of"] == 3


def test_customers_without_an_order_have_no_partner() -> None:
    keys = {"left": "customers", "right": "orders", "left_column": "id", "right_column": "customer_id"}
    assert ids(act(fresh(), "join_tables", **keys, keep="unmatched")["rows"]) == ["C-322", "C-323", "C-324", "C-325"]


@pytest.mark.parametrize(("percent", "value"), [(0, "24.90"), (50, "96.05"), (90, "229.99"), (100, "803.40")])
def test_a_percentile_lies_between_the_nearest_ranks(percent: float, value: str) -> None:
    assert act(fresh(), "column_percentile", table="orders", column="total", percent=percent)["value"] == value


def test_orders_far_off_the_rest_are_spotted() -> None:
    found = act(fresh(), "detect_outliers", table="orders", column="total")
    assert (ids(found["rows"]), found["fences"]["above"]) == (["4804", "4809", "4826"], "285.11")
    assert ids(act(fresh(), "detect_outliers", table="orders", column="total", reach=4)["rows"]) == ["4826"]


def test_tickets_are_laid_out_by_component_and_state() -> None:
    found = act(fresh(), "pivot_table", table="tickets", down="component", across="state")
    assert found["columns"] == ["closed", "open"]
    assert {"component": "shipping", "closed": 1, "open": 6} in found["lines"]
    assert {"component": "mailer", "closed": None, "open": 1} in found["lines"]


def test_two_months_are_compared() -> None:
    found = act(fresh(), "compare_periods", **YEAR, figure="sum", column="total")
    assert (found["first"], found["second"]["rows"]) == ({"rows": 9, "sum of total": "1548.20"}, 10)
    assert (found["difference"], found["change_percent"]) == ("-472.90", "-30.5")


def test_no_change_in_percent_is_told_from_nothing() -> None:
    assert act(fresh(), "compare_periods", **{**YEAR, "first_since": "2026-01-31"})["change_percent"] is None


@pytest.mark.parametrize(
    ("column", "rule", "failing"),
    [
        ("unit_cost", "filled", ["pi_05"]),
        ("unit_cost", "number", ["pi_07"]),
        ("unit_cost", "positive", ["pi_04", "pi_07"]),
        ("valid_from", "date", ["pi_08"]),
        ("contact", "mail_address", ["pi_08"]),
        ("sku", "unique", ["pi_01", "pi_02"]),
        ("currency", "listed", ["pi_06", "pi_12"]),
    ],
)
def test_faults_of_an_import_are_found(column: str, rule: str, failing: list[str]) -> None:
    checked = {"table": "price_import", "column": column, "rule": rule, "allowed": ["EUR"]}
    assert ids(act(fresh(), "validate_rows", **checked)["failing"]) == failing


def test_a_draw_repeats_with_its_seed() -> None:
    first, again, other = (act(fresh(), "sample_rows", table="orders", size=5, seed=seed) for seed in (7, 7, 8))
    assert first == again != other
    assert len(set(ids(first["rows"]))) == 5


@pytest.mark.parametrize(
    ("tool_id", "arguments", "cause"),
    [
        (
            "filter_rows",
            {"table": "orders", "column": "price", "operator": "empty"},
            "column names no column of orders",
        ),
        ("filter_rows", {"table": "orders", "column": "total", "operator": "equals"}, "value is missing"),
        ("filter_rows", {"table": "orders", "column": "total", "operator": "equals", "value": "a lot"}, "is no number"),
        ("group_and_sum", {"table": "orders", "group_by": "state", "figure": "sum"}, "column is missing"),
        ("group_and_sum", {"table": "orders", "group_by": "id", "figure": "sum", "column": "state"}, "column of text"),
        (
            "join_tables",
            {"left": "orders", "right": "customers", "left_column": "customer", "right_column": "id"},
            "left_column names no column of orders: 'customer'",
        ),
        ("column_percentile", {"table": "orders", "column": "total", "percent": 101}, "percent is 101"),
        ("column_percentile", {"table": "orders", "column": "state", "percent": 50}, "column of text"),
        ("detect_outliers", {"table": "refunds", "column": "amount"}, "has 3 numbers; outliers need 5"),
        ("pivot_table", {"table": "orders", "down": "state", "across": "state"}, "are both state"),
        ("compare_periods", {**YEAR, "date_column": "state"}, "date_column holds no dates: state"),
        ("compare_periods", {**YEAR, "first_until": "2025-12-31"}, "first_since lies after first_until"),
        ("validate_rows", {"table": "stock", "column": "id", "rule": "listed"}, "allowed is missing"),
        ("validate_rows", {"table": "secrets", "column": "id", "rule": "filled"}, "send one of orders"),
        ("sample_rows", {"table": "refunds", "size": 9}, "refunds has 3 rows"),
    ],
)
def test_what_cannot_be_reckoned_is_refused(tool_id: str, arguments: dict[str, Any], cause: str) -> None:
    assert cause in refusal(fresh(), tool_id, **arguments)
