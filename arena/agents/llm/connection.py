"""A connection to one model of one provider, and the model of pydantic-ai that speaks through it.

Address, key and client are always given: nothing of a machine's environment goes to a provider.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from anthropic import AsyncAnthropic
from google.genai.types import HttpRetryOptions
from openai import AsyncOpenAI
from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.models.openrouter import OpenRouterModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.providers.openrouter import OpenRouterProvider
from pydantic_ai.settings import ModelSettings

NO_KEY = "no-key"
"""What is sent where a server of one's own wants a key in the header but has none."""


@dataclass(frozen=True, slots=True)
class Connection:
    """Where a model is and how to get there. `client` opens a guarded asynchronous HTTP client in the calling loop."""

    provider: str
    model: str
    address: str
    client: Callable[[], Any]
    key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Options:
    """What a setup asks of a model beside the task; None and the empty string leave it to the provider."""

    effort: str = ""
    temperature: float | None = None


def model(connection: Connection, client: Any) -> Model:
    """The model behind `connection`, speaking through `client`; no SDK tries anything again by itself."""
    return _MODELS[connection.provider](connection, client)


def settings(provider: str, options: Options, *, most_output: int | None) -> ModelSettings:
    """The settings of one request; `most_output` bounds its reply in tokens, None leaves that to the provider."""
    chosen: dict[str, Any] = {}
    if options.temperature is not None:
        chosen["temperature"] = options.temperature
    if options.effort:
        # The unified name is dropped for models that the library does not know; an order is never dropped silently.
        chosen["openai_reasoning_effort" if provider in _OPENAI_WIRE else "thinking"] = options.effort
    if most_output is not None:
        chosen["max_tokens"] = most_output
    return cast(ModelSettings, chosen)


# A stream that ends without saying why has been cut: its calls may be half of what the model wanted.
_WHOLE = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)
_OPENAI_WIRE = ("openai", "openai-chat", "compatible")


def _openai_client(connection: Connection, client: Any) -> AsyncOpenAI:
    sdk = AsyncOpenAI(base_url=connection.address, api_key=connection.key or NO_KEY, http_client=client, max_retries=0)
    # Read from the environment where they are not given, and None counts as not given.
    sdk.organization = sdk.project = None
    sdk._custom_headers = {}
    return sdk


def _responses(connection: Connection, client: Any) -> Model:
    provider = OpenAIProvider(openai_client=_openai_client(connection, client))
    return OpenAIResponsesModel(connection.model, provider=provider)


def _chat(connection: Connection, client: Any) -> Model:
    provider = OpenAIProvider(openai_client=_openai_client(connection, client))
    return OpenAIChatModel(connection.model, provider=provider, profile=_WHOLE)


def _compatible(connection: Connection, client: Any) -> Model:
    provider = OpenAICompatibleProvider("compatible", openai_client=_openai_client(connection, client))
    return OpenAIChatModel(connection.model, provider=provider, profile=_WHOLE)


def _openrouter(connection: Connection, client: Any) -> Model:
    provider = OpenRouterProvider(openai_client=_openai_client(connection, client))
    return OpenRouterModel(connection.model, provider=provider, profile=_WHOLE)


def _anthropic(connection: Connection, client: Any) -> Model:
    sdk = AsyncAnthropic(api_key=connection.key, base_url=connection.address, http_client=client, max_retries=0)
    sdk._custom_headers = {}
    return AnthropicModel(connection.model, provider=AnthropicProvider(anthropic_client=sdk))


def _google(connection: Connection, client: Any) -> Model:
    provider = GoogleProvider(
        api_key=connection.key,
        base_url=connection.address,
        http_client=client,
        retry_options=HttpRetryOptions(attempts=1),
    )
    return GoogleModel(connection.model, provider=provider)


_MODELS: Mapping[str, Callable[[Connection, Any], Model]] = {
    "openai": _responses,
    "openai-chat": _chat,
    "anthropic": _anthropic,
    "google": _google,
    "openrouter": _openrouter,
    "compatible": _compatible,
}
