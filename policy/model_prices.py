"""What language models cost, from the table that comes inside the package genai-prices. Nothing is fetched.

The package can keep its table fresh over the network when it is told to; nobody here tells it to. The table is as old
as the installed version, which every figure names.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

PACKAGE = "genai-prices"


@dataclass(frozen=True, slots=True)
class Rates:
    """USD per million tokens; None is unknown, or no price of its own: see `arena/evidence/cost.py`.

    `up_to` is the size of a request from which the provider bills dearer (None: one price for all sizes).
    """

    input: Decimal | None
    output: Decimal | None
    cached: Decimal | None
    cache_write: Decimal | None
    source: str
    up_to: int | None = None

    @property
    def free(self) -> bool:
        """Whether nothing is paid however many tokens there were."""
        return self.input == self.output == 0


def bundled(provider: str, model: str, *, day: date) -> Rates | None:
    """The rates of a provider's model on a day (UTC), in its standard tier; None where the table does not know it.

    `provider` is the table's own name, such as openai; a model's name alone would guess who serves it.
    """
    # It takes some 100 ms and 40 MB to load, which a site without a language model need not spend.
    from genai_prices import __version__, data_snapshot

    try:
        _, found = data_snapshot.get_snapshot().find_provider_model(model, None, provider, None)
    except LookupError:
        return None
    prices = found.get_prices(datetime.combine(day, time(12), UTC))
    read = {name: _base(getattr(prices, name, None)) for name in _NAMES}
    if read["input_mtok"] is None and read["output_mtok"] is None:
        return None
    tiers = [tier.start for name in _NAMES for tier in getattr(getattr(prices, name, None), "tiers", ())]
    return Rates(
        input=read["input_mtok"],
        output=read["output_mtok"],
        cached=read["cache_read_mtok"],
        cache_write=read["cache_write_mtok"],
        source=f"{PACKAGE} {__version__}, {found.id} of {provider}",
        up_to=min(tiers, default=None),
    )


_NAMES = ("input_mtok", "output_mtok", "cache_read_mtok", "cache_write_mtok")


def _base(price: Any) -> Decimal | None:
    """The price of a request of ordinary size."""
    found: Decimal | None = price.base if hasattr(price, "base") else price
    return found
