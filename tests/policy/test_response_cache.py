"""Stored answers in the database: the same question is paid for once, whoever asks; old ones go."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.db import DatabaseError

from policy.engine.judge import JudgeReply
from policy.engine.totals import Totals
from policy.judges.cache import CachedJudge, CacheKey, Kept
from policy.judges.http.judge import HttpJudge
from policy.models import StoredAnswer
from policy.response_cache import MOST_BYTES, DatabaseStore
from tests.policy.judges.http.asking import REPLY, REQUEST, in_process, replies, target

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def key(digest: str = "d1") -> CacheKey:
    return CacheKey("typesafe", "https://api.typesafe.ai/v1/systemone", "jev-latest", digest)


def kept(at: datetime = NOON, raw: bytes = b'{"a":1.0}') -> Kept:
    body = {"model": "jev-1.13.0", "answers": {"b": {"noul": 1.0}, "a": {"noul": 0.1 + 0.2}}, "usage": None}
    return Kept(JudgeReply(body, raw, 12.5, "reported", ("note",), Totals.PER_OPTION), "jev-1.13.0", at)


def test_what_was_kept_comes_back_to_the_last_digit_and_in_its_order() -> None:
    DatabaseStore().keep(key(), kept())
    found = DatabaseStore().find(key())
    assert found == kept()
    assert found is not None
    assert list(found.reply.body["answers"]) == ["b", "a"]


@pytest.mark.parametrize("field", ["judge", "endpoint", "model", "request_digest"])
def test_an_answer_is_for_its_judge_endpoint_model_and_request_only(field: str) -> None:
    store = DatabaseStore()
    store.keep(key(), kept())
    parts = {name: getattr(key(), name) for name in CacheKey.__slots__}
    assert store.find(CacheKey(**{**parts, field: "other"})) is None


def test_a_second_judge_finds_what_the_first_paid_for() -> None:
    for expected in (False, True):
        inner = HttpJudge(target(), opener=in_process(replies(REPLY)))
        reply = CachedJudge(inner, DatabaseStore()).ask(REQUEST, timeout_s=5)
        assert (reply.cached_at is not None) is expected


def test_neither_state_nor_questions_are_kept() -> None:
    CachedJudge(HttpJudge(target(), opener=in_process(replies(REPLY))), DatabaseStore()).ask(REQUEST, timeout_s=5)
    stored = json.dumps(list(StoredAnswer.objects.values()), default=str)
    assert REQUEST.digest in stored
    assert "look up the host" not in stored
    assert "Is it needed?" not in stored


def test_the_answers_given_longest_ago_go_first() -> None:
    store = DatabaseStore(most=2)
    for hours in (2, 0, 1):
        store.keep(key(f"d{hours}"), kept(NOON - timedelta(hours=hours)))
    assert [row.request_digest for row in StoredAnswer.objects.order_by("request_digest")] == ["d0", "d1"]


def test_a_newer_answer_takes_the_place_of_the_old() -> None:
    store = DatabaseStore()
    store.keep(key(), kept(NOON - timedelta(days=9)))
    store.keep(key(), kept(NOON))
    found = store.find(key())
    assert found is not None
    assert (found.at, StoredAnswer.objects.count()) == (NOON, 1)


def test_a_huge_reply_is_not_kept() -> None:
    DatabaseStore().keep(key(), kept(raw=b"x" * (MOST_BYTES + 1)))
    assert not StoredAnswer.objects.exists()


def test_a_row_that_cannot_be_read_is_nothing() -> None:
    DatabaseStore().keep(key(), kept())
    StoredAnswer.objects.update(body="{")
    assert DatabaseStore().find(key()) is None


def test_a_database_in_trouble_is_an_empty_store(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*args: object, **kwargs: object) -> None:
        raise DatabaseError

    monkeypatch.setattr(StoredAnswer.objects, "filter", fails)
    monkeypatch.setattr(StoredAnswer.objects, "update_or_create", fails)
    DatabaseStore().keep(key(), kept())
    assert DatabaseStore().find(key()) is None
