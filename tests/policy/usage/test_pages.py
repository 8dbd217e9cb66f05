"""The usage pages as people see them: every filter, the sums, what an empty page says, what is refused."""

from __future__ import annotations

import html
import re
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from policy.models import LedgerEntry
from tests.policy.usage.rows import LOCAL, NO_ANSWER, REMOTE, TODAY, entry, keep, retried

pytestmark = pytest.mark.django_db

OPENROUTER = {**REMOTE, "judge": "openrouter", "answered_model": "typesafe/jev-1.13-20260917"}


def text_of(response: Any) -> str:
    """What a reader sees, entities and white space aside."""
    words = re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", response.content.decode(), flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(words)).replace("\N{NARROW NO-BREAK SPACE}", " ")


def usage(client: Client, query: str = "", *, status: int = 200) -> str:
    response = client.get(f"/usage/{query}")
    assert response.status_code == status
    return text_of(response)


def calls(text: str) -> int:
    """The first of the six figures."""
    found = re.search(r"logical calls ([\d,]+)", text)
    assert found
    return int(found[1].replace(",", ""))


@pytest.fixture
def _ledger(db: None) -> None:
    keep(
        [
            *(entry(LOCAL, origin="lab") for _ in range(4)),
            *(entry(REMOTE, day=3) for _ in range(2)),
            *retried(3, day=3, after="invalid_sum"),
            *retried(1, day=3),
            entry({**REMOTE, **NO_ANSWER}, origin="api", failure_code="TIMEOUT"),
            entry(OPENROUTER, origin="api", day=3, output_tokens=None),
            entry(REMOTE, cached_at=datetime.now(UTC), verdict=""),
            entry(REMOTE, day=40, origin="api"),
        ]
    )


@pytest.mark.usefixtures("_ledger")
def test_the_six_figures_count_calls_requests_retries_tokens_and_money(client: Client) -> None:
    text = usage(client)
    assert "logical calls 13 16 physical requests" in text
    assert "retries 4 3 for a wrong total" in text
    assert "input tokens ≥ 1,400 400 of them estimated" in text
    assert "output tokens ≥ 130 3 requests unknown" in text
    assert "p50, HTTP judges 250 ms p95 250 ms" in text
    assert "known cost ≥ $0.000037 3 requests unknown" in text


@pytest.mark.usefixtures("_ledger")
def test_what_is_unknown_is_named_row_by_row_and_never_nothing(client: Client) -> None:
    text = usage(client)
    assert "local local-e5small+bm25-4 4 4 0 400 40 $0.00 14 ms none, all estimated" in text
    assert "typesafe jev-1.13.0 8 11 4 ≥ 900 ≥ 90 ≥ $0.000037 250 ms 2 failed requests without usage" in text
    assert "1 1 0 100 — — 250 ms output never told, no price of typesafe/jev-1.13-20260917" in text


@pytest.mark.usefixtures("_ledger")
def test_stored_answers_and_agents_are_never_added_in(client: Client) -> None:
    text = usage(client)
    assert "1 answer came from the store and cost nothing; they would have cost < $0.01." in text
    assert "Agents are counted on their own tab and never added in here." in text


@pytest.mark.usefixtures("_ledger")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", 13),
        (f"?from={TODAY - timedelta(days=50)}&to={TODAY}", 14),
        (f"?from={TODAY}&to={TODAY}", 6),
        ("?judge=local", 4),
        ("?model=jev-1.13.0", 7),
        ("?model=jev-latest", 2),
        ("?origin=api", 2),
        ("?status=failed", 2),
        ("?status=stored", 1),
        ("?judge=typesafe&origin=run&status=answered", 6),
    ],
)
def test_every_filter_is_in_the_address_and_counts(client: Client, query: str, expected: int) -> None:
    assert calls(usage(client, query)) == expected


@pytest.mark.usefixtures("_ledger")
def test_a_filter_that_is_set_can_be_taken_away(client: Client) -> None:
    page = client.get("/usage/?judge=local&by=day&unit=calls").content.decode()
    assert 'aria-label="Remove the filter on judge local"' in page
    assert 'href="?unit=calls&amp;by=day"' in page
    assert '<option value="local" selected>' in page


@pytest.mark.usefixtures("_ledger")
@pytest.mark.parametrize(
    ("by", "first"),
    [
        ("judge", "typesafe jev-1.13.0 8"),
        ("model", "jev-1.13.0 typesafe 7"),
        ("day", f"{TODAY.day} {TODAY:%b %Y} 6"),
        ("origin", "run 7"),
    ],
)
def test_the_table_has_a_row_for_each_judge_model_day_or_origin(client: Client, by: str, first: str) -> None:
    table = usage(client, f"?by={by}").split("p50 Unknown ", 1)[1]
    assert table.startswith(first)
    assert " all 13 16 4 " in table


@pytest.mark.usefixtures("_ledger")
@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("", "typesafe has 64 % of the known input tokens"),
        ("?judge=local", "All judging ran on this machine: 100 % of the known input tokens"),
        ("?unit=calls", "typesafe has 62 % of the calls"),
        ("?unit=cost", "typesafe has all of the known cost"),
        ("?unit=cost&judge=local", "Nothing known was spent"),
        ("?status=failed", "No judge told its tokens in these days"),
    ],
)
def test_the_title_of_the_chart_says_what_it_shows(client: Client, query: str, title: str) -> None:
    assert title in usage(client, query)


@pytest.mark.usefixtures("_ledger")
def test_the_chart_has_its_numbers_as_a_table_and_no_inline_script(client: Client) -> None:
    response = client.get("/usage/")
    page = response.content.decode()
    assert f"{TODAY.day} {TODAY:%b %Y} 400 0 0" in text_of(response)
    assert 'type="application/json"' in page
    assert all("src=" in tag or "application/json" in tag for tag in re.findall(r"<script[^>]*>", page))
    assert "script-src" not in response.headers["Content-Security-Policy"]


def test_a_site_that_never_asked_says_what_to_do(client: Client) -> None:
    assert "No judge was asked yet." in usage(client)
    assert "No judge was asked yet." in text_of(client.get("/usage/requests/"))


@pytest.mark.usefixtures("_ledger")
def test_none_with_these_filters_is_another_text(client: Client) -> None:
    text = usage(client, "?judge=cloudflare")
    assert "No request with these filters" in text
    assert "show the last 14 days" in text


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("?from=yesterday", "from is 'yesterday'; it must be a day such as 2026-11-30."),
        ("?from=2026-11-30&to=2026-11-01", "from 2026-11-30 to 2026-11-01 is no range of 1 to 366 days."),
        ("?from=2020-01-01&to=2026-11-01", "is no range of 1 to 366 days."),
        ("?by=weekday", "by is 'weekday'; it must be one of: judge, model, day, origin."),
        ("?unit=euro", "unit is 'euro'; it must be one of: tokens, calls, cost."),
        ("?status=odd", "status is 'odd'"),
        ("?to=0001-01-01", "it must be a day"),
    ],
)
def test_an_address_that_means_nothing_is_refused_with_the_reason(client: Client, query: str, says: str) -> None:
    assert says in usage(client, query, status=422)
    assert client.get(f"/usage/judges.csv{query}").status_code == 422


def test_names_from_outside_are_escaped(client: Client) -> None:
    keep([entry(REMOTE, answered_model="<b>x</b>\"'", origin="<i>", judge="<u>")])
    for address in ("/usage/", "/usage/requests/", "/usage/?by=origin", "/usage/?model=%3Cb%3E"):
        page = client.get(address).content.decode()
        assert "<b>x" not in page
        assert "<i>" not in page
        assert "<u>" not in page


def test_a_long_ledger_is_shown_page_by_page(client: Client) -> None:
    rows = keep([entry(stage=f"stage {index}") for index in range(52)])
    first = client.get("/usage/requests/")
    assert text_of(first).count("stage ") == 50
    assert "stage 51 " in text_of(first)
    older = re.search(r'href="(\?before=\d+)"', first.content.decode())
    assert older
    assert f"before={rows[2].pk}" in older[1]
    assert text_of(client.get(f"/usage/requests/{older[1]}")).count("stage ") == 2


def test_one_request_is_shown_with_all_that_is_known_of_it(client: Client) -> None:
    first, second = keep(retried(1, after="invalid_sum"))
    LedgerEntry.objects.filter(pk=second.pk).update(request={"state": "s"}, raw_reply='{"<x>": 1}', request_masked=True)
    response = client.get(f"/usage/requests/{second.pk}/")
    text = text_of(response)
    assert "repeats a request that ended as: wrong total" in text
    assert "credentials are masked" in text
    assert '{"<x>": 1}' in text
    assert "<x>" not in response.content.decode()
    assert f"/usage/requests/{first.pk}/" in response.content.decode()
    assert client.get("/usage/requests/999999/").status_code == 404


def test_a_pruned_request_says_so(client: Client) -> None:
    (row,) = keep([entry(pruned_at=datetime.now(UTC))])
    assert "Request and reply were thrown away" in text_of(client.get(f"/usage/requests/{row.pk}/"))


def test_a_span_is_written_short(client: Client) -> None:
    from policy.usage.filters import span

    assert span(date(2026, 11, 17), date(2026, 11, 30)) == "17 to 30 Nov"
    assert span(date(2026, 11, 28), date(2026, 12, 3)) == "28 Nov to 3 Dec"
    assert span(date(2026, 12, 28), date(2027, 1, 3)) == "28 Dec 2026 to 3 Jan 2027"
    assert span(date(2026, 12, 28), date(2026, 12, 28)) == "28 Dec 2026"
