"""The vendor's own SDK, unchanged, against the site on a port of this machine: blocking and awaited."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from typesafe_sdk import (
    AsyncTypeSafeClient,
    Choice,
    Noul,
    RetryPolicy,
    Score,
    TypeSafeAPIError,
    TypeSafeClient,
    TypeSafeRateLimitError,
    TypeSafeUnprocessableEntityError,
)
from typesafe_sdk._core.compression import COMPRESSORS, MIN_COMPRESSED_BODY_LENGTH

from policy.engine.failures import Failure, FailureCode
from policy.models import LedgerEntry
from policy.services.turns import slots_of
from tests.policy.gateway.conftest import Plays

LONG = "I was charged twice and want my money back. " * 60
QUESTIONS: dict[str, Any] = {
    "refund": Noul(instructions="Is money asked back?", criteria={"true": "A refund is wanted"}),
    "team": Choice(instructions="Which team?", criteria={"Billing": "Payments and refunds", "Sales": None}),
    "anger": Score(instructions={"scale": "anger"}, criteria=["Calm", {"label": "Cross"}, "Furious"]),
}
ONCE = RetryPolicy(max_retries=0)


@pytest.fixture
def sdk(site: str) -> Iterator[TypeSafeClient]:
    with TypeSafeClient(api_key="any", base_url=site, retry=ONCE, timeout=60) as client:
        yield client


@pytest.fixture
def bodies_seen(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The Content-Encoding of every body that the gateway reads."""
    from policy.gateway import bodies

    seen: list[str | None] = []
    read = bodies.read

    def noted(request: Any) -> bytes:
        seen.append(request.headers.get("Content-Encoding"))
        return read(request)

    monkeypatch.setattr(bodies, "read", noted)
    return seen


def test_it_gets_every_kind_of_answer(sdk: TypeSafeClient) -> None:
    reply = sdk.system_one("I want my money back.", QUESTIONS)
    assert 0 <= reply.nouls["refund"].noul <= 1
    assert reply.choices["team"].choice in {"Billing", "Sales"}
    assert reply.scores["anger"].legend == {0: "Calm", 1: {"label": "Cross"}, 2: "Furious"}
    assert sum(reply.scores["anger"].probabilities.values()) == pytest.approx(1)
    assert reply.model.startswith("local-")
    assert reply.usage.input_tokens
    row = LedgerEntry.objects.get()
    assert (row.origin, f"req_{row.call}") == ("gateway", reply.request_id)


def test_a_long_body_comes_packed_with_zstd(sdk: TypeSafeClient, bodies_seen: list[str | None]) -> None:
    assert "zstd" in COMPRESSORS
    assert len(LONG) > MIN_COMPRESSED_BODY_LENGTH
    packed = sdk.system_one(LONG, QUESTIONS)
    assert bodies_seen == ["zstd"]
    assert LedgerEntry.objects.get().request["state"] == LONG
    assert set(packed.answers) == set(QUESTIONS)


def test_packed_and_plain_get_the_same_answers(site: str, bodies_seen: list[str | None]) -> None:
    replies = []
    for compression in ("zstd", False):
        with TypeSafeClient(api_key="any", base_url=site, compression=compression, timeout=60) as client:
            replies.append(client.system_one(LONG, QUESTIONS).answers)
    assert bodies_seen == ["zstd", None]
    assert replies[0] == replies[1]


async def test_it_works_awaited(site: str) -> None:
    async with AsyncTypeSafeClient(api_key="any", base_url=site, timeout=60) as client:
        reply = await client.system_one({"body": LONG}, QUESTIONS, model="local")
        listed = await client.models.list()
    assert set(reply.answers) == set(QUESTIONS)
    assert {"jev-latest", "local"} <= {model.name for model in listed.models}


def test_it_lists_the_models(sdk: TypeSafeClient) -> None:
    models = sdk.models.list().models
    assert models[0].name == "jev-latest"
    assert "Local" in models[0].description


def test_a_token_of_ours_is_its_key(site: str, token: str, locked: None) -> None:
    with TypeSafeClient(api_key=token, base_url=site) as client:
        assert client.models.list().models


def test_an_invalid_question_is_its_unprocessable_entity(sdk: TypeSafeClient) -> None:
    with pytest.raises(TypeSafeUnprocessableEntityError) as refused:
        sdk.system_one("x", {"anger": Score(criteria=["Calm"])})
    assert "422 questions.anger.score.criteria: List should have at least 2 items" in str(refused.value)


def test_a_busy_judge_is_its_rate_limit_with_the_time_to_wait(sdk: TypeSafeClient, scripted: Plays) -> None:
    scripted(error=Failure(FailureCode.RATE_LIMIT, "slow down"))
    with pytest.raises(TypeSafeRateLimitError) as refused:
        sdk.system_one("x", QUESTIONS, model="scripted")
    assert refused.value.retry_after_ms == 2000


def test_its_retries_are_the_only_ones(site: str, scripted: Plays) -> None:
    judge = scripted(error=Failure(FailureCode.SERVER, "down"))
    retry = RetryPolicy(max_retries=2, backoff_initial=0)
    with (
        TypeSafeClient(api_key="any", base_url=site, retry=retry) as client,
        pytest.raises(TypeSafeAPIError) as refused,
    ):
        client.system_one("x", QUESTIONS, model="scripted")
    assert (refused.value.status, len(judge.requests)) == (502, 3)


async def test_callers_at_once_take_turns_and_all_are_answered(
    site: str, scripted: Plays, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scripted(), "pause_s", 0.05)
    async with AsyncTypeSafeClient(api_key="any", base_url=site, retry=ONCE, timeout=60) as client:
        asked = [client.system_one(f"ticket {n}", QUESTIONS, model="scripted") for n in range(12)]
        replies = await asyncio.gather(*asked)
    assert len({reply.request_id for reply in replies}) == 12
    assert all(set(reply.answers) == set(QUESTIONS) for reply in replies)
    assert slots_of("scripted", limit=2).held == 0
