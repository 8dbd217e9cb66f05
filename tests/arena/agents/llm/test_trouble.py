"""The agent `llm` when the provider is slow, full, wrong or gone, and when a person or a limit stops it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from typing import Any

import pytest

from arena.agents.agent import Brief, CallOutcome, Ending, Limits, Rejected, Said, Thinking, Waiting
from tests.arena.agents.desk import ERASE, FIND, OPEN, TOOLS, Desk, StopAfter
from tests.arena.agents.llm.loopback import Reply, refusal
from tests.arena.agents.llm.vendors import CHAT, GOOGLE, OPENROUTER, VENDORS, Call, Vendor
from tests.arena.agents.llm.workbench import KEY, TASK, bench

every = pytest.mark.parametrize("vendor", VENDORS, ids=lambda vendor: vendor.name)
READ = Call.of("open_page", path="a/b.md")


@every
def test_a_full_provider_is_waited_for_as_long_as_it_says_and_that_is_no_work(vendor: Vendor) -> None:
    replies = [refusal(429, "Slow down.", retry_after_ms="200"), vendor.stream("", [READ]), vendor.stream("At 19.")]
    with bench(vendor, replies) as at:
        seen = at.work()
    assert seen.result.ending is Ending.ANSWERED
    (waiting,) = [event for event in seen.events if isinstance(event, Waiting)]
    assert waiting.seconds == pytest.approx(0.2)
    assert "rate limit" in waiting.reason
    assert (seen.result.waiting_ms or 0) >= 200
    assert len(seen.provider.asked) == 3


@pytest.mark.parametrize("status", [503, 529])
def test_a_provider_that_cannot_serve_just_now_is_waited_for(status: int) -> None:
    with bench(CHAT, [refusal(status, retry_after_ms="1"), CHAT.stream("At 19.")]) as at:
        assert at.work().result.ending is Ending.ANSWERED


def test_a_wait_of_minutes_is_a_failure_at_once_and_says_how_long_it_was_to_be() -> None:
    with bench(CHAT, [refusal(429, "Slow down.", retry_after="600")]) as at:
        seen = at.work()
    assert (seen.result.ending, seen.result.fault, seen.result.code) == (Ending.FAILED, "provider", "rate_limited")
    assert "600 s" in seen.result.text
    assert len(seen.provider.asked) == 1


def test_a_provider_that_stays_full_is_not_waited_for_without_end() -> None:
    with bench(CHAT, [refusal(429, retry_after_ms="1")] * 9) as at:
        seen = at.work()
    assert (seen.result.ending, seen.result.code) == (Ending.FAILED, "rate_limited")
    assert len(seen.provider.asked) == 5


def test_a_wait_that_would_pass_the_time_of_the_lane_is_not_begun() -> None:
    with bench(CHAT, [refusal(429, retry_after="30")]) as at:
        seen = at.work(brief=Brief(TASK, TOOLS, limits=Limits(time_s=20)))
    assert (seen.result.ending, seen.result.code) == (Ending.FAILED, "rate_limited")


@every
def test_a_stream_that_breaks_off_is_one_clear_end_and_no_call_is_repeated(vendor: Vendor) -> None:
    broken = vendor.stream("Dinner is at 19, and breakfast at 7.", [READ])
    half = Reply(broken, cut_after=len(broken) // 2)
    with bench(vendor, [vendor.stream("", [READ]), half, vendor.stream("never")]) as at:
        seen = at.work()
    assert (seen.result.ending, seen.result.fault, seen.result.code) == (Ending.FAILED, "provider", "disconnected")
    assert "broke off" in seen.result.text
    assert seen.toolbox.tools == ["open_page"]
    assert len(seen.provider.asked) == 2
    assert seen.said
    assert seen.usage.input_tokens == 120


@pytest.mark.parametrize("vendor", VENDORS, ids=lambda vendor: vendor.name)
def test_a_stream_that_ends_before_the_reply_does_is_broken_off_too(vendor: Vendor) -> None:
    whole = vendor.stream("Dinner is at 19.", [READ])
    marks = (b'"finish_reason": "tool_calls"', b"event: message_delta", b"event: response.completed", b'"finishReason"')
    (end,) = [whole.index(mark) for mark in marks if mark in whole]
    short = whole[: whole.rindex(b"\n\n", 0, end) + 2]
    with bench(vendor, [short]) as at:
        seen = at.work()
    assert (seen.result.ending, seen.result.fault, seen.result.code) == (Ending.FAILED, "provider", "disconnected")
    assert seen.toolbox.tools == []


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (401, "unauthorized", "does not accept the key"),
        (404, "unknown_model", "does not know the model"),
        (400, "refused", "refused the request"),
        (402, "no_credits", "no credits"),
        (500, "server_error", "broke"),
    ],
)
@every
def test_a_refusal_says_who_refused_what_in_the_provider_s_own_words(
    vendor: Vendor, status: int, code: str, words: str
) -> None:
    with bench(vendor, [refusal(status, "the model has moved")]) as at:
        seen = at.work()
    assert (seen.result.ending, seen.result.fault, seen.result.code) == (Ending.FAILED, "provider", code)
    assert words in seen.result.text
    assert "the model has moved" in seen.result.text
    assert len(seen.provider.asked) == 1


@every
def test_a_provider_that_nobody_answers_for_cannot_be_reached(vendor: Vendor) -> None:
    with bench(vendor, []) as at:
        at.provider.address = "http://127.0.0.1:9"
        result = at.work().result
    assert (result.ending, result.fault, result.code) == (Ending.FAILED, "provider", "unreachable")


@every
def test_a_stop_closes_the_connection_in_the_middle_of_a_reply(vendor: Vendor) -> None:
    half = vendor.stream("Dinner is at 19, and breakfast at 7.")
    hold = threading.Event()
    with bench(vendor, [Reply(half[: len(half) // 2], hold=hold)]) as at:
        began = time.monotonic()
        seen = at.work(cancel=StopAfter(12))
        assert at.provider.hung_up.wait(10)
        took = time.monotonic() - began
        hold.set()
    assert (seen.result.ending, seen.result.stop_reason) == (Ending.STOPPED, "stop requested")
    assert took < 10


def test_a_stop_ends_a_wait_for_the_provider() -> None:
    with bench(CHAT, [refusal(429, retry_after="50")]) as at:
        began = time.monotonic()
        result = at.work(cancel=StopAfter(40)).result
    assert result.ending is Ending.STOPPED
    assert time.monotonic() - began < 20
    assert 0 < (result.waiting_ms or 0) < 20_000


def test_calls_end_at_the_limit_of_steps_even_within_one_reply() -> None:
    with bench(CHAT, [CHAT.stream("", [READ, READ, READ])]) as at:
        seen = at.work(brief=Brief(TASK, TOOLS, limits=Limits(max_steps=2)))
    assert (seen.result.ending, seen.result.stop_reason, seen.result.steps) == (Ending.LIMIT, "step limit", 2)
    assert len(seen.toolbox.calls) == 2


def test_a_model_that_is_malformed_for_ever_comes_to_the_limit_too() -> None:
    with bench(CHAT, [CHAT.stream("", [Call("open_page", "{")])] * 9) as at:
        seen = at.work(brief=Brief(TASK, TOOLS, limits=Limits(max_steps=3)))
    assert (seen.result.ending, seen.result.steps) == (Ending.LIMIT, 0)
    assert sum(isinstance(event, Rejected) for event in seen.events) == 3


def test_tokens_are_bounded_over_the_lane_and_on_the_wire() -> None:
    with bench(CHAT, [CHAT.stream("", [READ])] * 3) as at:
        seen = at.work(brief=Brief(TASK, TOOLS, limits=Limits(max_tokens=200)))
    assert (seen.result.ending, seen.result.stop_reason) == (Ending.LIMIT, "token limit")
    assert [each.body["max_completion_tokens"] for each in seen.provider.asked] == [200, 60]


@every
def test_a_reply_that_is_cut_at_its_length_is_a_limit_and_no_answer(vendor: Vendor) -> None:
    with bench(vendor, [vendor.stream("Dinner is", finish="length")]) as at:
        result = at.work().result
    assert (result.ending, result.text) == (Ending.LIMIT, "Dinner is")


def test_time_ends_the_work_in_the_middle_of_a_reply() -> None:
    hold = threading.Event()
    with bench(CHAT, [Reply(CHAT.stream("Dinner")[:200], hold=hold)]) as at:
        result = at.work(brief=Brief(TASK, TOOLS, limits=Limits(time_s=0.4))).result
        hold.set()
    assert (result.ending, result.stop_reason) == (Ending.LIMIT, "time limit")


class Person(Desk):
    """A person answers every call slowly; their time is no time of the lane."""

    def call(self, tool_id: str, arguments: Mapping[str, Any]) -> CallOutcome:
        super().call(tool_id, arguments)
        time.sleep(0.5)
        return CallOutcome(True, "yes", waited_s=30.0)


def test_time_that_a_person_took_is_added_to_the_deadline() -> None:
    with bench(CHAT, [CHAT.stream("", [READ]), CHAT.stream("At 19.")]) as at:
        result = at.work(Person(), brief=Brief(TASK, TOOLS, limits=Limits(time_s=0.5))).result
    assert result.ending is not Ending.LIMIT


class Opening(Desk):
    """The first call brings a tool along."""

    def call(self, tool_id: str, arguments: Mapping[str, Any]) -> CallOutcome:
        super().call(tool_id, arguments)
        return CallOutcome(True, "found", joined=(ERASE, OPEN))


def test_a_tool_that_joined_is_offered_from_the_next_request_on() -> None:
    with bench(CHAT, [CHAT.stream("", [READ]), CHAT.stream("At 19.")]) as at:
        seen = at.work(Opening(), brief=Brief(TASK, (OPEN, FIND)))
    names = [[tool["function"]["name"] for tool in asked.body["tools"]] for asked in seen.provider.asked]
    assert names == [["open_page", "find_guest"], ["open_page", "find_guest", "erase_page"]]


@every
def test_a_tool_outside_the_menu_is_an_error_to_the_model(vendor: Vendor) -> None:
    class Refusing(Desk):
        def call(self, tool_id: str, arguments: Mapping[str, Any]) -> CallOutcome:
            return CallOutcome(False, error=f"There is no tool {tool_id!r} in this menu.")

    with bench(vendor, [vendor.stream("", [Call.of("fly_away", far=True)]), vendor.stream("It cannot be.")]) as at:
        seen = at.work(Refusing())
    assert "There is no tool 'fly_away'" in json.dumps(seen.provider.asked[1].body)
    assert seen.result.ending is Ending.ANSWERED


@every
def test_a_question_ends_as_a_question(vendor: Vendor) -> None:
    with bench(vendor, [vendor.stream("Which part would you like me to improve?")]) as at:
        assert at.work().result.ending is Ending.ASKED


@every
def test_a_menu_may_be_empty(vendor: Vendor) -> None:
    with bench(vendor, [vendor.stream("There is no tool for that here.")]) as at:
        assert at.work(brief=Brief(TASK, ())).result.ending is Ending.DECLINED


@every
def test_a_key_that_the_far_side_says_aloud_is_in_no_event_and_no_result(vendor: Vendor) -> None:
    say = f"Your key is {KEY}, and again {KEY}."
    replies = [
        vendor.stream(say, [Call.of("find_guest", query=f"x{KEY}")], model=f"m-{KEY}"),
        refusal(400, f"{KEY} is not what I like", retry_after="1"),
    ]
    with bench(vendor, replies) as at:
        seen = at.work()
    assert "[key]" in seen.said
    assert KEY not in repr((seen.events, seen.result, seen.toolbox.calls))
    assert "[key] is not what I like" in seen.result.text


def test_words_come_while_the_reply_is_still_going_on() -> None:
    hold = threading.Event()
    stream = CHAT.stream("word " * 200)
    with bench(CHAT, [Reply(stream[: len(stream) - 400], hold=hold)]) as at:
        work = at.begin()
        assert isinstance(next(work), Thinking)
        said = next(work)
        hold.set()
        work.close()
    assert isinstance(said, Said)
    assert len(said.text) >= 400


def test_google_refuses_nothing_of_a_whole_dialogue() -> None:
    with bench(GOOGLE, [GOOGLE.stream("", [READ, READ]), GOOGLE.stream("", [READ]), GOOGLE.stream("At 19.")]) as at:
        assert at.work().result.steps == 3


def test_a_connection_that_the_sdk_refuses_is_a_failure_of_this_site_with_its_reason() -> None:
    with bench(OPENROUTER, [], model="no-vendor") as at:
        result = at.work().result
    assert (result.ending, result.fault, result.code) == (Ending.FAILED, "host", "not_set_up")
    assert "no-vendor" in result.text
    assert not [thread for thread in threading.enumerate() if thread.name == "llm-line"]
