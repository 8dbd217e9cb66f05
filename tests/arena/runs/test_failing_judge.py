"""A compatible judge that answers at first and fails in mid-run: its lane is withheld and the reason told."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils.html import escape

from arena.models import LaneState, Run, RunState
from policy.models import LedgerEntry
from policy.people.models import Purpose
from policy.people.services import local_user
from policy.services import health, judges
from tests.arena.runs.test_remote_judge import answers
from tests.policy.judges.http.far_side import Act, drips, far_side, stalls
from tests.policy.judges.http.test_fault_matrix import MATRIX, Row

pytestmark = pytest.mark.django_db(transaction=True)

# The slow ones would use up the whole budget of a judgment, and there is no key to be repeated.
SLOW = (stalls, drips)
FAULTS = tuple(row for row in MATRIX if row.act and row.act not in SLOW and "the key" not in row.name)


@pytest.fixture(autouse=True)
def _fresh(settings: LazySettings) -> Iterator[None]:
    health.forget_news()
    yield
    judges.close_all()


def run_with(compare: Callable[..., Run], *acts: Act) -> Run:
    """A comparison whose judge is a server on this machine, set on Settings, without a key."""
    with far_side(*acts) as side:
        by = local_user()
        judges.connect(provider="compatible", base=side.url, by=by)
        judges.choose(purpose=Purpose.ARENA, judge="compatible", model="laya-1", by=by)
        return compare("patch", menu_size=8, judge=None)


def test_a_compatible_judge_on_this_machine_needs_no_key(compare: Callable[..., Run]) -> None:
    run = run_with(compare, answers)
    assert (run.state, run.outcome) == (RunState.COMPLETE, "selected")
    assert {row.requested_model for row in LedgerEntry.objects.filter(origin_id=run.public_id)} == {"laya-1"}


@pytest.mark.parametrize("row", FAULTS, ids=lambda row: row.name)
def test_a_judge_that_fails_in_mid_run_withholds_its_lane_with_the_reason(
    row: Row, compare: Callable[..., Run], client: Client
) -> None:
    assert row.act is not None
    run = run_with(compare, answers, row.act)
    assert (run.state, run.outcome) == (RunState.PARTIAL, "unavailable")
    full, selected = run.lanes.all()
    assert (full.state, selected.state) == (LaneState.COMPLETED, LaneState.WITHHELD)
    assert (selected.menu, selected.began) == ([], False)
    page = client.get(f"/runs/{run.public_id}/").content.decode()
    assert row.code in page
    assert escape(row.says) in page
    first, *rest = LedgerEntry.objects.filter(origin_id=run.public_id)
    assert first.status == "answered"
    assert {entry.failure_code for entry in rest} == {row.code}
