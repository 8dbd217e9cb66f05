"""Which model an agent of a run takes, where it is and how it is asked: checked before a run is made of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from arena.agents.gguf import wording
from arena.agents.gguf.agent import Gguf
from arena.agents.prompt import PROMPT_DIGEST
from arena.agents.providers import EFFORTS
from arena.errors import Invalid, among
from policy.engine.profile import InvalidConfig
from policy.people.models import User
from policy.services import agents

LLM = "llm"
MODELLED = (LLM,)
"""Agents whose model is named as `provider:model`."""
_PROMPTS = {Gguf.name: wording.DIGEST}
MOST_STEPS = 100
MOST_TOKENS = 10_000_000
HOTTEST = 2.0


@dataclass(frozen=True, slots=True)
class AgentOrder:
    """What an order says of the agent's model; a blank model is the one that the person chose on Settings.

    `effort` is one of `EFFORTS` or blank, `temperature` from 0 to 2 (None: the provider's own). `max_steps` counts
    tool calls, `max_tokens` those in and out of a whole lane (None: no bound).
    """

    model: str = ""
    effort: str = ""
    temperature: float | None = None
    max_steps: int | None = None
    max_tokens: int | None = None


@dataclass(frozen=True)
class AgentOptions:
    """The part of a setup that is about the agent: all of it counts for the comparison key.

    `address` is blank for the provider's usual one. `prompt` is the digest of the prompt, for agents that get one,
    `version` that of the program that drives the model, for agents that are one.
    """

    agent_model: str = ""
    agent_address: str = ""
    agent_effort: str = ""
    agent_temperature: float | None = None
    max_steps: int = 12
    max_tokens: int | None = None
    prompt: str = ""
    agent_version: str = ""


Checked = Callable[[AgentOrder, int, User], AgentOptions]
_others: dict[str, Checked] = {}


def offer(agent: str, checked: Checked) -> None:
    """An agent with options of its own: `checked` gets the order, the most steps and who acts, and raises `Invalid`."""
    _others[agent] = checked


def checked(agent: str, order: AgentOrder, *, by: User) -> AgentOptions:
    """The options of a setup; raises `Invalid` with the field, what is wrong and how to mend it."""
    steps = 12 if order.max_steps is None else order.max_steps
    if not 1 <= steps <= MOST_STEPS:
        raise Invalid(f"The most steps are {steps}; they must be from 1 to {MOST_STEPS}.")
    if order.max_tokens is not None and not 1 <= order.max_tokens <= MOST_TOKENS:
        raise Invalid(f"The most tokens are {order.max_tokens}; they must be from 1 to {MOST_TOKENS:,}.")
    if agent in _others:
        return _others[agent](order, steps, by)
    if agent not in MODELLED:
        _refuse_options(agent, order)
        return AgentOptions(max_steps=steps, prompt=_PROMPTS.get(agent, ""))
    if order.effort and order.effort not in EFFORTS:
        raise Invalid(among("effort", order.effort, list(EFFORTS)))
    if order.temperature is not None and not 0 <= order.temperature <= HOTTEST:
        raise Invalid(f"The temperature is {order.temperature:g}; it must be from 0 to {HOTTEST:g}.")
    name = _model(order.model, by=by)
    _refuse_unready(name, by=by)
    own = agents.connection(agents.PROVIDERS[name.provider].house, by=by).base_url
    return AgentOptions(
        agent_model=str(name),
        agent_address=own,
        agent_effort=order.effort,
        agent_temperature=order.temperature,
        max_steps=steps,
        max_tokens=order.max_tokens,
        prompt=PROMPT_DIGEST,
    )


def still_ready(agent: str, model: str, *, by: User) -> None:
    """Raises `Invalid` where the model of an old setup cannot be asked by this person now."""
    if agent in MODELLED:
        _refuse_unready(_model(model, by=by), by=by)


def _refuse_options(agent: str, order: AgentOrder) -> None:
    """An agent without a model of a provider takes no options of one: they would count and do nothing."""
    given = {
        "a model": order.model,
        "an effort": order.effort,
        "a temperature": order.temperature is not None,
        "a bound of tokens": order.max_tokens is not None,
    }
    if named := [name for name, value in given.items() if value]:
        raise Invalid(
            f"The agent {agent} takes no {named[0].partition(' ')[2]}: leave it out, or choose the agent {LLM}."
        )


def _model(text: str, *, by: User) -> agents.ModelName:
    try:
        name = agents.model_name(text) if text.strip() else agents.chosen(by=by)
    except InvalidConfig as wrong:
        raise Invalid(f"{str(wrong)[0].upper()}{str(wrong)[1:]}.") from wrong
    if not name.provider:
        raise Invalid(
            f"The agent {LLM} needs a model: choose one on Settings, under Agents, "
            "or name it as provider:model, such as openai:gpt-5-mini."
        )
    return name


def _refuse_unready(name: agents.ModelName, *, by: User) -> None:
    if missing := agents.why_not(name.provider, by=by):
        raise Invalid(f"The model {name} cannot be asked: {missing}")
