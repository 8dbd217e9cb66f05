"""The selector top-k with a judge: what is asked, what comes of every answer, and receipts that replay offline."""

from __future__ import annotations

import json
from typing import Any

import pytest

from policy.engine.failures import Failure, FailureCode
from policy.engine.mode import Mode
from policy.engine.profile import Limits, Profile
from policy.engine.receipts import Recorder, TopKCall, Verdict, replay, write
from policy.engine.routing import LeftOut, RoutingPolicy, TopK, question_set_digest
from policy.engine.routing.questions import CURRENT_VERSION, QUESTION_TEXTS
from policy.engine.selection import Outcome, Status
from policy.judges.scripted import Script, ScriptedJudge
from tests.policy.engine.doubles import drive
from tests.policy.engine.routing.doubles import POLICY, SHARES, TOOLS

pytestmark = pytest.mark.usefixtures("either_way")

CALL = TopKCall(
    task="find the record",
    catalog=TOOLS,
    available_ids=("look", "study", "draft"),
    policy=POLICY,
    profile=Profile(),
    left_out=(LeftOut("pile", "its argument ids is a list"),),
)


def says(shares: dict[str, float] = SHARES, *, confidence: float = 0.9) -> Script:
    choice = max(shares, key=lambda name: shares[name])
    return Script({"tool": {"choice": {"choice": choice, "confidence": confidence, "probabilities": shares}}})


def select(script: Script | None = None, *, call: TopKCall = CALL, **more: Any) -> tuple[TopK, dict[str, Any]]:
    """The selection and its receipt."""
    recorder = Recorder()
    made = drive(call.steps(), ScriptedJudge(script or says()), on_exchange=recorder, **more)
    return made, write(call, recorder.exchanges, made)


def call(**changed: Any) -> TopKCall:
    fields = {name: getattr(CALL, name) for name in TopKCall.__slots__}
    return TopKCall(**{**fields, **changed})


def test_one_request_is_enough_and_holds_available_tools_only() -> None:
    made, receipt = select(says(SHARES | {"study": 0.52}), call=call(available_ids=("look", "study")))
    assert made.outcome is Outcome.UNAVAILABLE  # the script also spoke of a tool that was not offered
    criteria = receipt["exchanges"][0]["request"]["questions"]["tool"]["criteria"]
    assert list(criteria) == ["look", "study", "needs_clarification"]
    assert len(receipt["exchanges"]) == 1


def test_the_cheapest_close_tool_is_selected_and_the_rest_is_accounted_for() -> None:
    made, _ = select()
    assert [routed.to_json() for routed in made.selected] == [{"id": "look", "probability": 0.44, "cost_units": 2}]
    assert {each["id"]: each["reason"] for each in made.dropped()} == {
        "study": "cheaper or likelier tools fill the top k",
        "draft": "below the probability floor",
        "pile": "left out: its argument ids is a list",
    }
    assert (made.status, made.applied) == (Status.SELECTED, True)


def test_a_total_inside_the_band_is_divided_on_a_copy() -> None:
    made, _ = select(says({"look": 0.44, "study": 0.49, "draft": 0.02, "needs_clarification": 0.04}))
    assert made.receipt.evidence is not None
    assert made.receipt.evidence.probabilities["study"] == 0.49 / 0.99


def test_a_total_outside_the_band_is_no_evidence() -> None:
    made, _ = select(says({"look": 0.44, "study": 0.4, "draft": 0.02, "needs_clarification": 0.04}))
    assert (made.rule, made.outcome, made.tool_ids) == ("top-k.bad-evidence", Outcome.UNAVAILABLE, ())


def test_prerequisites_come_along_or_nothing_does() -> None:
    needs = {"study": ("draft",)}
    policy = RoutingPolicy(relevance_window=0)
    made, _ = select(call=call(dependencies=needs, policy=policy))
    assert made.tool_ids == ("study", "draft")
    dear = RoutingPolicy(relevance_window=0, max_cost_units=6)
    blocked, _ = select(
        call=call(dependencies={"look": ("study",)}, policy=dear), script=says({**SHARES, "look": 0.5, "study": 0.44})
    )
    assert (blocked.rule, blocked.outcome, blocked.tool_ids) == ("bundle.blocked", Outcome.UNAVAILABLE, ())
    assert blocked.bundle.blocked_ids == ("study",)


def test_what_is_not_available_is_dropped_by_that_name() -> None:
    shares = {"look": 0.9, "study": 0.05, "needs_clarification": 0.05}
    made, _ = select(says(shares), call=call(available_ids=("look", "study")))
    assert next(each for each in made.dropped() if each["id"] == "draft")["reason"] == "not available here"


def test_an_unsure_answer_asks_first() -> None:
    made, _ = select(says(confidence=0.3))
    assert (made.rule, made.status) == ("top-k.low-confidence", Status.ABSTAINED)
    assert {each["reason"] for each in made.dropped()} >= {"a question comes first"}


def test_off_asks_nobody() -> None:
    made, receipt = select(call=call(mode=Mode.OFF))
    assert (made.status, made.rule, receipt["exchanges"]) == (Status.OFF, "top-k.off", [])


def test_shadow_is_never_applied() -> None:
    made, _ = select(call=call(mode=Mode.SHADOW))
    assert (made.outcome, made.applied) == (Outcome.SELECTED, False)


def test_a_failure_says_what_failed() -> None:
    made, _ = select(Script(error=Failure(FailureCode.RATE_LIMIT, "slow down")))
    assert (made.rule, made.reason) == ("top-k.judge-failed", "RATE_LIMIT: slow down")
    cancelled, _ = select(cancelled=lambda: True)
    assert (cancelled.rule, cancelled.outcome) == ("top-k.cancelled", Outcome.UNAVAILABLE)


def test_a_long_task_is_cut_and_counted() -> None:
    made, receipt = select(call=call(task="x" * 50, profile=Profile(limits=Limits(max_state_chars=10))))
    assert made.diagnostics.loss == {"task": 40}
    assert receipt["exchanges"][0]["request"]["state"]["task"] == "x" * 10 + "…"


@pytest.mark.parametrize(
    "script",
    [
        says(),
        says(confidence=0.1),
        says({"look": 0.1, "study": 0.1, "draft": 0.1, "needs_clarification": 0.7}),
        Script(error=Failure(FailureCode.SERVER, "down")),
        Script({"tool": {"wrongType": True}}),
        Script({"tool": {"omit": True}}),
    ],
)
def test_a_receipt_replays_whatever_was_decided(script: Script) -> None:
    made, receipt = select(script, call=call(dependencies={"look": ("draft",)}))
    found = replay(json.loads(json.dumps(receipt, sort_keys=True)))
    assert (found.verdict, found.selection is not None and found.selection.outcome) == (Verdict.SAME, made.outcome)


def test_a_receipt_holds_no_credential_of_its_task() -> None:
    _, receipt = select(call=call(task="look it up with password=hunter2-hunter2"))
    assert "hunter2" not in json.dumps(receipt)
    assert replay(receipt).verdict is Verdict.SAME


def test_a_changed_limit_is_found_in_the_receipt() -> None:
    _, receipt = select()
    receipt["call"]["policy"]["relevanceWindow"] = 0
    assert replay(receipt).verdict is Verdict.ALTERED


def test_a_damaged_receipt_is_called_so() -> None:
    _, receipt = select()
    receipt["call"]["available_ids"] = ["ghost"]
    assert replay(receipt).verdict is Verdict.DAMAGED


def test_the_wording_in_use_has_this_digest() -> None:
    assert max(QUESTION_TEXTS) == CURRENT_VERSION
    assert question_set_digest() == "d1b62c4ec0dfff83e82779d1618657293f0d596508f4519ee2e045e639ed97e1"
