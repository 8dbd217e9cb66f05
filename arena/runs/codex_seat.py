"""The seat of the agent `codex`: what a run keeps of it, and the agent of one lane with its person's way to a model."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.conf import settings

from arena.agents.agent import Agent
from arena.agents.codex.agent import Codex
from arena.agents.codex.program import Unusable
from arena.agents.prompt import PROMPT_DIGEST
from arena.agents.providers import EFFORTS
from arena.codex import access
from arena.errors import Invalid, among
from arena.runs import agent_models, seats
from arena.runs.agent_models import AgentOptions, AgentOrder
from policy.engine.profile import InvalidConfig
from policy.judges.http.adapter import checked_model
from policy.people.models import User

if TYPE_CHECKING:
    from arena.runs.setup import Setup

NAME = Codex.name


def options(order: AgentOrder, steps: int, by: User) -> AgentOptions:
    """Model, address and version of the program, all part of the comparison key.

    Raises `Invalid` with what Codex CLI lacks or does not take, before a run is made of it.
    """
    if order.temperature is not None or order.max_tokens is not None:
        what = "temperature" if order.temperature is not None else "bound of tokens"
        raise Invalid(f"The agent {NAME} takes no {what}: Codex CLI sets that by itself, so leave it out.")
    if order.effort and order.effort not in EFFORTS:
        raise Invalid(among("effort", order.effort, list(EFFORTS)))
    try:
        named = checked_model(order.model, label=Codex.label) if order.model.strip() else access.of(by).model
    except InvalidConfig as wrong:
        raise Invalid(f"{wrong}.") from None
    _refuse_unready(by)
    return AgentOptions(
        agent_model=named,
        agent_address=access.address(by),
        agent_effort=order.effort,
        max_steps=steps,
        prompt=PROMPT_DIGEST,
        agent_version=access.installed().version,
    )


def renewed(setup: Setup, *, by: User) -> Setup:
    """An old setup for a new run: with the program and the address as they are now. Raises `Invalid`."""
    _refuse_unready(by)
    return replace(setup, agent_version=access.installed().version, agent_address=access.address(by))


def _refuse_unready(by: User) -> None:
    if missing := access.why_not(by):
        raise Invalid(f"The agent {NAME} cannot work yet: {missing} Settings, Codex CLI shows all that it needs.")


def _make(setup: Setup, by: User) -> Agent:
    try:
        connection = access.connection(by, model=setup.agent_model, effort=setup.agent_effort)
    except Unusable as unusable:
        raise seats.NoSeat(str(unusable)) from None
    if access.address(by) != setup.agent_address:
        raise seats.NoSeat(
            "The address of Codex CLI’s provider has changed since this run was ordered. Start it again."
        )
    return Codex(connection, binary=settings.CODEX_BIN, version=setup.agent_version)


agent_models.offer(NAME, options)
seats.offer(seats.Seat(NAME, "Codex CLI, with your sign-in or a provider of yours", _make))
