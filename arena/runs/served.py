"""Who serves the model of a run's agent, as price tables name it, and how large the menu is that it is sent."""

from __future__ import annotations

from arena import arms
from arena.agents.estimate import tokens, wire_bytes
from arena.evidence.bill import Served
from arena.evidence.metrics import Metric
from arena.models import Lane
from arena.runs.inputs import Inputs
from arena.runs.setup import Setup

# Providers whose models the bundled table lists under another name; a server of one's own has no list price.
_TABLE_NAMES = {"openai-chat": "openai", "compatible": ""}


def of(setup: Setup) -> Served:
    """The agent and, where the setup names a model as provider:model, who serves it."""
    named = setup.agent_model
    provider, colon, model = named.partition(":")
    if not colon:
        return Served(setup.agent, model=named)
    return Served(setup.agent, _TABLE_NAMES.get(provider, provider), model)


def menu_tokens(lane: Lane, given: Inputs) -> Metric:
    """The schemas of the lane's menu in tokens, estimated from their bytes: what stands before every conversation."""
    if lane.menu is None:
        return Metric(None, "tokens", "lower", None, "the run ended before its menu was laid out")
    tools = [given.catalog.tool(entry.id) for entry in arms.from_json(lane.menu)]
    size = sum(wire_bytes(tool.to_wire()) for tool in tools)
    return Metric(float(tokens(size)), "tokens", "lower", "estimated")
