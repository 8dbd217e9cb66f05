"""What the agent needs of a language model on this machine; whoever runs the model implements it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Message = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Written:
    """One reply and what it took, as the server reports it (None: it did not say).

    `cut` says that it ended at the bound of tokens. `input_tokens` counts the whole prompt, `cached_tokens` the part
    of it that the server still had in memory.
    """

    text: str
    cut: bool = False
    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None


class ModelFailed(Exception):
    """There is no reply; the text is a sentence, `code` says which kind of trouble."""

    def __init__(self, message: str, code: str = "model") -> None:
        super().__init__(message)
        self.code = code


class ModelSlow(Exception):
    """The reply was not there in time."""


class Unwanted(Exception):
    """A stop was requested while the model wrote."""


class LocalModel(Protocol):
    """A model that writes; `name` is what a lane says that it was."""

    name: str

    def write(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None,
        max_tokens: int,
        timeout_s: float,
        cancelled: Callable[[], bool],
    ) -> Generator[str, None, Written]:
        """Yields the reply in pieces; `schema` is the JSON Schema that it has to follow, None for free words.

        Looks at `cancelled` before every token, and while it waits for the first one. Raises `ModelFailed`,
        `ModelSlow` and `Unwanted`.
        """
        ...
