"""A judgment that was made before, from its rows: retried requests, wrapped replies, rows that are gone."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from policy.engine.judge import JudgeReply
from policy.engine.profile import Profile
from policy.judges.http.judge import HttpJudge
from policy.lab import stored
from policy.ledger import RecordedJudge
from policy.models import LedgerEntry
from tests.policy.judges.http.asking import REPLY, REQUEST, in_process, replies, target

pytestmark = pytest.mark.django_db


def steps() -> Generator[Any, Any, list[Any]]:
    """Asks the same twice and gives back what came."""
    first = yield REQUEST
    second = yield REQUEST
    return [first, second]


def judged(*outcomes: Any, name: str = "typesafe") -> tuple[str, list[JudgeReply]]:
    judge = HttpJudge(target(name), opener=in_process(replies(*outcomes)), sleep=lambda seconds: None)
    recorded = RecordedJudge(judge, origin="lab", origin_id="user-1", tell=lambda row, came: None)
    return recorded.call, [recorded.ask(REQUEST, timeout_s=20) for _ in range(2)]


@pytest.mark.parametrize("name", ["typesafe", "cloudflare"])
def test_requests_that_were_repeated_read_as_they_did_then(name: str) -> None:
    answer = {"result": REPLY, "success": True, "errors": [], "messages": []} if name == "cloudflare" else REPLY
    call, then = judged((503, {}), answer, (429, {}), answer, name=name)
    assert LedgerEntry.objects.count() == 4
    now = stored.judgment(call, steps(), profile=Profile()).result
    assert [(reply.body, reply.raw) for reply in now] == [(reply.body, reply.raw) for reply in then]


def test_a_judgment_whose_rows_were_pruned_is_gone() -> None:
    call, _ = judged(REPLY)
    LedgerEntry.objects.all().delete()
    with pytest.raises(stored.Departed, match="holds no such judgment"):
        stored.judgment(call, steps(), profile=Profile())
