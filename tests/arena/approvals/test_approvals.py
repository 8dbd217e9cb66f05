"""A call is carried out by nothing but one answer in time to exactly this call, and then once."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone

from arena.approvals import answering, binding, ending
from arena.approvals.models import Approval
from arena.errors import Conflict, Invalid, Unknown
from arena.models import Lane, LaneState
from arena.runs import approving, history, reap, stop
from arena.runs.approving import Approved, NotApproved
from arena.runs.log import LeaseLost
from policy.people import vault
from policy.people.models import Role, User
from policy.people.services import NotAllowed
from tests.arena.approvals.desks import REFUND, WITHIN_S, Waiting, opened, until

pytestmark = pytest.mark.django_db(transaction=True)
State = Approval.State


@pytest.fixture
def waiting(owner: User, unpublished: list[tuple[str, int]]) -> Waiting:
    return Waiting.begin(owner)


def say(row: Approval, owner: User, *, approve: bool = True) -> Approval:
    return answering.answer(row.public_id, approve=approve, digest=row.digest, by=owner)


def kinds(waiting: Waiting) -> list[str]:
    return [event.kind for event in history.events(waiting.run) if event.kind.startswith("approval.")]


def test_an_approved_call_may_be_carried_out_with_the_arguments_that_were_approved(
    waiting: Waiting, owner: User
) -> None:
    asked = waiting.ask()
    row = opened()
    assert Lane.objects.get(pk=waiting.lane.pk).state == LaneState.ASKING
    say(row, owner)
    came = asked.result(WITHIN_S)
    assert isinstance(came, Approved)
    assert came.arguments == REFUND
    row.refresh_from_db()
    assert (row.state, row.sealed, row.answered_by) == (State.USED, "", owner)
    assert kinds(waiting) == ["approval.asked", "approval.answered", "approval.closed"]
    assert Lane.objects.get(pk=waiting.lane.pk).state == LaneState.CALLING


def test_a_denied_call_is_told_to_the_agent_with_the_rule_and_its_arguments_are_gone(
    waiting: Waiting, owner: User
) -> None:
    asked = waiting.ask()
    row = opened()
    say(row, owner, approve=False)
    row.refresh_from_db()
    assert row.sealed == ""
    came = asked.result(WITHIN_S)
    assert isinstance(came, NotApproved)
    assert "denied" in came.sentence
    assert "rules.refunds" in came.sentence


def test_silence_means_no(waiting: Waiting, settings: LazySettings) -> None:
    settings.APPROVAL_WITHIN_S = 1
    came = waiting.ask().result(WITHIN_S)
    assert isinstance(came, NotApproved)
    assert "nobody approved it within 1 s" in came.sentence
    row = Approval.objects.get()
    assert (row.state, row.sealed) == (State.EXPIRED, "")


def test_an_answer_after_the_time_changes_nothing(waiting: Waiting, owner: User, settings: LazySettings) -> None:
    settings.APPROVAL_WITHIN_S = 1
    asked = waiting.ask()
    row = opened()
    Approval.objects.filter(pk=row.pk).update(expires_at=Now() - timedelta(seconds=1))
    with pytest.raises(Conflict, match="time to answer is up"):
        say(row, owner)
    assert isinstance(asked.result(WITHIN_S), NotApproved)


def test_an_approval_that_expires_before_it_is_carried_out_is_worth_nothing(waiting: Waiting, owner: User) -> None:
    """Approved in time, but the worker comes to it too late."""
    row, question = _answered(waiting, owner)
    Approval.objects.filter(pk=row.pk).update(expires_at=Now() - timedelta(seconds=1))
    came = approving._use(row, question, waiting.recorder, 0.0)
    assert isinstance(came, NotApproved)
    row.refresh_from_db()
    assert (row.state, row.sealed) == (State.EXPIRED, "")


def test_of_two_answers_the_first_one_counts(waiting: Waiting, owner: User) -> None:
    asked = waiting.ask()
    row = opened()
    say(row, owner, approve=False)
    with pytest.raises(Conflict, match="denied by local already"):
        say(row, owner)
    assert isinstance(asked.result(WITHIN_S), NotApproved)
    assert kinds(waiting).count("approval.answered") == 1


def test_many_answers_at_once_are_one_answer(waiting: Waiting, owner: User) -> None:
    asked = waiting.ask()
    row = opened()

    def one(approve: bool) -> bool:
        try:
            say(row, owner, approve=approve)
        except Conflict:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(6) as people:
        counted = list(people.map(one, [True, False] * 3))
    assert counted.count(True) == 1
    assert isinstance(asked.result(WITHIN_S), Approved if counted.index(True) % 2 == 0 else NotApproved)
    assert kinds(waiting).count("approval.answered") == 1


def test_two_executors_of_one_approval_carry_it_out_once(waiting: Waiting, owner: User) -> None:
    row, question = _answered(waiting, owner)

    def use() -> bool:
        try:
            return isinstance(approving._use(row, question, waiting.recorder, 0.0), Approved)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as executors:
        used = [each.result(WITHIN_S) for each in [executors.submit(use) for _ in range(4)]]
    assert used.count(True) == 1
    assert kinds(waiting).count("approval.closed") == 1


def test_a_used_approval_cannot_be_replayed(waiting: Waiting, owner: User) -> None:
    row, question = _answered(waiting, owner)
    assert isinstance(approving._use(row, question, waiting.recorder, 0.0), Approved)
    assert isinstance(approving._use(row, question, waiting.recorder, 0.0), NotApproved)
    with pytest.raises(Conflict, match="approved by local already"):
        say(row, owner)
    row.refresh_from_db()
    assert row.state == State.USED


@pytest.mark.parametrize(
    "edited",
    [
        {"arguments": {**REFUND, "amount": 4000}},
        {"arguments": {**REFUND, "amount": "40"}},
        {"arguments": {**REFUND, "more": None}},
        {"tool": "delete_order"},
        {"call": 99},
    ],
)
def test_an_edited_call_is_not_the_approved_one(waiting: Waiting, owner: User, edited: dict[str, Any]) -> None:
    row, question = _answered(waiting, owner)
    assert isinstance(approving._use(row, replace(question, **edited), waiting.recorder, 0.0), NotApproved)
    row.refresh_from_db()
    assert (row.state, row.sealed) == (State.VOID, "")


def test_arguments_that_were_exchanged_in_the_database_are_never_carried_out(waiting: Waiting, owner: User) -> None:
    row, question = _answered(waiting, owner)
    forged = vault.seal(json.dumps({**REFUND, "amount": 4000}), owner=row.public_id)
    Approval.objects.filter(pk=row.pk).update(sealed=forged)
    assert isinstance(approving._use(row, question, waiting.recorder, 0.0), NotApproved)


def test_the_same_call_again_and_an_edited_one_ask_again(waiting: Waiting, owner: User) -> None:
    first = waiting.ask()
    say(opened(), owner)
    assert isinstance(first.result(WITHIN_S), Approved)
    again = waiting.ask()
    row = opened()
    assert Approval.objects.values("digest").distinct().count() == 2
    say(row, owner, approve=False)
    assert isinstance(again.result(WITHIN_S), NotApproved)


def test_an_answer_must_name_the_call_that_was_seen(waiting: Waiting, owner: User) -> None:
    asked = waiting.ask()
    row = opened()
    with pytest.raises(Invalid, match="another call"):
        answering.answer(row.public_id, approve=True, digest="0" * 64, by=owner)
    with pytest.raises(Unknown):
        answering.answer("apr_none", approve=True, digest=row.digest, by=owner)
    say(row, owner, approve=False)
    asked.result(WITHIN_S)


def test_only_the_person_of_the_run_and_operators_answer(waiting: Waiting, owner: User, reader: User) -> None:
    asked = waiting.ask()
    row = opened()
    other = User.objects.create(username="other", role=Role.MEMBER)
    for stranger in (reader, other):
        with pytest.raises(NotAllowed):
            say(row, stranger)
        assert not answering.waiting(by=stranger).exists()
    assert list(answering.waiting(by=owner)) == [row]
    say(row, owner, approve=False)
    asked.result(WITHIN_S)
    assert not answering.waiting(by=owner).exists()


def test_a_stop_of_the_run_ends_the_wait_at_once(waiting: Waiting, owner: User) -> None:
    asked = waiting.ask()
    row = opened()
    began = timezone.now()
    stop.stop(waiting.run, by=owner)
    assert isinstance(asked.result(WITHIN_S), NotApproved)
    assert (timezone.now() - began).total_seconds() < 10
    with pytest.raises(Conflict):
        say(row, owner)
    row.refresh_from_db()
    assert (row.state, row.sealed) == (State.VOID, "")


def test_a_stop_between_the_answer_and_the_call_wins(waiting: Waiting, owner: User) -> None:
    row, question = _answered(waiting, owner)
    stop.stop(waiting.run, by=owner)
    assert isinstance(approving._use(row, question, waiting.recorder, 0.0), NotApproved)


def test_a_lost_worker_voids_what_it_waited_for(waiting: Waiting, owner: User) -> None:
    asked = waiting.ask()
    row = opened()
    waiting.recorder.think("on its way", ())
    Lane.objects.filter(pk=waiting.lane.pk).update(lease_until=Now() - timedelta(seconds=1))
    reap.reap()
    row.refresh_from_db()
    assert (row.state, row.sealed) == (State.VOID, "")
    with pytest.raises(Conflict, match="no longer waits"):
        say(row, owner)
    with pytest.raises(LeaseLost):
        asked.result(WITHIN_S)


def test_another_worker_cannot_use_the_answer(waiting: Waiting, owner: User) -> None:
    row, question = _answered(waiting, owner)
    Lane.objects.filter(pk=waiting.lane.pk).update(owner="somebody-else")
    with pytest.raises(LeaseLost):
        approving._use(row, question, waiting.recorder, 0.0)
    row.refresh_from_db()
    assert row.state == State.APPROVED
    Approval.objects.filter(pk=row.pk).update(expires_at=Now() - timedelta(seconds=1))
    assert ending.expire() == 1
    row.refresh_from_db()
    assert (row.state, row.sealed) == (State.EXPIRED, "")
    assert ending.expire() == 0


def test_where_nobody_is_there_nobody_is_asked(waiting: Waiting) -> None:
    came = approving.require_approval(waiting.question(), waiting.desk(attended=False))
    assert isinstance(came, NotApproved)
    assert not Approval.objects.exists()


def test_what_cannot_be_kept_sealed_is_not_carried_out(waiting: Waiting, monkeypatch: pytest.MonkeyPatch) -> None:
    def shut(*_: Any, **__: Any) -> str:
        raise vault.VaultClosed("There is no master key.")

    monkeypatch.setattr(vault, "seal", shut)
    came = approving.require_approval(waiting.question(), waiting.desk())
    assert isinstance(came, NotApproved)
    assert "no master key" in came.sentence


def test_the_time_that_a_person_took_is_added_to_the_time_of_the_lane(waiting: Waiting, owner: User) -> None:
    desk = waiting.desk()
    asked = waiting.ask(desk=desk)
    say(opened(), owner)
    came = asked.result(WITHIN_S)
    assert desk.cancel.extended_s == came.waited_s > 0


def test_secrets_in_arguments_are_in_no_event_and_sealed_until_they_are_used(waiting: Waiting, owner: User) -> None:
    secret = "sk-live-0123456789abcdef"
    asked = waiting.ask(waiting.question({"order_id": "LL-7", "password": secret}))
    row = opened()
    told = json.dumps([event.payload for event in history.events(waiting.run)])
    assert secret not in told + json.dumps(row.shown) + row.sealed
    assert "order_id" in row.shown
    say(row, owner)
    came = asked.result(WITHIN_S)
    assert isinstance(came, Approved)
    assert came.arguments["password"] == secret


@pytest.mark.parametrize("arguments", [{"a": float("nan")}, {"a": object()}, {"a": {1, 2}}])
def test_what_is_no_json_is_never_approved(waiting: Waiting, arguments: dict[str, Any]) -> None:
    came = approving.require_approval(waiting.question(arguments), waiting.desk())
    assert isinstance(came, NotApproved)


def test_the_digest_is_of_lane_call_tool_and_every_argument() -> None:
    given: list[tuple[str, int, str, dict[str, Any]]] = [
        ("lane_a", 1, "t", {"a": 1, "b": [1, 2]}),
        ("lane_b", 1, "t", {"a": 1, "b": [1, 2]}),
        ("lane_a", 2, "t", {"a": 1, "b": [1, 2]}),
        ("lane_a", 1, "u", {"a": 1, "b": [1, 2]}),
        ("lane_a", 1, "t", {"a": 1, "b": [2, 1]}),
        ("lane_a", 1, "t", {"a": "1", "b": [1, 2]}),
        ("lane_a", 1, "t", {"a": True, "b": [1, 2]}),
        ("lane_a", 1, "t", {"a": 1}),
    ]
    assert len({binding.digest(*each) for each in given}) == len(given)
    assert binding.digest("l", 1, "t", {"a": 1, "b": 2}) == binding.digest("l", 1, "t", {"b": 2, "a": 1})


def _answered(waiting: Waiting, owner: User) -> tuple[Approval, approving.Question]:
    """A call that was approved while its worker looked away."""
    question = waiting.question()
    row = approving._ask(question, waiting.recorder)
    say(row, owner)
    until(lambda: Approval.objects.filter(pk=row.pk, state=State.APPROVED).exists())
    return row, question
