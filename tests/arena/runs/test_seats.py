"""Who sits where: every agent of a run has a seat, and both rooms know the same providers."""

from __future__ import annotations

from arena.agents import providers
from arena.runs import seats
from policy.services import agents


def test_both_rooms_know_the_same_providers() -> None:
    assert set(agents.PROVIDERS) == set(providers.PROVIDERS)
    assert {provider.house for provider in agents.PROVIDERS.values()} == set(agents.HOUSES)


def test_the_agents_that_a_run_can_name_begin_with_the_one_without_a_model() -> None:
    assert seats.names()[0] == "offline"
    assert "llm" in seats.names()
