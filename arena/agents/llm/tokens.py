"""The tokens of a lane, summed over its requests; what a provider did not report stays unknown."""

from __future__ import annotations

from pydantic_ai.usage import RequestUsage

from arena.agents.agent import Usage
from arena.agents.providers import Counted, Provider


class Tally:
    """`input_tokens` has those of the cache in it, `output_tokens` those of thinking, as every provider bills them."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._requests: list[Usage] = []

    def add(self, usage: RequestUsage) -> None:
        """One reply's tokens; a reply without any is unknown, and with it the sum."""
        self._requests.append(_of(usage, self._provider.counts))

    @property
    def known(self) -> int:
        """Tokens in and out that were reported so far."""
        return sum((each.input_tokens or 0) + (each.output_tokens or 0) for each in self._requests)

    def usage(self) -> Usage:
        return Usage(
            input_tokens=_sum([each.input_tokens for each in self._requests]),
            output_tokens=_sum([each.output_tokens for each in self._requests]),
            cached_input_tokens=_sum([each.cached_input_tokens for each in self._requests]),
            cache_write_tokens=_sum([each.cache_write_tokens for each in self._requests]),
            reasoning_tokens=_sum([each.reasoning_tokens for each in self._requests]),
        )


def _of(usage: RequestUsage, counts: frozenset[Counted]) -> Usage:
    if usage.unmeasured_requests or not (usage.input_tokens or usage.output_tokens):
        return Usage()

    def known(kind: Counted, number: int) -> int | None:
        return number if number or kind in counts else None

    return Usage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cached_input_tokens=known("cached", usage.cache_read_tokens),
        cache_write_tokens=known("cache_write", usage.cache_write_tokens),
        reasoning_tokens=known("reasoning", usage.output_reasoning_tokens),
    )


def _sum(numbers: list[int | None]) -> int | None:
    """None where nothing was asked, or one number is unknown."""
    known = [number for number in numbers if number is not None]
    return sum(known) if numbers and len(known) == len(numbers) else None
