"""The CSV: every figure, unknown as an empty field, and nothing that a spreadsheet would run."""

from __future__ import annotations

import csv
import io

import pytest
from django.test import Client

from policy.usage.export import harmless
from tests.policy.usage.rows import LOCAL, NO_ANSWER, REMOTE, TODAY, entry, keep, retried

pytestmark = pytest.mark.django_db


def lines(client: Client, query: str = "") -> list[dict[str, str]]:
    response = client.get(f"/usage/judges.csv{query}")
    assert response.headers["Content-Type"].startswith("text/csv")
    assert response.headers["Content-Disposition"].startswith('attachment; filename="judge-usage-')
    return list(csv.DictReader(io.StringIO(response.content.decode())))


def test_a_line_has_every_figure_of_a_judge_on_a_day(client: Client) -> None:
    keep([*retried(2, after="invalid_sum"), entry(REMOTE)])
    (line,) = lines(client)
    assert (line["day"], line["judge"], line["requested_model"]) == (TODAY.isoformat(), "typesafe", "jev-latest")
    assert (line["physical_requests"], line["retries"], line["retries_for_a_wrong_total"]) == ("5", "2", "2")
    assert (line["input_tokens"], line["known_cost_usd"]) == ("500", "0.000021")


def test_unknown_is_an_empty_field_and_counted_apart(client: Client) -> None:
    keep([entry({**REMOTE, **NO_ANSWER})])
    (line,) = lines(client)
    assert (line["input_tokens"], line["output_tokens"], line["known_cost_usd"]) == ("", "", "")
    assert (line["requests_without_input_tokens"], line["requests_without_known_cost"]) == ("1", "1")


def test_the_filters_of_the_page_hold_for_the_file(client: Client) -> None:
    keep([entry(LOCAL), entry(REMOTE)])
    assert [line["judge"] for line in lines(client, "?judge=local")] == ["local"]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "  =", "\N{FULLWIDTH EQUALS SIGN}", "|"])
def test_a_name_that_would_be_a_formula_is_made_harmless(client: Client, start: str) -> None:
    keep([entry(REMOTE, answered_model=f"{start}cmd()")])
    (line,) = lines(client)
    assert line["answering_model"] == f"'{start}cmd()"


def test_numbers_and_plain_names_stay_as_they_are() -> None:
    assert [harmless(value) for value in (5, None, "jev-1.13.0", "0.5")] == [5, None, "jev-1.13.0", "0.5"]
