"""Judging by name: the result, what led to it, and the rows that it leaves."""

from __future__ import annotations

from typing import Any

import pytest

from policy.engine.failures import Failure, FailureCode
from policy.engine.profile import InvalidConfig, Limits, Profile
from policy.judges.registry import UnknownJudge
from policy.judges.scripted import Script, ScriptedJudge
from policy.models import LedgerEntry
from policy.people.models import User
from policy.people.services import NotAllowed
from policy.services import judgments
from tests.policy.services.conftest import MENU


def select(by: User, **more: Any) -> judgments.Judgment[Any]:
    return judgments.select_tools(task="Show the log", candidates=MENU, by=by, origin="api", **more)


def test_a_selection_comes_with_everything_that_led_to_it(owner: User, judge: ScriptedJudge) -> None:
    judgment = select(owner, judge=judge)
    wire = judgment.to_json()
    assert judgment.result.tool_ids == ("read_file",)
    assert [each["stage"] for each in wire["exchanges"]] == ["relevance:batch-1", "pick:batch-1"]
    assert wire["requests"] == [request.digest for request in judge.requests]
    assert (wire["judge"], wire["profile"]["digest"]) == ("scripted", Profile().digest)


def test_every_request_is_a_row_of_the_ledger(owner: User, judge: ScriptedJudge) -> None:
    judgment = select(owner, judge=judge)
    rows = LedgerEntry.objects.filter(call=judgment.call)
    assert [(row.origin, row.origin_id, row.status) for row in rows] == [("api", f"user-{owner.pk}", "answered")] * 2
    assert [row.request_digest for row in rows] == list(judgment.request_digests)


def test_a_judge_is_found_by_name_with_its_own_profile(owner: User) -> None:
    judgment = select(owner, judge="local")
    assert (judgment.judge, judgment.profile.name) == ("local", "local")
    assert judgment.result.failure is None


@pytest.mark.parametrize(
    ("terms", "error", "says"),
    [
        ({"judge": "jav"}, UnknownJudge, "There is no judge 'jav'; use one of: local, gguf, scripted"),
        ({"mode": "dry"}, InvalidConfig, "mode must be off, shadow or enforce; got 'dry'"),
        ({"max_selected": -1}, InvalidConfig, "max_selected must be a whole number, 0 or more"),
    ],
)
def test_what_cannot_be_judged_is_refused_before_anything_is_asked(
    terms: dict[str, Any], error: type[Exception], says: str, owner: User
) -> None:
    with pytest.raises(error, match=says):
        select(owner, **terms)
    assert not LedgerEntry.objects.exists()


def test_a_reader_may_not_spend(reader: User, judge: ScriptedJudge) -> None:
    with pytest.raises(NotAllowed, match="needs the role member"):
        select(reader, judge=judge)
    assert judge.requests == []


def test_a_failed_judge_is_a_fallback_with_its_row(owner: User) -> None:
    judgment = select(owner, judge=ScriptedJudge(Script(error=Failure(FailureCode.SERVER, "down"))))
    assert (judgment.result.status, judgment.result.outcome) == ("fallback", "unavailable")
    assert [(row.status, row.failure_code) for row in LedgerEntry.objects.all()] == [("failed", "SERVER")]


def test_a_cancelled_judgment_asks_nothing(owner: User, judge: ScriptedJudge) -> None:
    judgment = select(owner, judge=judge, cancelled=lambda: True)
    assert judgment.result.failure is not None
    assert judgment.result.failure.code is FailureCode.ABORTED
    assert (judgment.request_digests, judge.requests) == ((), [])
    assert not LedgerEntry.objects.exists()


def test_mode_off_asks_nothing(owner: User, judge: ScriptedJudge) -> None:
    assert select(owner, judge=judge, mode="off").result.status == "off"
    assert judge.requests == []


def test_the_budget_of_the_profile_bounds_the_whole_call(owner: User, judge: ScriptedJudge) -> None:
    judge.pause_s = 0.02
    judgment = select(owner, judge=judge, profile=Profile(limits=Limits(budget_ms=10)))
    assert judgment.result.failure.code is FailureCode.TIMEOUT


@pytest.mark.parametrize("place", ["task", "step"])
def test_a_credential_in_what_a_person_says_is_not_kept(place: str, owner: User, judge: ScriptedJudge) -> None:
    said: dict[str, Any] = {"task": "Call it", "step": "First"} | {place: "Use the token=hunter2-very-secret for it"}
    judgments.select_tools(**said, candidates=MENU, by=owner, origin="api", judge=judge)
    kept = [str(row.request) for row in LedgerEntry.objects.all()]
    assert len(kept) == 2
    assert all("hunter2" not in each and "token=[redacted]" in each for each in kept)
