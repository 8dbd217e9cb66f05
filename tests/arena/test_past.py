"""The selections of past runs for the time machine: what the engine decides of their receipts at other thresholds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from arena import past
from arena.models import Run
from policy.calibrating.past import word
from policy.engine import receipts
from policy.engine.breakpoints import again
from policy.engine.profile import Profile, Thresholds
from policy.models import LedgerEntry

pytestmark = pytest.mark.django_db


def test_a_run_is_decided_again_as_the_engine_does(compare: Callable[..., Run]) -> None:
    run = compare("read", menu_size=8)
    before = LedgerEntry.objects.count()
    [found] = past.of_runs()
    assert found.title == f"Run {run.number}: {run.case_title}"
    call = receipts.SelectionCall.from_json(run.selection["call"])  # type: ignore[index]
    exchanges = _exchanges(call, run.selection)
    for cut in (0.0, 0.2, 0.5, 0.9, 1.0):
        cuts = replace(found.flips.base, selection=cut, confidence=cut)
        moved = replace(call, profile=replace(call.profile, thresholds=cuts))
        assert word(found.flips.at(cuts)) == word(again(moved.steps(), exchanges).decision_json())
    assert LedgerEntry.objects.count() == before


def test_the_sliders_begin_at_the_profile_that_the_run_used(compare: Callable[..., Run], client: Client) -> None:
    used = Profile("mine", 3, thresholds=Thresholds(selection=0.37))
    compare("read", menu_size=8, profile=used)
    assert [(each.profile, each.flips.base.selection) for each in past.of_runs()] == [("mine@3", 0.37)]
    page = client.get("/calibration/past/").content.decode()
    assert 'value="0.37"' in page
    assert "mine@3, the profile that the newest decision used (Run " in page


def test_a_run_without_a_judge_is_no_decision(compare: Callable[..., Run]) -> None:
    compare("read", menu_size=8, arms=("full",))
    assert list(past.of_runs()) == []


def _exchanges(call: receipts.SelectionCall, receipt: Any) -> Any:
    """What the judge was asked and said, from the receipt: the engine asks again, the receipt answers."""
    steps, found = call.steps(), []
    request = next(steps)
    for stored in receipt["exchanges"]:
        sent = receipts.came(stored)
        found.append((request, sent))
        try:
            request = steps.send(sent)
        except StopIteration:
            break
    return found
