"""How Codex CLI reaches a model: by a person's own sign-in, or through a provider of the person's choice."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

KEY_NAME = "JEV_CODEX_KEY"
"""The environment variable that carries a provider's key to Codex CLI; its tool server does not get it."""


@dataclass(frozen=True, slots=True)
class Provider:
    """A server that speaks the Responses API at `address`; the empty key means that it wants none."""

    address: str
    key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Connection:
    """Exactly one of `sign_in` (an auth.json as `codex login` writes it) and `provider`.

    The empty model leaves the choice to Codex CLI, the empty effort to the model.
    """

    model: str = ""
    effort: str = ""
    sign_in: Path | None = None
    provider: Provider | None = None
