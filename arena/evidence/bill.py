"""What a lane cost in USD: its agent under three models of the cache, its judge, and where the prices are from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from arena.evidence import cost
from arena.evidence.cost import Costs, Money
from arena.evidence.metrics import Metric, cut_short
from arena.models import Arm, Event, Lane, LaneState
from policy.model_prices import Rates, bundled
from policy.prices import Cost, Price, Prices, charge

NOT_STARTED = Money(Decimal(0))


@dataclass(frozen=True, slots=True)
class Bill:
    """`judge` is what the judgment of the run cost, whoever pays for it; the sources name tables and rows."""

    agent: Costs
    judge: Cost
    judge_source: str = ""


@dataclass(frozen=True, slots=True)
class Served:
    """Who worked: the agent's name, and for a language model who serves it and what was asked for."""

    agent: str
    provider: str = ""
    model: str = ""


def of(lane: Lane, own: Sequence[Event], served: Served, judge: tuple[Cost, str], prices: Prices, *, day: date) -> Bill:
    """The bill of one lane; `own` are its events, `judge` the cost of the run's judgment with its source."""
    if lane.state == LaneState.WITHHELD:
        nothing = Costs(NOT_STARTED, NOT_STARTED, NOT_STARTED, "the agent was not started")
        return Bill(nothing, *judge)
    answered = str(lane.metrics.get("model") or "")
    found = rates(served, answered, prices, day)
    usage = lane.metrics.get("usage", {})
    tokens = cost.Tokens(
        usage.get("input_tokens"),
        usage.get("output_tokens"),
        usage.get("cached_input_tokens"),
        usage.get("cache_write_tokens"),
    )
    return Bill(cost.of(tokens, cost.requests_of(own), found, unpriced=_unpriced(served, answered)), *judge)


def of_judge(events: Sequence[Event], asked: str, prices: Prices, *, day: date) -> tuple[Cost, str]:
    """What the requests to the judge cost, and the source of their prices; nothing asked costs nothing."""
    names = [event.payload["judge"] for event in events if event.kind == "judge.asked"]
    if not names:
        return Cost(), ""
    total, sources = Cost(None), []
    replies = [event.payload for event in events if event.kind == "judge.answered"]
    for reply in replies:
        price = prices.of("judge", reply["judge"], asked=asked, answered=reply["model"], day=day)
        tokens = reply["input_tokens"], reply["output_tokens"]
        unknown = int(tokens[0] is None), int(tokens[1] is None)
        total += charge(price, tokens=(tokens[0] or 0, tokens[1] or 0), unknown=unknown, requests=1)
        sources += [price.source] if price else []
    # A request without a reply may have been paid for all the same, except where nothing is ever paid.
    silent = len(names) - len(replies)
    free = prices.of("judge", names[0], asked=asked, answered="", day=day)
    if silent:
        total += Cost(Decimal(0)) if free is not None and free.free else Cost(None, silent)
    return total, ", ".join(dict.fromkeys(sources))


def metrics(bill: Bill, lane: Lane) -> dict[str, Metric]:
    """The costs as metrics in USD. A selected lane's sums have the judge in them, a shadow lane shows it beside them.

    A sum with something unpriced in it is a lower bound.
    """
    arm, cut = Arm(lane.arm), cut_short(lane)
    asked = bill.judge if arm in (Arm.SELECTED, Arm.SHADOW) else Cost()
    paid = bill.judge if arm == Arm.SELECTED else Cost()
    return {
        "agent_cost": _metric(bill.agent.billed, Cost(), cut=cut),
        "judge_cost": _metric(Money(Decimal(0)), asked, cut=False),
        "cost": _metric(bill.agent.billed, paid, cut=cut),
        "cost_uncached": _metric(bill.agent.uncached, paid, cut=cut),
        "cost_perfect_cache": _metric(bill.agent.perfect, paid, cut=cut),
    }


def _metric(agent: Money, judge: Cost, *, cut: bool) -> Metric:
    if agent.usd is None:
        return Metric(None, "USD", "lower", None, agent.reason)
    if judge.usd is None and not agent.usd:
        return Metric(None, "USD", "lower", None, "no price of the judge’s requests is known")
    usd = agent.usd + (judge.usd or 0)
    return Metric(float(usd), "USD", "lower", "computed", at_least=cut or bool(judge.unknown))


def rates(served: Served, answered: str, prices: Prices, day: date) -> Rates | None:
    """A person's own price first, then what came with the program, then the bundled table of models."""
    price = prices.of("agent", served.agent, asked=served.model, answered=answered, day=day)
    if price is not None:
        return _of_price(price, no_model=not served.model and not answered)
    known = served.model or answered
    return bundled(served.provider, known, day=day) if served.provider and known else None


def _of_price(price: Price, *, no_model: bool) -> Rates:
    source = "no model, no cost" if price.free and no_model else price.source
    return Rates(price.input_usd, price.output_usd, price.cached_usd, price.cache_write_usd, source)


def _unpriced(served: Served, answered: str) -> str:
    name = served.model or answered
    if not name:
        return "no model was reported, so there is no price for it"
    return f"no price of {name} is known; enter one on Usage, Prices"
