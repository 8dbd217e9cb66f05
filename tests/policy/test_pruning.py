"""Pruning by age and by size: oldest first, runs keep their figures, a dry run changes nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command

from jevsite import reaping
from policy.models import LedgerEntry, StoredAnswer
from policy.pruning import BATCH, Limits, Pruned, prune
from tests.policy.usage.rows import entry, keep

pytestmark = pytest.mark.django_db

WORDS: dict[str, Any] = {"request": {"state": "x"}, "raw_reply": "{}", "response_bytes": 600, "diagnostic": {"a": 1}}


def origins() -> list[str]:
    return list(LedgerEntry.objects.values_list("origin", flat=True))


def test_what_is_too_old_goes_and_the_rest_stays() -> None:
    keep([entry(day=40, origin="api", **WORDS), entry(day=10, origin="lab", **WORDS)])
    assert prune(Limits(30, 0)) == Pruned(deleted=1, freed=1000)
    assert origins() == ["lab"]


@pytest.mark.parametrize("origin", ["run", "measurement"])
def test_a_row_of_a_result_loses_its_words_and_keeps_every_figure(origin: str) -> None:
    (before,) = keep([entry(day=40, origin=origin, **WORDS)])
    assert prune(Limits(30, 0)) == Pruned(emptied=1, freed=1000)
    row = LedgerEntry.objects.get()
    assert (row.request, row.raw_reply, row.diagnostic) == ({}, "", None)
    assert row.pruned_at is not None
    for name in ("input_tokens", "output_tokens", "latency_ms", "status", "request_digest", "request_bytes", "at"):
        assert getattr(row, name) == getattr(before, name)


def test_beyond_its_size_the_ledger_loses_the_oldest() -> None:
    keep([entry(day=day, origin="api", stage=f"{day}", **WORDS) for day in (1, 3, 2)])
    assert prune(Limits(0, 0.002)) == Pruned(deleted=1, freed=1000)
    assert sorted(LedgerEntry.objects.values_list("stage", flat=True)) == ["1", "2"]


def test_nothing_is_done_twice_and_no_limit_keeps_everything() -> None:
    keep([entry(day=400, **WORDS)])
    assert prune(Limits(0, 0)) == Pruned()
    assert prune(Limits(30, 0)).emptied == 1
    assert prune(Limits(30, 0.0001)) == Pruned()


def test_more_rows_than_a_batch_go_too() -> None:
    keep([entry(day=40, origin=("run", "api")[index % 2]) for index in range(BATCH * 2 + 4)])
    done = prune(Limits(30, 0))
    assert (done.deleted, done.emptied) == (BATCH + 2, BATCH + 2)


def test_stored_answers_that_nobody_may_use_any_more_go() -> None:
    same: dict[str, Any] = {"latency_ms": 1, "raw": b"", "body": "{}", "token_source": "reported", "totals": "strict"}
    for days in (1, 31):
        at = datetime.now(UTC) - timedelta(days=days)
        StoredAnswer.objects.create(key=str(days), at=at, **same)
    assert prune(Limits(0, 0)) == Pruned(answers=1)
    assert StoredAnswer.objects.get().key == "1"


def test_a_dry_run_says_what_would_go_and_changes_nothing(settings: LazySettings) -> None:
    settings.LEDGER_KEEP_DAYS, settings.LEDGER_KEEP_MB = 30, 0
    keep([entry(day=40, origin="api", **WORDS), entry(day=40, **WORDS)])
    out = StringIO()
    call_command("prune-ledger", "--dry-run", stdout=out)
    assert "1 rows would be deleted, 1 would be emptied" in out.getvalue()
    assert origins() == ["api", "run"]
    call_command("prune-ledger", stdout=out)
    assert origins() == ["run"]


def test_a_limit_below_nothing_is_refused() -> None:
    with pytest.raises(CommandError, match="--days is -1; it must be 0 or more"):
        call_command("prune-ledger", "--days", "-1")


@pytest.mark.django_db(transaction=True)
def test_the_reaper_prunes_at_its_start_and_then_by_the_hour(settings: LazySettings) -> None:
    settings.LEDGER_KEEP_DAYS = 30
    due: dict[str, float] = {}
    keep([entry(day=40, origin="api")])
    assert reaping.once(due)
    assert origins() == []
    keep([entry(day=40, origin="api")])
    assert reaping.once(due)
    assert origins() == ["api"]
