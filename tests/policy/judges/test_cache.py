"""Stored answers: for the same judge, endpoint, model and request only, flagged, and valid ones only."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from policy.engine.failures import JudgeFailed
from policy.engine.judge import JudgeRequest
from policy.engine.questions import Choice, Noul
from policy.judges.attempts import Attempt
from policy.judges.cache import CachedJudge, CacheKey, MemoryStore
from policy.judges.http.judge import HttpJudge
from tests.policy.judges.http.asking import REPLY, REQUEST, in_process, replies, target, with_answers

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def cached(store: MemoryStore, *outcomes: Any, now: datetime = NOON, **settings: Any) -> CachedJudge:
    judge = HttpJudge(target(**settings), opener=in_process(replies(*(outcomes or (REPLY,)))))
    return CachedJudge(judge, store, now=lambda: now)


def asks(judge: CachedJudge, request: JudgeRequest = REQUEST) -> tuple[Any, list[Attempt]]:
    attempts: list[Attempt] = []
    return judge.ask(request, timeout_s=5, on_attempt=attempts.append), attempts


def test_a_second_question_is_answered_from_the_store_and_says_so() -> None:
    judge = cached(MemoryStore())
    first, asked = asks(judge)
    again, asked_again = asks(judge)
    assert (first.cached_at, len(asked)) == (None, 2)
    assert (again.cached_at, asked_again) == (NOON, [])
    assert (again.body, again.raw) == (first.body, first.raw)
    assert again.latency_ms == 0.0
    assert again.body["usage"] == {"input_tokens": 120, "output_tokens": 3}


@pytest.mark.parametrize(
    "other",
    [
        {"model": "jev-1.13.0"},
        {"base_url": "https://other.example"},
        {"name": "openrouter"},
    ],
    ids=["another model", "another address", "another provider"],
)
def test_another_judge_is_asked_itself(other: dict[str, Any]) -> None:
    store = MemoryStore()
    asks(cached(store))
    reply, attempts = asks(cached(store, **other))
    assert reply.cached_at is None
    assert len(attempts) == 2
    assert len(store) == 2


@pytest.mark.parametrize(
    "other",
    [
        replace(REQUEST, state={"task": "look up the host "}),
        replace(REQUEST, questions=dict(reversed([*REQUEST.questions.items()]))),
        replace(REQUEST, questions={**REQUEST.questions, "go": Noul("Is it needed?")}),
        replace(
            REQUEST, questions={**REQUEST.questions, "tool": Choice("Which one?", {"print": None, "dig": "asks DNS"})}
        ),
    ],
    ids=["state", "order of questions", "criteria", "order of options"],
)
def test_another_request_is_asked_itself(other: JudgeRequest) -> None:
    store = MemoryStore()
    asks(cached(store))
    assert asks(cached(store), other)[0].cached_at is None


def test_the_stage_is_no_part_of_the_request() -> None:
    store = MemoryStore()
    asks(cached(store))
    assert asks(cached(store), replace(REQUEST, stage="another"))[0].cached_at == NOON


def test_an_invalid_reply_is_not_kept() -> None:
    store = MemoryStore()
    judge = cached(store, with_answers(go={"type": "noul", "noul": 7}), REPLY)
    assert asks(judge)[0].body["answers"]["go"]["noul"] == 7
    assert len(store) == 0
    assert asks(judge)[0].cached_at is None
    assert asks(judge)[0].cached_at == NOON


def test_a_failure_is_not_kept() -> None:
    store = MemoryStore()
    judge = cached(store, 400, REPLY)
    with pytest.raises(JudgeFailed):
        asks(judge)
    assert asks(judge)[0].cached_at is None


@pytest.mark.parametrize(("age", "kept"), [(timedelta(days=6, hours=23), True), (timedelta(days=7), False)])
def test_an_answer_is_kept_for_a_week(age: timedelta, kept: bool) -> None:
    store = MemoryStore()
    asks(cached(store))
    assert (asks(cached(store, now=NOON + age))[0].cached_at is not None) is kept


def test_the_model_that_answered_is_kept_beside_the_one_that_was_asked() -> None:
    store = MemoryStore()
    asks(cached(store))
    kept = store.find(CacheKey("typesafe", "https://api.typesafe.ai/v1/systemone", "jev-latest", REQUEST.digest))
    assert kept is not None
    assert (kept.model, kept.at) == ("jev-1.13.0", NOON)


def test_the_longest_unused_answer_goes_first() -> None:
    store = MemoryStore(most=2)
    judge = cached(store)
    first, second, third = (replace(REQUEST, state={"task": str(number)}) for number in range(3))
    for request in (first, second, first, third):
        asks(judge, request)
    assert [asks(judge, request)[0].cached_at is not None for request in (first, third, second)] == [True, True, False]


def test_a_reader_cannot_change_what_is_stored() -> None:
    store = MemoryStore()
    judge = cached(store)
    asks(judge)
    asks(judge)[0].body["answers"]["go"]["noul"] = 0.0
    assert asks(judge)[0].body["answers"]["go"]["noul"] == 0.9
