"""Why Codex CLI did not come to its end, in our own words: what it says itself may quote keys and addresses."""

from __future__ import annotations

import re
from dataclasses import dataclass

from arena.agents.agent import Fault


@dataclass(frozen=True, slots=True)
class Failure:
    fault: Fault
    code: str
    message: str


_STATUS = re.compile(r"\b(?:status|HTTP|code)\D{0,12}([45]\d\d)\b|\b([45]\d\d) [A-Z][a-z]+", re.IGNORECASE)
_KINDS: tuple[tuple[str, Fault, str, str], ...] = (
    (
        r"mcp (server|client|startup)|required mcp",
        "host",
        "tools",
        "Codex CLI could not start the tool server of the lane, and without tools it is not run.",
    ),
    (
        r"\b401\b|unauthori[sz]ed|log ?in again|not logged in|sign in|(invalid|incorrect) api key|token.{0,20}expired",
        "provider",
        "unauthorized",
        "The provider does not accept the sign-in or the key; sign in again, or save another key in Settings.",
    ),
    (
        r"\b402\b|usage limit|quota|insufficient|billing|credits",
        "provider",
        "no_credits",
        "The provider says that the account has no usage or credits left.",
    ),
    (r"\b429\b|rate.?limit|too many requests", "provider", "rate_limited", "The provider is at its rate limit."),
    (
        r"model.{0,40}(not (found|supported|exist)|does not exist|unknown)",
        "provider",
        "unknown_model",
        "The provider does not serve this model to Codex CLI.",
    ),
    (
        r"context.{0,20}(window|length)",
        "provider",
        "too_long",
        "Menu and messages are longer than the model takes.",
    ),
    (
        r"stream (disconnected|closed|error)|connection|error sending request|dns|timed? ?out|unreachable",
        "provider",
        "disconnected",
        "The provider cannot be reached, or broke off in the middle of a reply.",
    ),
)
FLOODED = Failure("host", "output_limit", "Codex CLI wrote more than a lane may; it was ended.")
NO_END = Failure("host", "no_end", "Codex CLI ended without saying that its work is done.")


def read(troubles: list[str], exit_code: int | None) -> Failure:
    """The failure behind what was said, the last word first."""
    for text in reversed(troubles):
        for pattern, fault, code, message in _KINDS:
            if re.search(pattern, text, re.IGNORECASE):
                return Failure(fault, code, message + _status(text))
    if exit_code:
        return Failure("host", "exit", f"Codex CLI ended with code {exit_code} before its work was done.")
    return NO_END


def _status(text: str) -> str:
    found = _STATUS.search(text)
    return f" (HTTP {found[1] or found[2]})" if found else ""
