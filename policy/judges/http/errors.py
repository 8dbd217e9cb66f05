"""A reply that is an error: the vendor's words out of any of its shapes, and what they mean to us."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from policy.engine.failures import Failure, FailureCode, Violation

MOST_CHARS = 200
MOST_LISTED = 8
MOST_WRAPS = 6


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an error status means: code, a stable word, what the far side did, and what to do about it."""

    code: FailureCode
    reason: str
    says: str
    mend: str = ""
    again: bool = False


_KEY = "Enter a valid key on Settings"
_TOO_LARGE = Meaning(
    FailureCode.BAD_REQUEST,
    "too_large",
    "says that the request is too large for the model",
    "Send less state, or fewer questions at once",
)
_BY_STATUS = {
    400: Meaning(FailureCode.BAD_REQUEST, "bad_request", "did not accept the request"),
    401: Meaning(FailureCode.AUTHENTICATION, "wrong_key", "did not accept the key", _KEY),
    402: Meaning(FailureCode.PERMISSION, "no_credits", "says that no credits are left", "Add credits to the account"),
    403: Meaning(FailureCode.PERMISSION, "key_refused", "says that the key is missing or may not do this", _KEY),
    404: Meaning(
        FailureCode.NOT_FOUND,
        "not_found",
        "does not know this path or this model",
        "Check the base address and the name of the model",
    ),
    408: Meaning(FailureCode.TIMEOUT, "timed_out", "gave up waiting", again=True),
    410: Meaning(FailureCode.NOT_FOUND, "gone", "no longer has this path or model", "Choose another model"),
    413: _TOO_LARGE,
    422: Meaning(FailureCode.BAD_REQUEST, "invalid_request", "found the request invalid"),
    429: Meaning(FailureCode.RATE_LIMIT, "rate_limit", "asks for fewer requests", "Try again later", again=True),
    503: Meaning(FailureCode.SERVER, "busy", "is busy or down", "Try again later", again=True),
    529: Meaning(FailureCode.SERVER, "overloaded", "is overloaded", "Try again later", again=True),
}
_OTHER = Meaning(FailureCode.BAD_REQUEST, "bad_request", "refused the request")
_FAULT = Meaning(FailureCode.SERVER, "server_fault", "failed on its side", "Try again later", again=True)
_ODD = Meaning(FailureCode.INVALID_RESPONSE, "odd_status", "answered with a status that is no answer")
_BY_TYPE = {"max_tokens_exceeded": _TOO_LARGE}


def meaning(status: int, body: Any) -> Meaning:
    """What the status and the stated kind of error mean."""
    known = next((meant for word, meant in _BY_TYPE.items() if _says(body, word)), None)
    if 400 <= status < 500 and known is not None:
        return known
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    return _FAULT if 500 <= status < 600 else _OTHER if 400 <= status < 500 else _ODD


def error_type(body: Any) -> str:
    """The vendor's own word for the kind of error, where there is one."""
    for holder in _holders(body):
        for name in ("error_type", "type", "code"):
            if isinstance(word := holder.get(name), str) and word:
                return word
    return ""


def error_text(body: Any, raw: str) -> str:
    """The vendor's words, in the reading order of its own SDK; the raw text where no shape fits.

    `detail[].input` is never read: it repeats what was sent.
    """
    return next((text for text in _texts(body) if text.strip()), error_type(body) or raw)


def error_violations(body: Any) -> list[tuple[str, str]]:
    """The named places of a request that the far side did not accept, with its words."""
    detail = body.get("detail") if isinstance(body, Mapping) else None
    items = detail if isinstance(detail, list) else []
    found = [(_place(item), str(item.get("msg", ""))) for item in items if isinstance(item, Mapping)]
    error = body.get("error") if isinstance(body, Mapping) else None
    if isinstance(error, Mapping) and isinstance(place := error.get("field") or error.get("param"), str):
        found.append((place, str(error.get("message", ""))))
    return found[:MOST_LISTED]


def failure(meant: Meaning, *, label: str, status: int, said: str, places: list[tuple[str, str]]) -> Failure:
    """The typed failure; every text given is already without secrets."""
    known = f": {said.rstrip(' .')}" if said else ""
    stop = "" if known.endswith(("!", "?", "…")) else "."
    mend = f" {meant.mend}." if meant.mend else ""
    message = f"{label} {meant.says} (HTTP {status}, {meant.reason}){known}{stop}{mend}"
    return Failure(meant.code, message, tuple(Violation(path, text) for path, text in places))


def _texts(body: Any) -> Iterator[str]:
    if isinstance(body, str):
        yield body
    if not isinstance(body, Mapping):
        return
    error, detail = body.get("error"), body.get("detail")
    if isinstance(error, str):
        yield error
    if isinstance(error, Mapping):
        yield _text(error.get("message"))
    yield _text(body.get("message"))
    yield _text(detail)
    if isinstance(detail, Mapping):
        yield _text(detail.get("message"))
    if isinstance(detail, list):
        items = [item for item in detail if isinstance(item, Mapping)]
        yield "; ".join(f"{_place(item)}: {_text(item.get('msg'))}" for item in items[:MOST_LISTED])
    errors = body.get("errors")
    if isinstance(errors, list):
        yield "; ".join(_numbered(item) for item in errors[:MOST_LISTED] if isinstance(item, Mapping))


def _says(value: Any, word: str, depth: int = 0) -> bool:
    """Whether a word stands anywhere in an error: gateways wrap the vendor's own, as an object or as a text of JSON."""
    if isinstance(value, str):
        return word in value
    if depth == MOST_WRAPS:
        return False
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return any(_says(part, word, depth + 1) for part in parts)


def _holders(body: Any) -> Iterator[Mapping[str, Any]]:
    """Where a kind of error may be written: in `detail`, in `error`, at the top."""
    if isinstance(body, Mapping):
        yield from (part for name in ("detail", "error") if isinstance(part := body.get(name), Mapping))
        yield body


def _numbered(item: Mapping[str, Any]) -> str:
    code = item.get("code")
    return f"{_text(item.get('message'))} ({code})" if isinstance(code, int) else _text(item.get("message"))


def _place(item: Mapping[str, Any]) -> str:
    location = item.get("loc")
    return ".".join(str(part) for part in location) if isinstance(location, list) else ""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
