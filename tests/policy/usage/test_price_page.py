"""Prices on their page: what counts, entering one, and what a price does to the figures."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from policy.models import PriceRow
from policy.people.models import Role, User
from tests.policy.usage.rows import REMOTE, TODAY, entry, keep
from tests.policy.usage.test_pages import text_of, usage

pytestmark = pytest.mark.django_db

FORM = {
    "kind": "judge",
    "name": "openrouter",
    "model": "typesafe/*",
    "since": str(TODAY - timedelta(days=30)),
    "input_usd": "0.05",
    "output_usd": "0",
    "source": "contract 7",
}


def save(client: Client, **changed: str) -> Any:
    return client.post("/usage/prices/", {**FORM, **changed})


def test_the_page_lists_the_prices_with_source_and_day(client: Client) -> None:
    text = text_of(client.get("/usage/prices/"))
    assert "typesafe judge jev-* $0.042 $0 as input 22 Sep 2026 TypeSafe, page of models and prices" in text
    assert "No price was entered here" in text


def test_a_price_that_is_entered_prices_the_past_too(client: Client) -> None:
    keep([entry(REMOTE, judge="openrouter", answered_model="typesafe/jev-1.13", input_tokens=2_000_000)])
    assert "no price of typesafe/jev-1.13" in usage(client)
    assert save(client).status_code == 302
    assert "2,000,000 10 $0.10 250 ms none" in usage(client)


def test_a_price_can_be_taken_away(client: Client) -> None:
    save(client)
    row = PriceRow.objects.get()
    assert f'value="{row.pk}"' in client.get("/usage/prices/").content.decode()
    assert client.post("/usage/prices/", {"remove": str(row.pk)}).status_code == 302
    assert not PriceRow.objects.exists()


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"input_usd": "", "output_usd": ""}, "Give a price for input or for output."),
        ({"input_usd": "-1"}, "greater than or equal to 0"),
        ({"input_usd": "NaN"}, "Enter a number"),
        ({"model": "a*b"}, "A * may only be the last character."),
        ({"since": "soon"}, "Enter a valid date"),
        ({"source": ""}, "This field is required."),
        ({"name": "a b"}, "valid"),
    ],
)
def test_a_price_that_means_nothing_is_refused_and_stays_in_the_form(
    client: Client, changed: dict[str, str], says: str
) -> None:
    response = save(client, **changed)
    assert response.status_code == 422
    assert says in text_of(response)
    assert 'value="contract 7"' in response.content.decode() or "source" in changed
    assert not PriceRow.objects.exists()


def test_a_reader_sees_prices_and_enters_none(client: Client, owner: User) -> None:
    User.objects.filter(pk=owner.pk).update(role=Role.READER)
    assert "Prices are entered by an operator." in text_of(client.get("/usage/prices/"))
    response = save(client)
    assert response.status_code == 403
    assert "Nothing was changed. This needs the role operator" in text_of(response)
