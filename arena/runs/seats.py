"""The agent of a run for its person: a seat knows how to make one, with the key, the address and a guarded client.

Another agent takes its seat by `offer`, from the module that knows it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.agents import registry as agents
from arena.agents.agent import Agent
from arena.agents.gguf.agent import Gguf
from arena.errors import Invalid, among
from arena.runs import agent_models, local_model
from policy.engine.profile import InvalidConfig
from policy.people.models import User
from policy.services import agents as models

if TYPE_CHECKING:
    # A setup checks that its agent has a seat.
    from arena.runs.setup import Setup


class NoSeat(Exception):
    """The agent of a run cannot be made any more; the text says why, for people."""


@dataclass(frozen=True, slots=True)
class Seat:
    """`label` is what people read beside the name; `make` raises `NoSeat`."""

    name: str
    label: str
    make: Callable[[Setup, User], Agent]


_seats: dict[str, Seat] = {}


def offer(seat: Seat) -> None:
    """Let runs name this agent."""
    _seats[seat.name] = seat


def seats() -> tuple[Seat, ...]:
    """Every agent that a run can name, the one without a language model first."""
    return (*(_plain(name) for name in agents.names()), *_seats.values())


def names() -> tuple[str, ...]:
    return tuple(seat.name for seat in seats())


def check(name: str) -> None:
    """Raises `Invalid` with the allowed names."""
    if name not in names():
        raise Invalid(among("agent", name, list(names())))


def take(setup: Setup, *, by: User) -> Agent:
    """The agent of this setup; raises `NoSeat`."""
    seat = next((seat for seat in seats() if seat.name == setup.agent), None)
    if seat is None:
        raise NoSeat(f"There is no agent {setup.agent} on this site any more.")
    return seat.make(setup, by)


def _plain(name: str) -> Seat:
    agent = agents.get(name)
    return Seat(name, agent.label, lambda setup, by: agent)


def _llm(setup: Setup, by: User) -> Agent:
    # The SDKs of four vendors take seconds to import: the worker of such a lane does, and no page.
    from arena.agents.llm.agent import Llm
    from arena.agents.llm.connection import Connection, Options

    name = models.model_name(setup.agent_model)
    provider = models.PROVIDERS[name.provider]
    try:
        at = models.ready(provider.house, by=by)
    except InvalidConfig as missing:
        raise NoSeat(f"The model {name} cannot be asked: {missing}.") from None
    if (str(at.address) if at.own_address else "") != setup.agent_address:
        raise NoSeat(f"The address of {provider.label} has changed since this run was ordered. Start it again.")
    connection = Connection(
        provider=name.provider,
        model=name.model,
        address=str(at.address),
        client=at.client,
        key=at.key.reveal() if at.key else "",
    )
    return Llm(connection, Options(setup.agent_effort, setup.agent_temperature))


def _gguf(setup: Setup, by: User) -> Agent:
    try:
        return local_model.seat(setup.local_model)
    except local_model.ModelChanged as changed:
        raise NoSeat(str(changed)) from None


offer(Seat(agent_models.LLM, "a language model of your own choice", _llm))
offer(Seat(local_model.AGENT, Gguf.label, _gguf))
