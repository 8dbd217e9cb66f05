"""The agent `llm` against every vendor's wire: what is sent, what comes back in pieces, what becomes of it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.agents.agent import Brief, Ending, Progress, Rejected, Thinking, Usage
from arena.agents.llm import names
from arena.agents.llm.connection import Options
from arena.agents.prompt import PROMPT
from tests.arena.agents.desk import FIND as FIND_GUEST
from tests.arena.agents.desk import OPEN, TOOLS, Desk
from tests.arena.agents.llm.loopback import Reply, one_byte
from tests.arena.agents.llm.vendors import OPENROUTER, VENDORS, Call, Spent, Vendor
from tests.arena.agents.llm.workbench import KEY, TASK, Seen, bench

every = pytest.mark.parametrize("vendor", [*VENDORS, OPENROUTER], ids=lambda vendor: vendor.name)
READ = Call.of("open_page", path="a/b.md")
FIND = Call.of("find_guest", query="Ada")


def dialogue(vendor: Vendor, **options: Any) -> Seen:
    replies = [vendor.stream("I look. ", [READ, FIND]), vendor.stream("Dinner is at 19 — see a/b.md, “späte Küche”.")]
    with bench(vendor, replies, **options) as at:
        return at.work()


@every
def test_calls_are_made_in_their_order_and_their_results_go_back(vendor: Vendor) -> None:
    seen = dialogue(vendor)
    assert seen.toolbox.calls == [("open_page", {"path": "a/b.md"}), ("find_guest", {"query": "Ada"})]
    assert seen.result.text == "Dinner is at 19 — see a/b.md, “späte Küche”."
    assert (seen.result.ending, seen.result.steps) == (Ending.ANSWERED, 2)
    second = json.dumps(seen.provider.asked[1].body)
    assert "dinner at 19" in second
    assert "Ada Byron" in second


@every
def test_the_model_gets_the_prompt_the_task_and_every_tool_with_its_schema(vendor: Vendor) -> None:
    sent = json.dumps(dialogue(vendor).provider.asked[0].body)
    assert json.dumps(PROMPT.strip())[1:-1] in sent
    assert TASK in sent
    for tool in TOOLS:
        assert f'"{tool.id}"' in sent
        assert json.dumps(tool.properties) in sent


@every
def test_words_come_out_as_they_went_in_whatever_the_pieces(vendor: Vendor) -> None:
    whole = "I look. Dinner is at 19 — see a/b.md, “späte Küche”."
    assert dialogue(vendor).said == whole
    replies = [
        Reply(vendor.stream("I look. ", [READ]), pieces=one_byte),
        Reply(vendor.stream("Dinner is at 19 — see a/b.md, “späte Küche”."), pieces=one_byte),
    ]
    with bench(vendor, replies) as at:
        assert at.work().said == whole


@every
def test_tokens_of_every_request_are_summed_and_the_answering_model_is_named(vendor: Vendor) -> None:
    seen = dialogue(vendor)
    usage = seen.usage
    assert (usage.input_tokens, usage.output_tokens, usage.cached_input_tokens) == (240, 40, 128)
    assert usage.source == "reported"
    assert seen.result.model == "answering-model-2026"
    told = [event.usage.input_tokens for event in seen.events if isinstance(event, Progress)]
    assert told == [120, 240]


def test_what_a_vendor_counts_is_kept_and_what_it_does_not_count_is_unknown() -> None:
    kinds = {vendor.name: dialogue(vendor).usage for vendor in VENDORS}
    assert (kinds["anthropic"].cache_write_tokens, kinds["anthropic"].reasoning_tokens) == (16, None)
    assert (kinds["openai"].cache_write_tokens, kinds["openai"].reasoning_tokens) == (None, 10)
    assert (kinds["google"].cache_write_tokens, kinds["google"].reasoning_tokens) == (None, 10)


def test_a_zero_is_known_only_of_vendors_that_always_report_it() -> None:
    none = Spent(cached=0, reasoning=0, cache_write=0)
    found = {}
    for vendor in VENDORS:
        with bench(vendor, [vendor.stream("19.", spent=none)]) as at:
            usage = at.work().usage
            found[vendor.name] = (usage.cached_input_tokens, usage.cache_write_tokens, usage.reasoning_tokens)
    assert found == {
        "openai": (0, None, 0),
        "openai-chat": (None, None, None),
        "compatible": (None, None, None),
        "anthropic": (0, 0, None),
        "google": (0, None, 0),
    }


@every
def test_a_reply_without_token_counts_makes_the_sum_unknown(vendor: Vendor) -> None:
    with bench(vendor, [vendor.stream("", [READ]), vendor.stream("At 19.", spent=None)]) as at:
        usage = at.work().usage
    assert usage == Usage(source="reported")


@every
def test_first_word_and_first_call_are_timed_and_nothing_was_waited(vendor: Vendor) -> None:
    result = dialogue(vendor).result
    assert result.first_token_ms is not None
    assert result.first_tool_ms is not None
    assert 0 < result.first_token_ms <= result.first_tool_ms
    assert result.waiting_ms == 0


@every
def test_each_request_is_a_step_that_the_lane_sees_begin(vendor: Vendor) -> None:
    steps = [event.step for event in dialogue(vendor).events if isinstance(event, Thinking)]
    assert steps == [1, 2]


EFFORT = {
    "openai": lambda body: body["reasoning"]["effort"],
    "openai-chat": lambda body: body["reasoning_effort"],
    "compatible": lambda body: body["reasoning_effort"],
    "openrouter": lambda body: body["reasoning"]["effort"],
    "anthropic": lambda body: body["thinking"]["budget_tokens"],
    "google": lambda body: body["generationConfig"]["thinkingConfig"]["thinking_budget"],
}


@every
def test_effort_is_on_the_wire_of_every_request(vendor: Vendor) -> None:
    found = {}
    for effort in ("low", "high"):
        asked = dialogue(vendor, options=Options(effort)).provider.asked
        (found[effort],) = {EFFORT[vendor.name](each.body) for each in asked}
    if vendor.name in ("anthropic", "google"):
        # Older models of these take a budget of tokens instead of a word.
        assert 0 < found["low"] < found["high"]
    else:
        assert found == {"low": "low", "high": "high"}


def test_effort_reaches_a_new_claude_as_a_word() -> None:
    vendor = VENDORS[2]
    asked = dialogue(vendor, options=Options("low"), model="claude-opus-4-7").provider.asked
    assert [each.body["output_config"]["effort"] for each in asked] == ["low", "low"]


@every
def test_temperature_is_sent_only_where_it_was_ordered(vendor: Vendor) -> None:
    def temperatures(seen: Seen) -> set[object]:
        bodies = [each.body.get("generationConfig", {}) | each.body for each in seen.provider.asked]
        return {body.get("temperature") for body in bodies}

    # A model that reasons takes no temperature.
    model = {"openai": "gpt-4.1-mini", "openai-chat": "gpt-4.1-mini", "compatible": "qwen3", "openrouter": "a/b"}.get(
        vendor.name, ""
    )
    assert temperatures(dialogue(vendor, options=Options(temperature=0.25), model=model)) == {0.25}
    assert temperatures(dialogue(vendor)) == {None}


@every
def test_the_key_is_sent_once_as_the_vendor_wants_it_and_no_other_of_this_machine(
    vendor: Vendor, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI", "ANTHROPIC", "GOOGLE", "GEMINI", "OPENROUTER"):
        monkeypatch.setenv(f"{name}_API_KEY", "of-the-machine")
        monkeypatch.setenv(f"{name}_BASE_URL", "http://127.0.0.1:9/elsewhere")
    monkeypatch.setenv("OPENAI_ORG_ID", "of-the-machine")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "of-the-machine")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "of-the-machine")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Theirs: of-the-machine")
    for asked in dialogue(vendor).provider.asked:
        assert [value for value in asked.headers.values() if KEY in value] in ([KEY], [f"Bearer {KEY}"])
        assert "of-the-machine" not in json.dumps(dict(asked.headers))
        assert KEY not in asked.path
        assert KEY not in json.dumps(asked.body)


@pytest.mark.parametrize("vendor", [each for each in VENDORS if each.malformed], ids=lambda vendor: vendor.name)
@pytest.mark.parametrize("text", ['{"path": "a/b.md"', "[1]", '{"path": NaN}', "path=a/b.md"])
def test_malformed_arguments_are_an_error_to_the_model_and_never_a_call(vendor: Vendor, text: str) -> None:
    replies = [vendor.stream("", [Call("open_page", text), FIND]), vendor.stream("", [READ]), vendor.stream("At 19.")]
    with bench(vendor, replies) as at:
        seen = at.work()
    (rejected,) = [event for event in seen.events if isinstance(event, Rejected)]
    assert rejected.tool == "open_page"
    assert [tool for tool, _ in seen.toolbox.calls] == ["find_guest", "open_page"]
    assert (seen.result.ending, seen.result.steps) == (Ending.ANSWERED, 2)
    assert rejected.error in json.dumps(seen.provider.asked[1].body)


@every
def test_a_tool_with_a_name_that_no_provider_takes_is_offered_under_one_that_they_do(vendor: Vendor) -> None:
    strange = replace(OPEN, id="time/get.current time")
    wire = names.on_the_wire(strange.id)
    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", wire)
    with bench(vendor, [vendor.stream("", [Call.of(wire, path="a/b.md")]), vendor.stream("At 19.")]) as at:
        seen = at.work(Desk(**{strange.id: lambda arguments: "dinner at 19"}), brief=Brief(TASK, (strange, FIND_GUEST)))
    assert seen.toolbox.calls == [(strange.id, {"path": "a/b.md"})]
    assert strange.id not in json.dumps(seen.provider.asked[1].body)
    assert f'"{wire}"' in json.dumps(seen.provider.asked[0].body)


@given(st.text(max_size=200), st.text(max_size=200))
def test_names_on_the_wire_are_plain_and_lead_back(one: str, other: str) -> None:
    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", names.on_the_wire(one))
    assert names.back(names.on_the_wire(one), [other, one]) == one
