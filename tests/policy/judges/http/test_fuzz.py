"""Whatever a far side sends, a judge gives a reply or a typed failure, short and fit to be stored."""

from __future__ import annotations

import copy
import json
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policy.engine.contract import validate
from policy.judges.http.retries import NO_RETRIES
from tests.policy.judges.http.asking import CANARY, REPLY, REQUEST, ask, target

NAMES = ("typesafe", "openrouter", "cloudflare", "compatible")
TEXT = st.text(max_size=40) | st.just(CANARY) | st.just(f"Bearer {CANARY}") | st.just("\ud800")
SCALAR = st.none() | st.booleans() | st.integers() | st.floats() | TEXT
JSON = st.recursive(
    SCALAR,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["answers", "result", "error", "errors", "detail", "usage", "model", "message", "code", "state"]
            )
            | TEXT,
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
HEADERS = st.fixed_dictionaries(
    {},
    optional={
        "Location": st.sampled_from(["/", "", "//", "http://[", "https://api.typesafe.ai:1", f"/{CANARY}", "\\x", "?"]),
        "Retry-After": st.sampled_from(
            ["", "1", "-1", "1e9", "Mon", "99999999999999999999", "Mon, 99 Foo 2026 99:99:99"]
        ),
        "x-request-id": st.sampled_from(["", "a" * 500, f"id {CANARY}"]),
    },
)


@st.composite
def spoiled(draw: st.DrawFn) -> Any:
    """The sound reply with one place replaced by anything."""
    body: Any = copy.deepcopy({"result": REPLY, "success": True} if draw(st.booleans()) else REPLY)
    place = body
    for _ in range(draw(st.integers(0, 4))):
        name = draw(st.sampled_from(sorted(place)))
        if not isinstance(place[name], dict) or not place[name]:
            break
        place = place[name]
    place[draw(st.sampled_from([*place, "extra"]))] = draw(JSON)
    return body


@pytest.mark.parametrize("name", NAMES)
@settings(deadline=None, max_examples=60)
@given(
    status=st.sampled_from([200, 200, 200, 201, 204, 302, 307, 400, 401, 422, 429, 500, 529]),
    body=JSON | spoiled(),
    headers=HEADERS,
)
def test_anything_ends_in_a_reply_or_a_typed_failure(
    name: str, status: int, body: Any, headers: dict[str, str]
) -> None:
    base = "http://127.0.0.1:1" if name == "compatible" else ""

    def handler(request: httpx.Request) -> httpx.Response:
        return httpx.Response(status, content=json.dumps(body).encode(), headers=headers)

    told = ask(target(name, base_url=base), handler=handler, retries=NO_RETRIES)
    assert (told.reply is None) is (told.failure is not None)
    assert told.ended[-1].latency_ms is not None
    assert CANARY not in repr(told)
    if told.reply is not None:
        validate(told.reply.body, REQUEST.questions)
    if told.failure is not None:
        texts = [told.message, *(f"{each.path} {each.message} {each.received}" for each in told.failure.violations)]
        assert all(len(text) < 1000 and "\n" not in text for text in texts)
        json.dumps(texts).encode("utf-8")
        "".join(texts).encode("utf-8")
