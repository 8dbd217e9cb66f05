"""A redirect inside the origin is followed with the same question; nothing is sent anywhere else."""

from __future__ import annotations

import httpx
import pytest

from tests.policy.judges.http.asking import CANARY, REPLY, ask, target

BASE = "https://judge.example/api"


def redirecting(location: str, status: int = 307) -> tuple[list[httpx.Request], object]:
    seen: list[httpx.Request] = []

    def handler(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        if len(seen) == 1:
            return httpx.Response(status, headers={"Location": location} if location else {})
        return httpx.Response(200, json=REPLY)

    return seen, handler


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize(
    "location", ["/v2/systemone", "https://judge.example/v2/systemone", "https://JUDGE.example:443/v2/systemone"]
)
def test_the_same_origin_is_followed_with_method_body_and_key(location: str, status: int, awaited: bool) -> None:
    seen, handler = redirecting(location, status)
    told = ask(target(base_url=BASE), handler=handler, awaited=awaited)  # type: ignore[arg-type]
    assert told.reply is not None
    assert told.statuses == ["redirected", "answered"]
    assert seen[1].url.path == "/v2/systemone"
    assert (seen[1].method, seen[1].content) == (seen[0].method, seen[0].content)
    assert seen[1].headers["Authorization"] == seen[0].headers["Authorization"]
    assert told.pauses == []


@pytest.mark.parametrize(
    "location",
    [
        "https://other.example/v1/systemone",
        "http://judge.example/v1/systemone",
        "https://judge.example:8443/v1/systemone",
        "https://judge.example.evil.example/",
        "https://judge.example@evil.example/",
        "//evil.example/v1",
        "file:///etc/passwd",
        "http://[",
    ],
)
def test_another_origin_gets_nothing(location: str, awaited: bool) -> None:
    seen, handler = redirecting(location)
    told = ask(target(base_url=BASE), handler=handler, awaited=awaited)  # type: ignore[arg-type]
    assert len(seen) == 1
    assert (told.code, told.paths) == ("INVALID_RESPONSE", ["http.location"])
    assert "redirects to another origin" in told.message
    assert told.statuses == ["http_error"]


def test_an_address_that_cannot_be_read_gets_nothing_either(awaited: bool) -> None:
    seen, handler = redirecting("https://judge.example:bad/")
    told = ask(target(base_url=BASE), handler=handler, awaited=awaited)  # type: ignore[arg-type]
    assert len(seen) == 1
    assert told.code == "INVALID_RESPONSE"
    assert "redirects to another origin, at an address that cannot be read" in told.message


def test_a_redirect_that_repeats_the_key_does_not_reach_the_record() -> None:
    _, handler = redirecting(f"/v1/{CANARY}/systemone")
    told = ask(target(base_url=BASE), handler=handler)  # type: ignore[arg-type]
    assert told.statuses == ["redirected", "answered"]
    assert CANARY not in repr(told)


@pytest.mark.parametrize(("location", "status"), [("/v2", 303), ("", 307), ("/v2", 304), ("/v2", 300)])
def test_a_redirect_that_is_no_repetition_of_the_question_is_refused(location: str, status: int) -> None:
    seen, handler = redirecting(location, status)
    told = ask(target(base_url=BASE), handler=handler)  # type: ignore[arg-type]
    assert len(seen) == 1
    assert f"answered HTTP {status}, which is no answer to a question" in told.message


def test_a_circle_ends() -> None:
    told = ask(target(base_url=BASE), handler=lambda request: httpx.Response(308, headers={"Location": "/again"}))
    assert told.statuses == ["redirected"] * 4
    assert "redirected more than 3 times" in told.message
