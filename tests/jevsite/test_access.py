"""What a browser is told with every answer, and who is refused."""

from __future__ import annotations

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", ["/", "/api/policy/judges", "/static/css/base.css", "/nothing-here/"])
def test_every_answer_says_what_a_browser_may_do_with_it(client: Client, address: str) -> None:
    headers = client.get(address).headers
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "localhost:8000", "origin": "http://evil.example"},
        {"host": "localhost:8000", "origin": "null"},
        {"host": "localhost:8000", "sec-fetch-site": "cross-site"},
    ],
)
def test_another_site_is_refused_and_told_why(client: Client, headers: dict[str, str]) -> None:
    refused = client.get("/api/policy/judges", headers=headers)
    assert refused.status_code == 403
    assert "not this site" in refused.json()["detail"] or "another site" in refused.json()["detail"]


def test_a_link_on_another_page_opens_this_site(client: Client) -> None:
    headers = {"host": "localhost:8000", "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client.get("/", headers=headers).status_code == 200
