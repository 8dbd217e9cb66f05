"""Every fault of a far side has a row of the ledger for each attempt: status, latency, code, and no key."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.core import serializers

from policy.engine.failures import JudgeFailed
from policy.judges.http.judge import HttpJudge
from policy.ledger import RecordedJudge
from policy.models import LedgerEntry
from tests.policy.judges.http.asking import CANARY, REQUEST, target
from tests.policy.judges.http.far_side import far_side, nobody
from tests.policy.judges.http.test_fault_matrix import Row, by_row

pytestmark = pytest.mark.django_db


@contextmanager
def far_end(row: Row) -> Iterator[str]:
    if row.act is None:
        yield nobody()
        return
    with far_side(row.act) as side:
        yield side.url


def asked(row: Row) -> list[LedgerEntry]:
    """The rows that one question leaves behind."""
    with far_end(row) as url:
        judge = HttpJudge(target(base_url=url), retries=row.retries, sleep=lambda seconds: None)
        recorded = RecordedJudge(judge, origin="api", origin_id="user-1", tell=lambda entry, came: None)
        with pytest.raises(JudgeFailed):
            recorded.ask(REQUEST, timeout_s=8)
        judge.close()
    return list(LedgerEntry.objects.order_by("attempt"))


@by_row
def test_each_attempt_of_a_fault_is_a_row(row: Row) -> None:
    found = asked(row)
    assert [entry.attempt for entry in found] == list(range(1, len(row.statuses) + 1))
    assert tuple(entry.verdict for entry in found) == row.statuses
    assert {(entry.status, entry.failure_code, entry.http_status) for entry in found} == {
        (LedgerEntry.Status.FAILED.value, row.code, row.http)
    }
    assert row.says in found[-1].failure_message
    assert all(entry.latency_ms is not None and entry.input_tokens is None for entry in found)
    assert [entry.after for entry in found] == ["", *row.statuses[:-1]]
    assert CANARY not in json.dumps(serializers.serialize("json", found))
