"""Connections that keep their time and go only where the base address may lead."""

from __future__ import annotations

import logging
import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, TypeVar

import anyio
import httpcore
import httpx

from policy.judges.http.address import BaseUrl

Stream = TypeVar("Stream")
Options = Iterable[Any] | None

# httpx counts a time-out per read; a far side that sends a byte now and then would never end.
_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)


class AddressRefused(httpcore.ConnectError):
    """The host leads to an address where this judge must not be."""


@contextmanager
def until(deadline: float) -> Iterator[None]:
    """Inside, every read and write of a guarded connection ends at this moment of the monotonic clock."""
    token = _deadline.set(deadline)
    try:
        yield
    finally:
        _deadline.reset(token)


def client(base: BaseUrl) -> httpx.Client:
    """A client for one base address: no redirects of its own, no proxies or .netrc from the environment."""
    transport = httpx.HTTPTransport(verify=_tls(base), trust_env=False)
    transport._pool.close()
    transport._pool = httpcore.ConnectionPool(
        ssl_context=_tls(base), network_backend=_Guard(base), keepalive_expiry=15.0
    )
    quiet()
    return httpx.Client(transport=transport, cookies=_no_cookies(), **_SETTINGS)


def async_client(base: BaseUrl) -> httpx.AsyncClient:
    """The same, awaited."""
    transport = httpx.AsyncHTTPTransport(verify=_tls(base), trust_env=False)
    transport._pool = httpcore.AsyncConnectionPool(
        ssl_context=_tls(base), network_backend=_AsyncGuard(base), keepalive_expiry=15.0
    )
    quiet()
    return httpx.AsyncClient(transport=transport, cookies=_no_cookies(), **_SETTINGS)


_SETTINGS: dict[str, Any] = {"follow_redirects": False, "trust_env": False, "timeout": 10.0}


def _no_cookies() -> CookieJar:
    """A far side cannot mark one caller of ours for the next."""
    return CookieJar(policy=DefaultCookiePolicy(allowed_domains=[]))


def quiet() -> None:
    """Both libraries log addresses and the headers of replies; neither says anything below a warning any more."""
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        if _audible not in logger.filters:
            logger.addFilter(_audible)
        if logger.level == logging.NOTSET:
            logger.setLevel(logging.WARNING)


_LOGGERS = ("httpx", "httpcore", *(f"httpcore.{part}" for part in ("connection", "http11", "http2", "proxy", "socks")))


def _audible(record: logging.LogRecord) -> bool:
    return record.levelno >= logging.WARNING


@lru_cache(maxsize=1)
def _trusted() -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=False)


def _tls(base: BaseUrl) -> ssl.SSLContext:
    """Reading the certificates takes tens of milliseconds: once a process, and never for plain http."""
    return _trusted() if base.scheme == "https" else _untrusting()


@lru_cache(maxsize=1)
def _untrusting() -> ssl.SSLContext:
    """Trusts nobody; plain http makes no use of it."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def seconds(timeout: float | None) -> float | None:
    """What a read or write may take now; raises when the attempt's time is over."""
    deadline = _deadline.get()
    if deadline is None:
        return timeout
    left = deadline - time.monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout("the time of this attempt is over")
    return left if timeout is None else min(left, timeout)


class _TimedStream(httpcore.NetworkStream):
    """A connection whose reads and writes end at the deadline of the attempt that uses it."""

    def __init__(self, inner: httpcore.NetworkStream) -> None:
        self._inner = inner

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, seconds(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, seconds(timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _TimedStream(self._inner.start_tls(ssl_context, server_hostname, seconds(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _Guard(httpcore.NetworkBackend):
    """Looks a host up once, refuses where it must not lead, and connects to what was looked up."""

    def __init__(self, base: BaseUrl) -> None:
        self._base = base
        self._inner = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Options = None,
    ) -> httpcore.NetworkStream:
        last: Exception | None = None
        for address in _allowed(self._base, _looked_up(host, port, seconds(timeout))):
            try:
                return _TimedStream(
                    self._inner.connect_tcp(address, port, seconds(timeout), local_address, socket_options)
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                last = error
        raise last or httpcore.ConnectError(f"{host} has no address")


class _AsyncGuard(httpcore.AsyncNetworkBackend):
    """The same, awaited; the attempt's time is kept by the driver."""

    def __init__(self, base: BaseUrl) -> None:
        self._base = base
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Options = None,
    ) -> httpcore.AsyncNetworkStream:
        try:
            found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise httpcore.ConnectError(str(error)) from error
        last: Exception | None = None
        for address in _allowed(self._base, found):
            try:
                return await self._inner.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                last = error
        raise last or httpcore.ConnectError(f"{host} has no address")


def _looked_up(host: str, port: int, timeout: float | None) -> list[tuple[Any, ...]]:
    """What the host leads to. The system's own look-up knows no time-out, so it is left behind when it takes longer."""
    answers: queue.SimpleQueue[list[tuple[Any, ...]] | OSError] = queue.SimpleQueue()

    def look() -> None:
        try:
            answers.put(list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)))
        except OSError as error:
            answers.put(error)

    threading.Thread(target=look, name="look-up", daemon=True).start()
    try:
        found = answers.get(timeout=timeout)
    except queue.Empty:
        raise httpcore.ConnectTimeout("the look-up of the host takes too long") from None
    try:
        if isinstance(found, OSError):
            raise found
    except OSError as error:
        # httpcore drops the cause of an error, and keeps what was being handled.
        raise httpcore.ConnectError(str(error)) from error
    return found


def _allowed(base: BaseUrl, found: Iterable[tuple[Any, ...]]) -> list[str]:
    """The addresses that were found, each once; one that is refused refuses them all."""
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    for address in addresses:
        if reason := base.refused(address):
            raise AddressRefused(reason)
    return addresses


Opener = Callable[[BaseUrl], httpx.Client]
AsyncOpener = Callable[[BaseUrl], httpx.AsyncClient]
