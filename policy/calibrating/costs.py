"""What a wrong decision costs, as it stands in an address: `allow-deny:10,ask-allow:1`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from policy.calibration.held import USUAL, Prices
from policy.engine.decisions import Action
from policy.errors import Invalid

DECISIONS = (Action.DENY, Action.ASK, Action.ALLOW)
LABELS = (Action.ALLOW, Action.ASK, Action.DENY, Action.HOLD)
MOST = 1_000_000.0


@dataclass(frozen=True, slots=True)
class Price:
    """One field of the matrix; a right decision costs nothing and has none."""

    name: str
    decision: str
    label: str
    value: float


def matrix(prices: Prices) -> list[tuple[str, list[Price | None]]]:
    """Label by label, the price of each decision."""
    return [(label.value, [_price(decision, label, prices) for decision in DECISIONS]) for label in LABELS]


def sent(given: Mapping[str, str]) -> Prices | None:
    """The prices that a form or an address names, over the usual ones; None where it names none.

    Raises `Invalid` with the allowed range.
    """
    named = {(decision, label): given.get(f"cost-{decision}-{label}") for decision in DECISIONS for label in LABELS}
    if all(text is None for text in named.values()):
        return None
    return {**USUAL, **{pair: _number(pair, text) for pair, text in named.items() if text is not None}}


def _price(decision: Action, label: Action, prices: Prices) -> Price | None:
    if decision == label:
        return None
    return Price(f"cost-{decision}-{label}", decision.value, label.value, prices.get((decision, label), 0.0))


def _number(pair: tuple[Action, Action], text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= MOST:
        raise Invalid(
            f"The cost of {pair[0]} where {pair[1]} is right is {text!r:.40}; it must be from 0 to {MOST:,.0f}."
        )
    return value
