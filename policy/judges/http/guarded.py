"""Guarded clients of httpx2, for the libraries that bring their own wire: the SDKs of agents and of tool servers.

The same rules as for judges: the host is looked up once and refused where it must not lead, nothing of the
environment is read, no cookie is kept, a reply is not unpacked and ends at its limit.
"""

from __future__ import annotations

import logging
import socket
import ssl
from collections.abc import AsyncIterator, Iterable, Mapping
from functools import lru_cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import anyio
import httpcore2
import httpx2

from policy.judges.http.address import BaseUrl

MOST_REPLY_BYTES = 8_000_000
_LOGGERS = ("httpx2", "httpcore2", *(f"httpcore2.{part}" for part in ("connection", "http11", "http2", "proxy")))


class AddressRefused(httpcore2.ConnectError):
    """The host leads to an address where this client must not be."""


class TooLong(httpx2.ReadError):
    """A reply went past its limit, or came packed although nobody asked for that."""


def async_client(
    base: BaseUrl,
    *,
    headers: Mapping[str, str] | None = None,
    most_bytes: int = MOST_REPLY_BYTES,
    connect_s: float = 10.0,
    read_s: float = 120.0,
) -> httpx2.AsyncClient:
    """A client for one base address; `most_bytes` bounds each reply, a stream of events included."""
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        # They log addresses and the headers of replies.
        if logger.level == logging.NOTSET:
            logger.setLevel(logging.WARNING)
    return httpx2.AsyncClient(
        transport=_Bounded(base, most_bytes),
        headers={"User-Agent": "jev-arena", **(headers or {}), "Accept-Encoding": "identity"},
        cookies=CookieJar(policy=DefaultCookiePolicy(allowed_domains=[])),
        timeout=httpx2.Timeout(read_s, connect=connect_s),
        follow_redirects=False,
        trust_env=False,
    )


class _Bounded(httpx2.AsyncHTTPTransport):
    """Connects through the guard, and ends a reply that is too long."""

    def __init__(self, base: BaseUrl, most_bytes: int) -> None:
        super().__init__(verify=_tls(base), trust_env=False)
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=_tls(base), network_backend=_Guard(base), keepalive_expiry=15.0
        )
        self._base = base
        self._most = most_bytes

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if (request.url.scheme, request.url.host, request.url.port or self._base.port) != self._base.origin:
            raise httpx2.ConnectError(f"only {self._base.host} may be asked", request=request)
        response = await super().handle_async_request(request)
        if (response.headers.get("content-encoding") or "identity").lower() != "identity":
            await response.aclose()
            raise TooLong("the reply is compressed, which was not asked for", request=request)
        response.stream = _Counted(response.stream, self._most)
        return response


class _Counted(httpx2.AsyncByteStream):
    def __init__(self, inner: Any, most: int) -> None:
        self._inner = inner
        self._left = most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._inner:
            self._left -= len(chunk)
            if self._left < 0:
                raise TooLong("the reply is longer than allowed")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Guard(httpcore2.AsyncNetworkBackend):
    def __init__(self, base: BaseUrl) -> None:
        self._base = base
        self._inner = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        try:
            with anyio.fail_after(timeout):
                found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except TimeoutError:
            raise httpcore2.ConnectTimeout("the look-up of the host takes too long") from None
        except (OSError, UnicodeError) as error:
            raise httpcore2.ConnectError("its host name could not be found") from error
        addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
        for address in addresses:
            if reason := self._base.refused(address):
                raise AddressRefused(reason)
        last: Exception | None = None
        for address in addresses:
            try:
                return await self._inner.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                last = error
        raise last or httpcore2.ConnectError(f"{host} has no address")


def _tls(base: BaseUrl) -> ssl.SSLContext:
    return _trusted() if base.scheme == "https" else _untrusting()


@lru_cache(maxsize=1)
def _trusted() -> ssl.SSLContext:
    return httpx2.create_ssl_context(trust_env=False)


@lru_cache(maxsize=1)
def _untrusting() -> ssl.SSLContext:
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
