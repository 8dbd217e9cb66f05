"""The providers of language models that the agent `llm` can speak to, as data: no SDK is imported to list them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Counted = Literal["cached", "cache_write", "reasoning"]
EFFORTS = ("minimal", "low", "medium", "high")


@dataclass(frozen=True, slots=True)
class Provider:
    """`vendor` is what people call it, empty for a server of somebody's own.

    `counts` are the kinds of tokens that it always reports, so that a 0 from it is a known 0.
    """

    name: str
    vendor: str
    counts: frozenset[Counted] = frozenset()


_THINKING: frozenset[Counted] = frozenset({"cached", "reasoning"})
PROVIDERS: Mapping[str, Provider] = {
    provider.name: provider
    for provider in (
        Provider("openai", "OpenAI", _THINKING),
        Provider("openai-chat", "OpenAI"),
        Provider("anthropic", "Anthropic", frozenset({"cached", "cache_write"})),
        # Its counts are fields of a protocol whose JSON leaves out those that are 0.
        Provider("google", "Google", _THINKING),
        Provider("openrouter", "OpenRouter"),
        Provider("compatible", ""),
    )
}
