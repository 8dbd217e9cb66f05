"""The agents that a run can name."""

from __future__ import annotations

from arena.agents.agent import Agent
from arena.agents.offline import Offline

_agents: dict[str, Agent] = {agent.name: agent for agent in (Offline(),)}


class UnknownAgent(LookupError):
    """A name that no agent has; the text lists the allowed ones."""


def names() -> tuple[str, ...]:
    return tuple(sorted(_agents))


def get(name: str) -> Agent:
    """The agent called `name`; raises UnknownAgent."""
    if name not in _agents:
        raise UnknownAgent(f"There is no agent “{name}”; use one of: {', '.join(names())}.")
    return _agents[name]
