"""The agent `llm` through a real lane: key and model of a person, a server of the tests, tools of the menu."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from arena.errors import Invalid
from arena.models import Event, Run, RunState
from arena.runs import start
from arena.runs.agent_models import AgentOrder
from policy.judges.keys import Key
from policy.people import provider_keys
from policy.people.models import User
from policy.people.services import local_user
from policy.services import agents
from tests.arena.agents.llm.loopback import Asked, Provider, Reply, one_byte, refusal, serving
from tests.arena.agents.llm.vendors import ANTHROPIC, COMPATIBLE, RESPONSES, Call, Vendor

KEY = "sk-canary-2f9b61c07e"
Compare = Callable[..., Run]
READ = Call.of("read_file", path="README.md")
LLM: dict[str, Any] = {"arms": ["full"], "menu_size": 8, "agent": "llm"}


@contextmanager
def served(vendor: Vendor, *replies: Reply | bytes, house: str = "compatible") -> Iterator[Provider]:
    """A provider whose address and key the local person has set on Settings."""
    by = local_user()
    whole = [each if isinstance(each, Reply) else Reply(each) for each in replies]
    with serving(whole, vendor.check, vendor.prefix) as provider:
        agents.connect(house, base=provider.address, by=by)
        provider_keys.save(provider=agents.house(house).slot, key=Key(KEY), by=by)
        yield provider


def payloads(run: Run, kind: str) -> list[dict[str, Any]]:
    return [event.payload for event in Event.objects.filter(run=run, kind=kind)]


def model(name: str, **more: Any) -> dict[str, Any]:
    return {**LLM, "asked": AgentOrder(model=name, **more)}


@pytest.mark.parametrize(
    ("vendor", "name", "house"),
    [
        (COMPATIBLE, "compatible:qwen3", "compatible"),
        (RESPONSES, "openai:gpt-5-mini", "openai"),
        (ANTHROPIC, "anthropic:claude-haiku-4-5", "anthropic"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_a_model_works_through_the_tools_of_its_menu(vendor: Vendor, name: str, house: str, compare: Compare) -> None:
    first = Reply(vendor.stream("I read it. ", [READ, Call.of("list_files")]), pieces=one_byte)
    with served(vendor, first, vendor.stream("It says how to begin."), house=house) as provider:
        run = compare("patch", **model(name))
    lane = run.lanes.get()
    assert (run.state, lane.state, lane.answer) == (RunState.COMPLETE, "completed", "It says how to begin.")
    assert [call["tool"] for call in payloads(run, "call.started")] == ["read_file", "list_files"]
    assert "".join(said["text"] for said in payloads(run, "step.said")) == "I read it. It says how to begin."
    assert lane.metrics["usage"]["input_tokens"] == 240
    assert lane.metrics["model"] == "answering-model-2026"
    assert lane.metrics["measured"]["agent_input_tokens"]["source"] == "reported"
    assert lane.metrics["measured"]["first_token_ms"]["value"] > 0
    offered = json.dumps(provider.asked[0].body["tools"])
    assert all(f'"{tool["id"]}"' in offered for tool in lane.menu or [])
    assert len(provider.asked[0].body["tools"]) == 8


def test_the_key_of_the_person_is_sent_and_kept_nowhere(compare: Compare) -> None:
    with served(COMPATIBLE, COMPATIBLE.stream(f"{KEY} is your key.", [READ]), refusal(400, f"{KEY}?")) as provider:
        run = compare("patch", **model("compatible:qwen3"))
    assert provider.asked[0].headers["authorization"] == f"Bearer {KEY}"
    lane = run.lanes.get()
    kept = json.dumps([list(Event.objects.filter(run=run).values_list("payload", flat=True)), lane.metrics, run.setup])
    assert KEY not in kept + lane.message + lane.answer


def test_a_provider_that_fails_in_mid_reply_fails_its_lane_and_says_whose_fault_it_was(compare: Compare) -> None:
    broken = COMPATIBLE.stream("It says how", [READ])
    with served(COMPATIBLE, COMPATIBLE.stream("", [READ]), Reply(broken, cut_after=len(broken) // 2)):
        run = compare("patch", **model("compatible:qwen3"))
    lane = run.lanes.get()
    assert (lane.state, run.state) == ("failed", RunState.FAILED)
    assert "broke off" in lane.message
    (failed,) = payloads(run, "agent.failed")
    assert (failed["fault"], failed["code"], failed["steps"]) == ("provider", "disconnected", 1)
    assert len(payloads(run, "call.started")) == 1


def test_arguments_outside_the_schema_come_back_to_the_model_as_an_error(compare: Compare) -> None:
    replies = [COMPATIBLE.stream("", [Call.of("read_file", colour="red")]), COMPATIBLE.stream("Then not.")]
    with served(COMPATIBLE, *replies) as provider:
        run = compare("patch", **model("compatible:qwen3"))
    (finished,) = payloads(run, "call.finished")
    assert finished["ok"] is False
    assert finished["error"] in json.loads(json.dumps(provider.asked[1].body))["messages"][-1]["content"]


def test_both_lanes_get_the_same_prompt_and_only_the_menu_differs(compare: Compare) -> None:
    answer = COMPATIBLE.stream("Done.")
    with served(COMPATIBLE, answer, answer) as provider:
        compare("patch", **model("compatible:qwen3") | {"arms": ["full", "selected"], "menu_size": 40})
    one, other = (dict(asked.body) for asked in provider.asked)
    assert one.pop("tools") != other.pop("tools")
    assert one == other


def test_nothing_of_one_lane_is_in_the_other_s_requests_events_or_answer(compare: Compare) -> None:
    """The lanes are told apart by their menus; each says a word of its own and calls with it."""

    def reply(asked: Asked) -> Reply:
        word = sentinel(asked.body)
        if len(asked.body["messages"]) == 2:
            return Reply(COMPATIBLE.stream(f"{word} begins. ", [Call.of("read_file", path=f"{word}.md"), READ]))
        return Reply(COMPATIBLE.stream(f"{word} is done."))

    def sentinel(body: Mapping[str, Any]) -> str:
        return "quartz-lane" if len(body["tools"]) == 40 else "basalt-lane"

    with serving(reply, COMPATIBLE.check, COMPATIBLE.prefix) as provider:
        agents.connect("compatible", base=provider.address, by=local_user())
        run = compare("patch", **model("compatible:qwen3") | {"arms": ["full", "selected"], "menu_size": 40})
    full, selected = run.lanes.all()
    assert (full.answer, selected.answer) == ("quartz-lane is done.", "basalt-lane is done.")
    assert len(provider.asked) == 4
    for asked in provider.asked:
        own, other = sorted(("quartz-lane", "basalt-lane"), key=lambda word: word != sentinel(asked.body))
        told = json.dumps(asked.body)
        assert other not in told
        assert (own in told) is (len(asked.body["messages"]) > 2)
    for lane, other in ((full, "basalt-lane"), (selected, "quartz-lane")):
        assert other not in json.dumps([event.payload for event in Event.objects.filter(lane=lane)])


def test_a_key_that_was_removed_meanwhile_fails_the_lane_with_a_sentence(compare: Compare, owner: User) -> None:
    with served(RESPONSES, house="openai") as provider:
        run = _begun_without_key(owner)
    lane = run.lanes.get()
    assert (lane.state, provider.asked) == ("failed", [])
    assert "no key of OpenAI" in lane.message
    assert payloads(run, "agent.failed")[0]["fault"] == "host"


def _begun_without_key(by: User) -> Run:
    from arena.runs import history, inline

    with inline.worker() as wait:
        run = start.start("patch", by=by, origin="api", **model("openai:gpt-5-mini"))
        provider_keys.remove(provider="agent-openai", by=by)
        wait()
    return history.find(run.public_id)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (AgentOrder(), "needs a model"),
        (AgentOrder(model="openai:gpt-5-mini"), "no key of OpenAI"),
        (AgentOrder(model="compatible:qwen3"), "no address"),
        (AgentOrder(model="gpt-5-mini"), "provider:model"),
        (AgentOrder(model="nobody:gpt-5-mini"), "use one of: openai"),
        (AgentOrder(model="openrouter:gpt"), "vendor/model"),
        (AgentOrder(model="openai:gpt-5-mini", effort="heroic"), "high, low, medium, minimal"),
        (AgentOrder(model="openai:gpt-5-mini", temperature=7), "from 0 to 2"),
        (AgentOrder(model="openai:gpt-5-mini", max_steps=0), "from 1 to 100"),
        (AgentOrder(model="openai:gpt-5-mini", max_tokens=0), "from 1 to 10,000,000"),
    ],
)
def test_what_is_missing_or_wrong_is_said_before_a_run_is_made(asked: AgentOrder, says: str, owner: User) -> None:
    with pytest.raises(Invalid, match=says):
        start.start("patch", by=owner, origin="api", agent="llm", asked=asked)
    assert not Run.objects.exists()


def test_an_agent_without_a_model_takes_no_options_of_one(owner: User) -> None:
    with pytest.raises(Invalid, match="The agent offline takes no temperature"):
        start.start("patch", by=owner, origin="api", asked=AgentOrder(temperature=0.5))


@pytest.mark.django_db(transaction=True)
def test_model_address_options_and_prompt_are_part_of_the_comparison_key(
    owner: User, unpublished: list[tuple[str, int]]
) -> None:
    agents.connect("compatible", base="http://127.0.0.1:9/v1", by=owner)
    keys = set()
    orders = [
        AgentOrder(model="compatible:a"),
        AgentOrder(model="compatible:b"),
        AgentOrder(model="compatible:a", effort="low"),
        AgentOrder(model="compatible:a", temperature=0.1),
        AgentOrder(model="compatible:a", max_steps=5),
        AgentOrder(model="compatible:a", max_tokens=9),
    ]
    for asked in orders:
        keys.add(start.start("patch", by=owner, origin="api", agent="llm", asked=asked).setup_digest)
    again = start.start("patch", by=owner, origin="api", agent="llm", asked=orders[0])
    agents.connect("compatible", base="http://127.0.0.1:9/other", by=owner)
    moved = start.start("patch", by=owner, origin="api", agent="llm", asked=orders[0])
    assert len(keys) == len(orders)
    assert again.setup_digest in keys
    assert moved.setup_digest not in keys
    assert len(again.setup["prompt"]) == 64


@pytest.mark.django_db(transaction=True)
def test_a_run_again_keeps_the_model_and_how_it_is_asked(owner: User, unpublished: list[tuple[str, int]]) -> None:
    agents.connect("compatible", base="http://127.0.0.1:9/v1", by=owner)
    agents.choose("compatible:a", by=owner)
    first = start.start("patch", by=owner, origin="api", agent="llm", asked=AgentOrder(effort="low", max_steps=4))
    agents.choose("compatible:b", by=owner)
    anew = start.again(first, by=owner, origin="page")
    assert anew.setup == first.setup
    assert (anew.setup["agent_model"], anew.setup["agent_effort"], anew.setup["max_steps"]) == (
        "compatible:a",
        "low",
        4,
    )


@pytest.mark.django_db(transaction=True)
def test_a_run_again_without_its_key_is_refused(owner: User, unpublished: list[tuple[str, int]]) -> None:
    provider_keys.save(provider="agent-openai", key=Key(KEY), by=owner)
    first = start.start("patch", by=owner, origin="api", agent="llm", asked=AgentOrder(model="openai:gpt-5-mini"))
    provider_keys.remove(provider="agent-openai", by=owner)
    with pytest.raises(Invalid, match="no key of OpenAI"):
        start.again(first, by=owner, origin="page")
