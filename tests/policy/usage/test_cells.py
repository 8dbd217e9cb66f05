"""Summing in the database: the same number of queries for ten rows and for many, and the same numbers as by hand."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from policy.prices import in_force
from policy.usage.cells import all_calls, calls, cells, latencies, remote_latencies, total
from policy.usage.filters import Filter
from tests.policy.usage.rows import LOCAL, REMOTE, TODAY, entry, keep, retried

pytestmark = pytest.mark.django_db

RANGE = Filter(TODAY - timedelta(days=13), TODAY)


@pytest.mark.usefixtures("owner")
@pytest.mark.parametrize(
    ("address", "queries"),
    [("/usage/", 8), ("/usage/?unit=calls&by=day", 9), ("/usage/requests/", 3), ("/usage/judges.csv", 3)],
)
def test_a_page_asks_the_database_as_often_for_ten_rows_as_for_a_thousand(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, address: str, queries: int
) -> None:
    for rows in (10, 1000):
        keep(
            [entry((LOCAL, REMOTE)[index % 2], day=index % 14, answered_model=f"m{index % 5}") for index in range(rows)]
        )
        with django_assert_num_queries(queries):
            assert client.get(address).status_code == 200


def test_cells_add_up_to_the_rows() -> None:
    keep([entry(REMOTE, day=index % 3, input_tokens=index, output_tokens=None) for index in range(30)])
    amounts, cost = total(cells(RANGE, in_force()))
    assert (amounts.requests, amounts.input, amounts.output_unknown) == (30, sum(range(30)), 30)
    assert cost.usd is not None
    assert f"{cost.usd:f}" == f"{sum(range(30)) * 0.042 / 1_000_000:.8f}"


def test_a_call_counts_once_in_all_and_under_every_model_that_had_a_request_of_it() -> None:
    keep(retried(2))
    assert calls(RANGE, "model") == {("jev-1.13.0",): 2, ("jev-latest",): 2}
    assert all_calls(RANGE) == 2


@pytest.mark.parametrize(
    ("times", "half", "most"),
    [([5.0], 5.0, 5.0), ([1.0, 2.0], 1.0, 2.0), ([float(time) for time in range(1, 101)], 50.0, 95.0)],
    ids=["one", "two", "a hundred"],
)
def test_percentiles_are_those_of_the_nearest_rank(times: list[float], half: float, most: float) -> None:
    keep([entry(REMOTE, latency_ms=time) for time in reversed(times)] + [entry(LOCAL, latency_ms=7.0)])
    found = latencies(RANGE, "judge")
    assert found == {"typesafe": {50: half, 95: most}, "local": {50: 7.0, 95: 7.0}}
    assert remote_latencies(RANGE) == {50: half, 95: most}


def test_a_redirect_is_a_request_but_neither_a_retry_nor_an_unknown() -> None:
    hop = entry(REMOTE, verdict="redirected", status="failed", input_tokens=None, output_tokens=None)
    keep([hop, entry(REMOTE, after="redirected", call=hop.call, attempt=2)])
    amounts, cost = total(cells(RANGE, in_force()))
    assert (amounts.requests, amounts.retries, amounts.failed) == (2, 0, 0)
    assert (amounts.input_unknown, cost.unknown) == (0, 0)


def test_days_are_days_in_utc_and_both_ends_are_in() -> None:
    keep([entry(day=13), entry(day=0), entry(day=14)])
    assert [cell.day for cell in cells(RANGE, in_force())] == [TODAY - timedelta(days=13), TODAY]
