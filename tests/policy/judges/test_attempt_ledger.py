"""The document of one call: every request in it, unknown never free, and nothing in it that does not agree."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine.failures import JudgeFailed
from policy.judges.attempt_ledger import AttemptLedger, InvalidLedger, check
from policy.judges.attempts import Attempt
from policy.judges.http.judge import HttpJudge
from policy.judges.http.retries import NO_RETRIES, Retries
from policy.judges.recovery import POLICY, RecoveringJudge
from tests.policy.judges.http.asking import CANARY, REPLY, REQUEST, in_process, replies, target
from tests.policy.judges.test_recovery import SUM


def kept(*outcomes: Any) -> AttemptLedger:
    """The ledger of a recovering call against these outcomes."""
    ledger = AttemptLedger(REQUEST, recovery=POLICY)
    judge = RecoveringJudge(HttpJudge(target(), retries=NO_RETRIES, opener=in_process(replies(*outcomes))))
    try:
        judge.ask(REQUEST, timeout_s=30, on_attempt=ledger.hear)
        ledger.end()
    except JudgeFailed as failed:
        ledger.end(failed.failure)
    judge.close()
    return ledger


@pytest.mark.parametrize(
    ("outcomes", "statuses", "returned", "stopped"),
    [
        ((REPLY,), ["valid"], 1, "valid"),
        ((SUM, REPLY), ["invalid_sum", "valid"], 2, "valid"),
        ((SUM,), ["invalid_sum"] * 3, None, "exhausted"),
        ((SUM, 500), ["invalid_sum", "http_error"], None, "failure"),
        (({**REPLY, "answers": {}},), ["invalid_other"], None, "failure"),
    ],
)
def test_every_request_is_in_it_with_its_verdict(
    outcomes: Any, statuses: list[str], returned: int | None, stopped: str
) -> None:
    document = kept(*outcomes).to_json()
    assert [attempt["status"] for attempt in document["attempts"]] == statuses
    assert (document["returnedAttempt"], document["stopReason"], document["complete"]) == (returned, stopped, True)
    check(json.loads(json.dumps(document)))


def test_it_holds_facts_and_no_texts() -> None:
    document = kept({**SUM, "model": "a model that was made up"}, 401).to_json()
    text = json.dumps(document)
    assert document["optionIds"] == {"tool": ["dig", "print"], "risk": ["0", "1", "2"]}
    assert not [word for word in (CANARY, "made up", "look up the host", "Which one") if word in text]


def test_the_tokens_of_all_attempts_add_up_and_one_unknown_makes_the_sum_unknown() -> None:
    both, one = kept(SUM, REPLY).call_totals(), kept({**SUM, "usage": None}, REPLY).call_totals()
    assert (both.requests, both.retries, both.input_tokens, both.output_tokens) == (2, 1, 240, 6)
    assert (one.input_tokens, one.known_input_tokens, one.unknown_attempts) == (None, 120, 1)
    assert both.retry_latency_ms is not None
    assert both.retry_latency_ms > 0


def test_a_request_under_way_is_a_lower_bound() -> None:
    ledger, seen = AttemptLedger(REQUEST), list[tuple[bool, Any]]()

    def look(attempt: Attempt) -> None:
        ledger.hear(attempt)
        seen.append((ledger.call_totals().complete, ledger.to_json()["stopReason"]))

    judge = HttpJudge(target(), opener=in_process(replies(500)), retries=NO_RETRIES)
    with pytest.raises(JudgeFailed):
        judge.ask(REQUEST, timeout_s=5, on_attempt=look)
    judge.close()
    assert seen == [(False, None), (True, "failure")]


@pytest.mark.parametrize(("outcomes", "sound"), [((500, 529), True), ((500, 529, 500, 500), False)])
def test_retries_of_the_judge_are_attempts_like_others(outcomes: Any, sound: bool) -> None:
    ledger = AttemptLedger(REQUEST, retries=2)
    judge = HttpJudge(
        target(), retries=Retries(more=len(outcomes) - 1, first_pause_s=0), opener=in_process(replies(*outcomes))
    )
    with pytest.raises(JudgeFailed):
        judge.ask(REQUEST, timeout_s=5, on_attempt=ledger.hear)
    judge.close()
    if sound:
        check(ledger.to_json())
    else:
        with pytest.raises(InvalidLedger, match="more than 3 requests"):
            check(ledger.to_json())


def spoil(change: Callable[[dict[str, Any]], object], *outcomes: Any) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(json.dumps(kept(*(outcomes or (SUM, REPLY))).to_json()))
    change(document)
    return document


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda d: d.update(version=2), "version 1"),
        (lambda d: d.update(maxAttempts=9), "do not belong together"),
        (lambda d: d.update(attempts={}), "attempts must be a list"),
        (lambda d: d["attempts"][0].update(status="fine"), "unknown"),
        (lambda d: d["attempts"][0].update(index=2), "numbered from 1"),
        (lambda d: d["attempts"].extend([d["attempts"][0]] * 2), "numbered|more than"),
        (lambda d: d["attempts"][0].update(status="http_error"), "follows one that was the last"),
        (lambda d: d["attempts"][1].update(requestBytes=1), "not of the same size"),
        (lambda d: d["attempts"][0]["projection"]["tool"].update(dig=0.8), "another total than it says"),
        (lambda d: d["attempts"][0]["projection"]["tool"].update(ping=0.1), "were not sent"),
        (lambda d: d["attempts"][0].update(diagnostic=None), "no diagnostic"),
        (lambda d: d["attempts"][1].update(d["attempts"][0], index=2, status="valid"), "said to be valid"),
        (lambda d: d["attempts"][0].update(d["attempts"][1], index=1, status="invalid_sum"), "and none is"),
        (lambda d: d.update(complete=False), "complete must say"),
        (lambda d: d.update(returnedAttempt=1), "must be the valid one"),
        (lambda d: d.update(stopReason="exhausted"), "exactly where the last reply is"),
        (lambda d: d.update(stopReason=None), "says why it stopped"),
        (lambda d: d.update(stopReason="tired"), "stopReason is unknown"),
    ],
)
def test_a_document_that_does_not_agree_with_itself_is_refused(change: Any, says: str) -> None:
    with pytest.raises(InvalidLedger, match=says):
        check(spoil(change))


@given(st.data())
def test_a_document_with_anything_in_it_is_accepted_or_refused(data: st.DataObject) -> None:
    place: Any = spoil(lambda document: None)
    document = place
    for _ in range(data.draw(st.integers(0, 4))):
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys)) if keys else None
        if key is None or not isinstance(place[key], dict | list) or not place[key]:
            break
        place = place[key]
    keys = list(place) if isinstance(place, dict) else list(range(len(place)))
    place[data.draw(st.sampled_from(keys))] = data.draw(st.none() | st.integers() | st.text(max_size=3) | st.just([{}]))
    with suppress(InvalidLedger):
        check(document)


def test_the_document_itself_is_accepted() -> None:
    check(spoil(lambda document: None))
