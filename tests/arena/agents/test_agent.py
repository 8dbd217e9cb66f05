"""The protocol's values, the prompt and the registry."""

from __future__ import annotations

import hashlib

import pytest

from arena.agents import registry
from arena.agents.agent import Brief, Usage
from arena.agents.prompt import PROMPT, PROMPT_DIGEST, opening


def test_usage_that_is_unknown_stays_unknown_in_json() -> None:
    data = Usage(input_tokens=0).to_json()
    assert data["input_tokens"] == 0
    assert data["output_tokens"] is None
    assert data["source"] == "reported"


def test_the_prompt_is_known_by_its_digest() -> None:
    assert hashlib.sha256(PROMPT.encode()).hexdigest() == PROMPT_DIGEST


def test_the_first_message_holds_task_restrictions_and_facts() -> None:
    text = opening(Brief("Read it.", (), {"path": "src/ä.ts"}, ("Change nothing.",)))
    assert text.startswith("Read it.")
    assert "- Change nothing." in text
    assert '- path: "src/ä.ts"' in text


def test_a_task_without_restrictions_and_facts_is_the_whole_first_message() -> None:
    assert opening(Brief("Read it.", ())) == "Read it."


def test_the_offline_agent_is_found_by_name() -> None:
    assert "offline" in registry.names()
    assert registry.get("offline").label == "no language model"


def test_an_unknown_agent_is_refused_with_the_allowed_names() -> None:
    with pytest.raises(registry.UnknownAgent, match="use one of: offline"):
        registry.get("oracle-of-delphi")
