"""`manage.py compare`: one object, honest exit codes."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from arena.models import Run
from policy.people.services import local_user
from policy.services import agents
from tests.arena.agents.llm.loopback import Reply, serving
from tests.arena.agents.llm.vendors import CHAT

pytestmark = pytest.mark.django_db(transaction=True)


def compare(*args: str) -> Any:
    out = StringIO()
    call_command("compare", *args, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_one_object_names_run_state_and_every_lane() -> None:
    printed = compare("patch", "--arms", "full,selected,shadow", "--menu", "20")
    assert printed["state"] == "complete"
    assert printed["run"] == Run.objects.get().public_id
    assert [lane["arm"] for lane in printed["lanes"]] == ["full", "selected", "shadow"]
    assert {"state", "success", "tools_exposed", "input_tokens", "working_ms"} <= printed["lanes"][0].keys()
    assert printed["lanes"][0]["input_tokens"]["source"] == "estimated"


def test_repeats_take_the_next_seeds() -> None:
    printed = compare("patch", "--arms", "full", "--repeats", "3", "--menu", "8")
    assert sorted(Run.objects.values_list("setup__seed", flat=True)) == [1, 2, 3]
    assert (printed["repeats"], len(printed["runs"])) == (3, 3)
    assert printed["independent"] <= 3


def test_the_selector_can_be_named() -> None:
    compare("patch", "--selector", "top-k", "--arms", "selected", "--menu", "8")
    assert Run.objects.get().setup["selector"] == "top-k"


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["nope"], "There is no case 'nope'. Allowed: "),
        (
            ["patch", "--arms", "fool"],
            "There is no arm 'fool'. Allowed: bm25, embedding, full, oracle, random, selected, shadow.",
        ),
        (
            ["patch", "--judge", "jav"],
            "There is no judge 'jav'. Allowed: cloudflare, compatible, gguf, local, openrouter, scripted, typesafe.",
        ),
        (["patch", "--repeats", "0"], "--repeats is 0; it must be from 1 to 100."),
    ],
)
def test_bad_input_is_a_sentence_and_exit_code_2(args: list[str], says: str) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("compare", *args)
    assert says in str(refused.value)
    assert refused.value.returncode == 2
    assert not Run.objects.exists()


def test_a_run_that_did_not_complete_is_exit_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("arena.runs.lane._drive", broken)
    with pytest.raises(CommandError) as failed:
        call_command("compare", "patch", "--arms", "full", stdout=StringIO())
    assert failed.value.returncode == 1
    assert "is failed: A: The lane broke" in str(failed.value)


def test_a_model_of_an_agent_is_named_and_kept_in_the_setup() -> None:
    with serving([Reply(CHAT.stream("Done."))], CHAT.check, "/v1") as provider:
        agents.connect("compatible", base=provider.address, by=local_user())
        named = ("--agent", "llm", "--agent-model", "compatible:qwen3", "--effort", "low", "--max-steps", "3")
        printed = compare("patch", "--arms", "full", "--menu", "8", *named)
    assert printed["state"] == "complete"
    assert provider.asked[0].body["reasoning_effort"] == "low"
    setup = Run.objects.get().setup
    assert (setup["agent_model"], setup["max_steps"]) == ("compatible:qwen3", 3)


def test_a_model_without_a_key_is_bad_input() -> None:
    with pytest.raises(CommandError, match="no key of OpenAI yet") as refused:
        compare("patch", "--agent", "llm", "--agent-model", "openai:gpt-5-mini")
    assert refused.value.returncode == 2
