"""What a failed request to a provider means: whose fault, which kind, and whether waiting can help."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic_ai import exceptions as errors

from arena.agents.agent import Fault

LONGEST_WAIT_S = 60.0
"""The longest single wait that a provider may ask for; more is a failure now rather than a lane that sleeps."""
MOST_WAITS = 4
FIRST_WAIT_S = 1.0
SAID_CHARS = 300


@dataclass(frozen=True, slots=True)
class Failure:
    """`message` is a sentence for people; `wait_s` is how long to wait before asking again, None: do not."""

    fault: Fault
    code: str
    message: str
    wait_s: float | None = None


_KINDS: tuple[tuple[type[Exception], str, str], ...] = (
    (errors.ModelRateLimitError, "rate_limited", "is at its rate limit"),
    (errors.ModelQuotaExceededError, "no_credits", "says that the account has no credits or quota left"),
    (errors.ModelUnavailableError, "unavailable", "cannot serve the model just now"),
    (errors.ModelAuthenticationError, "unauthorized", "does not accept the key"),
    (errors.ModelNotFoundError, "unknown_model", "does not know the model, or nothing answers at this address"),
    (errors.ModelContextWindowExceededError, "too_long", "says that menu and messages are longer than the model takes"),
    (errors.ModelRequestRejectedError, "refused", "refused the request"),
    (errors.ModelServerError, "server_error", "broke while serving the request"),
    (errors.ModelTimeoutError, "timeout", "did not answer in time"),
    (errors.ModelConnectionError, "disconnected", "ended the connection"),
    (errors.ModelAPIError, "bad_reply", "gave a reply that cannot be read"),
)
_WAITABLE = (errors.ModelRateLimitError, errors.ModelUnavailableError)


def read(error: Exception, provider: str, *, begun: bool, waits: int) -> Failure:
    """The failure behind `error`. `begun`: some of the reply had come; `waits`: how often was waited for it already.

    A reply that had begun is never asked for again: what it said, and cost, cannot be taken back.
    """
    if isinstance(error, errors.ModelConnectionError) and error.phase in ("connect", "pool"):
        return Failure("provider", "unreachable", f"{provider} cannot be reached: {_reason(error)}.")
    code, says = next(((code, says) for kind, code, says in _KINDS if isinstance(error, kind)), ("", ""))
    if not code:
        return Failure("host", "broken", f"The request to {provider} could not be made: {_words(str(error))}.")
    if begun and (code in ("disconnected", "timeout") or "finish_reason" in str(error)):
        return Failure("provider", "disconnected", broke_off(provider))
    detail = _detail(error)
    message = f"{provider} {says}{f': {detail}' if detail else ''}."
    return Failure("provider", code, message, None if begun else _wait(error, waits))


def broke_off(provider: str) -> str:
    return (
        f"{provider} broke off in the middle of a reply; nothing of that reply was carried out, and none is repeated."
    )


def _wait(error: Exception, waits: int) -> float | None:
    if not isinstance(error, _WAITABLE) or waits >= MOST_WAITS:
        return None
    asked = error.retry_after
    wait = FIRST_WAIT_S * 2**waits if asked is None else max(asked, 0.0)
    return wait if wait <= LONGEST_WAIT_S else None


def _detail(error: Exception) -> str:
    """The provider's own words, in short; the status where it sent one."""
    status = f"HTTP {error.status_code}" if isinstance(error, errors.ModelHTTPError) else ""
    asked = getattr(error, "retry_after", None)
    wait = f"asks to wait {asked:.0f} s" if asked is not None and asked > LONGEST_WAIT_S else ""
    body = getattr(error, "body", None)
    return ", ".join(part for part in (status, wait, _words(_said(body))) if part)


def _said(body: object) -> str:
    """The message in an error's body, wherever the vendor puts it."""
    if isinstance(body, dict):
        inner = body.get("error", body)
        said = inner.get("message") if isinstance(inner, dict) else inner
        return said if isinstance(said, str) else ""
    return body if isinstance(body, str) else ""


def _words(text: str) -> str:
    flat = " ".join(text.split()).rstrip(".")
    return flat if len(flat) <= SAID_CHARS else flat[: SAID_CHARS - 1].rstrip() + "…"


def _reason(error: BaseException) -> str:
    """The innermost words: the guard says there why an address may not be used."""
    return _words(list(_chain(error))[-1])


def _chain(error: BaseException) -> Iterator[str]:
    seen: BaseException | None = error
    while seen is not None:
        if str(seen):
            yield str(seen)
        seen = seen.__cause__ or seen.__context__
