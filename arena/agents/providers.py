"""The providers of language models that the agent `llm` can speak to, as data: no SDK is imported to list them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Counted = Literal["cached", "cache_write", "reasoning"]
EFFORTS = ("minimal", "low", "medium", "high")


class UnknownProvider(LookupError):
    """A name that no provider has; the text lists the allowed ones."""


@dataclass(frozen=True, slots=True)
class Provider:
    """`address` is where the vendor answers, empty where a person must name it; `example` is a model's name.

    `counts` are the kinds of tokens that it always reports, so that a 0 from it is a known 0.
    """

    name: str
    label: str
    address: str
    example: str
    key_needed: bool = True
    counts: frozenset[Counted] = frozenset()


_OPENAI: frozenset[Counted] = frozenset({"cached", "reasoning"})
PROVIDERS: Mapping[str, Provider] = {
    provider.name: provider
    for provider in (
        Provider("openai", "OpenAI, Responses API", "https://api.openai.com/v1", "gpt-5-mini", counts=_OPENAI),
        Provider("openai-chat", "OpenAI, Chat Completions", "https://api.openai.com/v1", "gpt-5-mini"),
        Provider(
            "anthropic",
            "Anthropic",
            "https://api.anthropic.com",
            "claude-haiku-4-5",
            counts=frozenset({"cached", "cache_write"}),
        ),
        # Its counts are protobuf fields, and JSON leaves out those that are 0.
        Provider(
            "google", "Google Gemini", "https://generativelanguage.googleapis.com", "gemini-2.5-flash", counts=_OPENAI
        ),
        Provider("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", "openai/gpt-5-mini"),
        Provider(
            "compatible",
            "OpenAI-compatible: Ollama, vLLM, LM Studio, llama.cpp",
            "",
            "qwen3:4b",
            key_needed=False,
        ),
    )
}


def get(name: str) -> Provider:
    """The provider called `name`; raises UnknownProvider."""
    if name not in PROVIDERS:
        raise UnknownProvider(f"There is no provider “{name}”; use one of: {', '.join(PROVIDERS)}.")
    return PROVIDERS[name]
