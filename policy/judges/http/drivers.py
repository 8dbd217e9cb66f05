"""The only I/O of an exchange: one driver that blocks, one that is awaited, the same moves for both."""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from collections.abc import Awaitable, Callable, Iterator

import httpx

from policy.engine.failures import FailureCode
from policy.judges.http.exchange import Broken, Ended, Exchange, Got, Received, Send, Wait
from policy.judges.http.network import AddressRefused, until
from policy.judges.keys import Key


class Bearer(httpx.Auth):
    """Puts the key into the request when it is sent, so that no frame of ours holds the header."""

    def __init__(self, key: Key) -> None:
        self._key = key

    def auth_flow(self, request: httpx.Request) -> Iterator[httpx.Request]:  # type: ignore[override]
        request.headers["Authorization"] = f"Bearer {self._key.reveal()}"
        yield request


def run(
    exchange: Exchange, client: httpx.Client, auth: Bearer | None, *, sleep: Callable[[float], None] = time.sleep
) -> Ended:
    """Drive an exchange to its end in this thread; one that is interrupted closes the attempt that is under way."""
    steps = exchange.steps()
    try:
        move = next(steps)
        while True:
            got: Got = None
            if isinstance(move, Wait):
                sleep(move.seconds)
            else:
                got = _send(client, move, auth)
            move = steps.send(got)
    except StopIteration as end:
        ended: Ended = end.value
        return ended
    finally:
        exchange.cancelled()


async def run_async(
    exchange: Exchange,
    client: httpx.AsyncClient,
    auth: Bearer | None,
    *,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> Ended:
    """The same, awaited."""
    steps = exchange.steps()
    try:
        move = next(steps)
        while True:
            got: Got = None
            if isinstance(move, Wait):
                await sleep(move.seconds)
            else:
                got = await _send_async(client, move, auth)
            move = steps.send(got)
    except StopIteration as end:
        ended: Ended = end.value
        return ended
    finally:
        exchange.cancelled()


def _send(client: httpx.Client, send: Send, auth: Bearer | None) -> Received | Broken:
    try:
        with (
            until(time.monotonic() + send.limit_s),
            client.stream(
                send.method, send.url, content=send.body, headers=send.headers, auth=auth, timeout=send.limit_s
            ) as response,
        ):
            taken = _Taken(send.most_bytes, response)
            for chunk in response.iter_bytes() if taken.wanted else ():
                if taken.is_over(chunk):
                    break
            return taken.received()
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        return _broken(error, send.limit_s)
    except RuntimeError:
        if not client.is_closed:
            raise
        return Broken(FailureCode.CONNECTION, "the judge was closed while it was asked", again=False)


async def _send_async(client: httpx.AsyncClient, send: Send, auth: Bearer | None) -> Received | Broken:
    try:
        async with (
            asyncio.timeout(send.limit_s),
            client.stream(
                send.method, send.url, content=send.body, headers=send.headers, auth=auth, timeout=send.limit_s
            ) as response,
        ):
            taken = _Taken(send.most_bytes, response)
            if taken.wanted:
                async for chunk in response.aiter_bytes():
                    if taken.is_over(chunk):
                        break
            return taken.received()
    except TimeoutError:
        return _late(send.limit_s)
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        return _broken(error, send.limit_s)


class _Taken:
    """The bytes of one reply up to the limit; one that is packed although nobody asked for that is not unpacked."""

    def __init__(self, most: int, response: httpx.Response) -> None:
        self._most = most
        self._response = response
        self._chunks: list[bytes] = []
        self._size = 0
        declared = response.headers.get("content-length", "")
        self.too_long = declared.isdigit() and int(declared) > most
        self.wanted = not self.too_long and response.headers.get("content-encoding", "identity").lower() == "identity"

    def is_over(self, chunk: bytes) -> bool:
        self._chunks.append(chunk)
        self._size += len(chunk)
        self.too_long = self._size > self._most
        return self.too_long

    def received(self) -> Received:
        headers = {name.lower(): value for name, value in self._response.headers.items()}
        return Received(self._response.status_code, headers, None if self.too_long else b"".join(self._chunks))


def _late(limit_s: float) -> Broken:
    return Broken(FailureCode.TIMEOUT, f"no whole reply within {limit_s:.2g} s")


def _broken(error: Exception, limit_s: float) -> Broken:
    """What went wrong in our words: the library's text may name addresses and headers."""
    if isinstance(error, httpx.TimeoutException):
        return _late(limit_s)
    for cause in _causes(error):
        match cause:
            case AddressRefused():
                return Broken(FailureCode.INVALID_CONFIG, str(cause), again=False)
            case ssl.SSLCertVerificationError():
                return Broken(FailureCode.CONNECTION, "its TLS certificate could not be verified", again=False)
            case ssl.SSLError():
                return Broken(FailureCode.CONNECTION, "no TLS connection could be made")
            case socket.gaierror():
                return Broken(FailureCode.CONNECTION, "its host name could not be found; is this machine offline?")
            case ConnectionRefusedError():
                return Broken(FailureCode.CONNECTION, "the connection was refused: nothing listens at its address")
    match error:
        case httpx.ConnectError():
            return Broken(FailureCode.CONNECTION, "no connection could be made; is this machine offline?")
        case httpx.RemoteProtocolError() if "location" in str(error):
            problem = "it redirects to another origin, at an address that cannot be read; nothing was sent there"
            return Broken(FailureCode.INVALID_RESPONSE, problem, again=False)
        case httpx.RemoteProtocolError():
            return Broken(FailureCode.CONNECTION, "the connection ended before the reply was whole, or it is no HTTP")
        case httpx.LocalProtocolError() | httpx.InvalidURL() | httpx.UnsupportedProtocol():
            return Broken(FailureCode.BAD_REQUEST, "the request could not be written as HTTP", again=False)
    return Broken(FailureCode.CONNECTION, "the connection broke in the middle of the exchange")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error, what it was raised from, and what was handled meanwhile; each once."""
    seen: set[int] = set()
    left = [error]
    while left:
        each = left.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        left.extend(cause for cause in (each.__cause__, each.__context__) if cause is not None)
