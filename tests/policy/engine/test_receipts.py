"""Receipts: what they hold, and what a replay says about sound, altered and damaged ones."""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policy.engine.canonical import digest
from policy.engine.failures import Failure, FailureCode
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.profile import Profile
from policy.engine.receipts import Recorder, SelectionCall, Verdict, replay, write
from policy.engine.selection import Candidate, Category, Rule, question_set_digest
from policy.judges.scripted import Script, ScriptedJudge
from tests.policy.engine.doubles import drive, tools

pytestmark = pytest.mark.usefixtures("either_way")

CALL = SelectionCall(
    task="look up the host",
    candidates=(*tools(net="dig ping"), Candidate("wipe", ("net",), restricted=True, priority=1)),
    categories=(Category("net", "Look at the network."),),
    profile=Profile("ours", 3),
    always_allow=("help",),
    ask_first=True,
)


def receipt_of(script: Script | None = None, call: SelectionCall = CALL) -> dict[str, Any]:
    recorder = Recorder()
    selection = drive(call.steps(), ScriptedJudge(script), on_exchange=recorder)
    return write(call, recorder.exchanges, selection)


def rehashed(receipt: dict[str, Any]) -> dict[str, Any]:
    rest = {key: value for key, value in receipt.items() if key != "digest"}
    return {**rest, "digest": digest(rest)}


def test_a_receipt_holds_all_that_led_to_the_decision() -> None:
    receipt = receipt_of()
    reply = receipt["exchanges"][0]["reply"]
    assert receipt["question_set"]["sha256"] == question_set_digest()
    assert SelectionCall.from_json(receipt["call"]) == CALL
    assert json.loads(reply["raw"]) == reply["body"]
    assert reply["raw_sha256"] == hashlib.sha256(reply["raw"].encode()).hexdigest()


def test_a_receipt_says_which_answer_came_from_the_store() -> None:
    recorder = Recorder()
    selection = drive(CALL.steps(), ScriptedJudge(), on_exchange=recorder)
    (first, came), *rest = recorder.exchanges
    assert isinstance(came, JudgeReply)
    hit = replace(came, cached_at=datetime(2026, 11, 30, 12, tzinfo=UTC))
    receipt = write(CALL, [(first, hit), *rest], selection)
    assert [each["reply"]["cached_at"] for each in receipt["exchanges"]][:2] == ["2026-11-30T12:00:00Z", None]
    assert replay(receipt).verdict is Verdict.SAME


def test_a_receipt_of_before_that_says_nothing_of_a_store_replays() -> None:
    receipt = receipt_of()
    for exchange in receipt["exchanges"]:
        del exchange["reply"]["cached_at"]
    assert replay(rehashed(receipt)).verdict is Verdict.SAME


def test_a_receipt_replays_after_any_journey_as_json() -> None:
    found = replay(json.loads(json.dumps(receipt_of(), sort_keys=True)))
    assert found.verdict is Verdict.SAME
    assert found.selection is not None
    assert found.selection.rule is Rule.SELECTED


@pytest.mark.parametrize(
    "script",
    [
        Script(error=Failure(FailureCode.SERVER, "down")),
        Script({"pick_net": {"choice": "ghost"}}),
        Script({"rel_net": {"noul": float("nan")}}),
        Script({"ask_first": {"noul": 1}}),
        Script(usage=None),
    ],
)
def test_failed_and_abstained_selections_replay_too(script: Script) -> None:
    assert replay(json.loads(json.dumps(receipt_of(script), allow_nan=False))).verdict is Verdict.SAME


def test_a_credential_in_the_task_is_in_no_part_of_the_receipt_and_the_replay_is_exact() -> None:
    call = replace(CALL, task="log in with password=hunter2-hunter2", step="send Bearer abcdefghij0123456789")
    receipt = json.loads(json.dumps(receipt_of(call=call)))
    assert "hunter2" not in json.dumps(receipt)
    assert "abcdefghij" not in json.dumps(receipt)
    assert replay(receipt).verdict is Verdict.SAME


def test_a_reply_that_is_no_utf_8_is_kept_as_far_as_it_can_be_read() -> None:
    selection = drive(CALL.steps(), ScriptedJudge(Script(error=Failure(FailureCode.SERVER, "down"))), budget_ms=9)
    odd = JudgeReply({"model": "\x00\ud800", "answers": 10**400}, b"\xff\x00", 1.0)
    receipt = write(CALL, [(JudgeRequest({}, {}, "s"), odd)], selection)
    assert receipt["exchanges"][0]["reply"]["raw"] == "\ufffd\ufffd"
    assert receipt["exchanges"][0]["reply"]["body"] == {"model": "\ufffd\ufffd", "answers": "[integer of 1329 bits]"}


ALTERATIONS: list[Callable[[dict[str, Any]], object]] = [
    lambda receipt: receipt["call"].update(task="another"),
    lambda receipt: receipt["call"]["candidates"][2].update(restricted=False),
    lambda receipt: receipt["call"]["profile"]["thresholds"].update(selection=0.95),
    lambda receipt: receipt["exchanges"][1]["reply"]["body"]["answers"]["pick_net"].update(choice="ping"),
    lambda receipt: receipt["exchanges"][0]["reply"]["body"]["answers"]["rel_net"].update(noul=0.1),
    lambda receipt: receipt["selection"].update(outcome="no_match"),
    lambda receipt: receipt["selection"]["selected"][0].update(probability=0.91),
    lambda receipt: receipt["exchanges"].pop(),
    lambda receipt: receipt["exchanges"].append(receipt["exchanges"][0]),
]


@pytest.mark.parametrize("alter", ALTERATIONS)
def test_an_alteration_is_seen_by_the_digest_and_by_the_replay(alter: Callable[[dict[str, Any]], object]) -> None:
    receipt = receipt_of()
    alter(receipt)
    assert replay(receipt).verdict is Verdict.ALTERED
    assert replay(rehashed(receipt)).verdict is Verdict.DIFFERENT


def test_an_alteration_without_effect_on_the_decision_is_still_one() -> None:
    receipt = receipt_of()
    receipt["exchanges"][0]["reply"]["latency_ms"] = 1.0
    found = replay(receipt)
    assert (found.verdict, found.digest_intact, found.same_decision) == (Verdict.ALTERED, False, True)


def test_a_receipt_of_other_questions_says_so() -> None:
    receipt = receipt_of()
    receipt["exchanges"][0]["request"]["questions"]["rel_net"]["instructions"] = "Another wording?"
    assert replay(rehashed(receipt)).reason == "request 1 is not the one that would be sent today"


@pytest.mark.parametrize("changed", [*({"schema_version": each} for each in (2, True, "1")), {"kind": "review"}])
def test_other_kinds_and_versions_are_unsupported(changed: dict[str, Any]) -> None:
    assert replay({**receipt_of(), **changed}).verdict is Verdict.UNSUPPORTED


@pytest.mark.parametrize("junk", [None, [], "x", 3, b"{}", object()])
def test_what_is_no_object_is_damaged(junk: object) -> None:
    assert replay(junk).verdict is Verdict.DAMAGED


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in items for place in _places(item, (*path, key)))]


SOUND = receipt_of()
DAMAGE: list[Any] = [None, 0, -1, True, "", "x", [], {}, [None], 1.5, "remove"]


@settings(max_examples=150)
@given(st.sampled_from(_places(SOUND)[1:]), st.sampled_from(DAMAGE))
def test_no_damage_anywhere_makes_a_replay_raise_or_pass(place: tuple[Any, ...], value: Any) -> None:
    receipt = copy.deepcopy(SOUND)
    parent: Any = receipt
    for key in place[:-1]:
        parent = parent[key]
    before = parent[place[-1]]
    parent.pop(place[-1]) if value == "remove" else parent.__setitem__(place[-1], value)
    found = replay(receipt)
    assert found.verdict is not Verdict.SAME or (value == before and type(value) is type(before))


def test_a_bottomless_receipt_is_damaged() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert replay({**SOUND, "call": deep}).verdict is Verdict.DAMAGED


def test_a_receipt_holds_no_credential_of_its_task_and_still_replays() -> None:
    said = "look up the host with password=hunter2-hunter2"
    receipt = receipt_of(call=dataclasses.replace(CALL, task=said, step=said))
    assert "hunter2" not in json.dumps(receipt)
    assert replay(receipt).verdict is Verdict.SAME
