"""What a provider of language models lists: one small request that shows whether a key is accepted."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass

import httpcore
import httpx

from policy.judges.http.address import BaseUrl
from policy.judges.http.network import client, until

MOST_BYTES = 4_000_000
MOST_MODELS = 2_000
SAID_CHARS = 300


@dataclass(frozen=True, slots=True)
class Listed:
    """`status` None: nobody answered, and `message` says why. `models` are names, empty where none were listed."""

    status: int | None
    models: tuple[str, ...] = ()
    message: str = ""
    latency_ms: float | None = None

    @property
    def accepted(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def listed(base: BaseUrl, path: str, *, headers: Mapping[str, str], secret: str, timeout_s: float) -> Listed:
    """Ask `base` + `path` once; never raises for what the far side does, and never repeats the key."""
    began = time.monotonic()
    try:
        with (
            until(began + timeout_s),
            client(base) as http,
            http.stream("GET", f"{base}{path}", headers=headers) as got,
        ):
            body = bytearray()
            for chunk in got.iter_raw():
                body += chunk
                if len(body) > MOST_BYTES:
                    return Listed(got.status_code, message="The list is longer than any list of models.")
            status = got.status_code
    except (httpx.HTTPError, httpcore.ConnectError, OSError) as error:
        return Listed(None, message=_without(str(error) or type(error).__name__, secret))
    took = round((time.monotonic() - began) * 1000, 1)
    try:
        parsed = json.loads(bytes(body))
    except (ValueError, RecursionError):
        parsed = None
    if not 200 <= status < 300:
        return Listed(status, message=_without(_said(parsed), secret), latency_ms=took)
    return Listed(status, tuple(_without(name, secret) for name in _names(parsed)), latency_ms=took)


def _names(parsed: object) -> list[str]:
    """OpenAI, Anthropic and OpenRouter list `data` with an `id`, Google lists `models` with a `name`."""
    if not isinstance(parsed, dict):
        return []
    rows = parsed.get("data", parsed.get("models"))
    if not isinstance(rows, list):
        return []
    found = [row.get("id") or row.get("name") for row in rows[:MOST_MODELS] if isinstance(row, dict)]
    return [name.removeprefix("models/")[:160] for name in found if isinstance(name, str)]


def _said(parsed: object) -> str:
    if not isinstance(parsed, dict):
        return ""
    inner = parsed.get("error", parsed)
    said = inner.get("message") if isinstance(inner, dict) else inner
    return " ".join(said.split()) if isinstance(said, str) else ""


def _without(text: str, secret: str) -> str:
    """In short and without the key: a far side may repeat what it was sent."""
    return (text.replace(secret, "[redacted]") if secret else text)[:SAID_CHARS]
