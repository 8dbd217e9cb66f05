"""Tool servers over HTTP: the client that the MCP library is given, and what went wrong on the way in our words."""

from __future__ import annotations

import ssl
from collections.abc import Iterator, Mapping

import httpx2

from policy.judges.http import guarded
from policy.judges.http.address import BaseUrl

MOST_REPLY_BYTES = 4_000_000


def client(base: BaseUrl, headers: Mapping[str, str], *, read_s: float) -> httpx2.AsyncClient:
    """A guarded client with the person's own headers; `read_s` is how long a reply may be silent."""
    return guarded.async_client(base, headers=headers, most_bytes=MOST_REPLY_BYTES, read_s=read_s)


def trouble(error: BaseException) -> str | None:
    """The cause in words that name no header and no address beyond the host; None where HTTP was not the trouble."""
    causes = list(_causes(error))
    for cause in causes:
        match cause:
            case guarded.AddressRefused():
                return str(cause)
            case guarded.TooLong():
                return str(cause)
            case ssl.SSLCertVerificationError():
                return "its TLS certificate could not be verified"
            case ConnectionRefusedError():
                return "the connection was refused: nothing listens at its address"
            case httpx2.HTTPStatusError():
                return _status(cause.response.status_code)
    for cause in causes:
        match cause:
            case httpx2.TimeoutException():
                return "it did not answer in time"
            case httpx2.ConnectError():
                return "no connection could be made: check the address"
            case httpx2.HTTPError():
                return "the connection broke in the middle of the exchange"
    return None


def _status(status: int) -> str:
    hints = {401: ": it wants a header that it accepts", 403: ": it refuses this access", 404: ": check the path"}
    return f"it answered HTTP {status}{hints.get(status, '')}"


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error, what is grouped in it and what it came from; each once."""
    seen: set[int] = set()
    left: list[BaseException | None] = [error]
    while left:
        each = left.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        left += [each.__cause__, each.__context__]
        if isinstance(each, BaseExceptionGroup):
            left += each.exceptions
