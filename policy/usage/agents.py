"""What agents used, told by whoever runs them: never added to what judges used."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from policy.prices import Cost, Prices, charge
from policy.usage import figures
from policy.usage.filters import Filter
from policy.usage.summary import tokens


@dataclass(frozen=True, slots=True)
class AgentUse:
    """One agent and model on one day; `input_told` and `output_told` count the lanes that know their tokens.

    `cost_usd` is what `priced` of the lanes cost when they ended, at the price of a language model of that day.
    """

    day: date
    agent: str
    model: str
    lanes: int
    input: int
    input_told: int
    output: int
    output_told: int
    estimated: int
    cost_usd: float = 0.0
    priced: int = 0


Source = Callable[[date, date], Iterable[AgentUse]]
_sources: list[Source] = []


def register(source: Source) -> None:
    """Let a room that runs agents tell what they used between two days (UTC, both included)."""
    if source not in _sources:
        _sources.append(source)


@dataclass(frozen=True, slots=True)
class AgentLine:
    label: str
    detail: str
    lanes: str
    input: str
    output: str
    cost: str
    unknown: str


def lines(chosen: Filter, prices: Prices) -> tuple[list[AgentLine], AgentLine]:
    """A line for every agent and model, and their sum; one query for each source."""
    groups: dict[tuple[str, str], list[AgentUse]] = {}
    for source in _sources:
        for use in source(chosen.first, chosen.last):
            groups.setdefault((use.agent, use.model), []).append(use)
    found = [_line(agent, model, uses, prices) for (agent, model), uses in sorted(groups.items())]
    everything = [use for uses in groups.values() for use in uses]
    return found, _line("all", "", everything, prices)


def _line(label: str, detail: str, uses: list[AgentUse], prices: Prices) -> AgentLine:
    lanes = sum(use.lanes for use in uses)
    input_told, output_told = sum(use.input_told for use in uses), sum(use.output_told for use in uses)
    cost = Cost(None)
    for use in uses:
        price = prices.of("agent", use.agent, asked=use.model, answered=use.model, day=use.day)
        unknown = use.lanes - use.input_told, use.lanes - use.output_told
        if price is None and use.priced:
            cost += Cost(Decimal(str(use.cost_usd)), use.lanes - use.priced)
            continue
        cost += charge(price, tokens=(use.input, use.output), unknown=unknown, requests=use.lanes)
    missing = lanes - min(input_told, output_told)
    known = sum(use.input for use in uses)
    estimated = known and known == sum(use.estimated for use in uses)
    return AgentLine(
        label,
        detail,
        figures.count(lanes),
        tokens(known, input_told, lanes - input_told),
        tokens(sum(use.output for use in uses), output_told, lanes - output_told),
        figures.money(cost),
        f"{figures.plural(missing, 'lane')} without usage"
        if missing
        else ("none, all estimated" if estimated else "none"),
    )
