"""A judge behind HTTP: an adapter, a checked address, a key and the one transport, blocking or awaited."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Awaitable, Callable

import httpx

from policy.engine.judge import JudgeReply, JudgeRequest
from policy.judges.attempts import OnAttempt, unwatched
from policy.judges.http import drivers, network
from policy.judges.http.exchange import Clocks, Exchange
from policy.judges.http.retries import NO_RETRIES, Retries
from policy.judges.http.target import Target


class HttpJudge:
    """Asks over HTTP and waits; safe to use from many threads. Closing it closes its connections."""

    tells_attempts = True

    def __init__(
        self,
        target: Target,
        *,
        retries: Retries | None = None,
        clocks: Clocks | None = None,
        sleep: Callable[[float], None] = time.sleep,
        opener: network.Opener = network.client,
    ) -> None:
        self.target = target
        self.name = target.adapter.name
        self.endpoint = target.endpoint
        self.model = target.model
        self.retries = retries or Retries()
        self._clocks = clocks or Clocks()
        self._sleep = sleep
        self._opener = opener
        self._lock = threading.Lock()
        self._opened: tuple[int, httpx.Client] | None = None

    def ask(self, request: JudgeRequest, *, timeout_s: float, on_attempt: OnAttempt = unwatched) -> JudgeReply:
        """One logical question: every physical request is told to `on_attempt`; raises `JudgeFailed`."""
        exchange = Exchange(self.target.call(request), self.retries, timeout_s, on_attempt, self._clocks)
        return self.target.reply(drivers.run(exchange, self._client(), self.target.auth, sleep=self._sleep))

    def models(self, *, timeout_s: float) -> tuple[str, ...] | None:
        """The models that the far side lists; None where it has no list that helps. Raises `JudgeFailed`."""
        call = self.target.models_call()
        if call is None:
            return None
        exchange = Exchange(call, NO_RETRIES, timeout_s, unwatched, self._clocks)
        return self.target.models(drivers.run(exchange, self._client(), self.target.auth, sleep=self._sleep))

    def close(self) -> None:
        with self._lock:
            opened, self._opened = self._opened, None
        if opened is not None:
            opened[1].close()

    def _client(self) -> httpx.Client:
        """One client a process: connections do not survive a fork."""
        process = os.getpid()
        with self._lock:
            if self._opened is None or self._opened[0] != process:
                self._opened = process, self._opener(self.target.base)
            return self._opened[1]


class AsyncHttpJudge:
    """The same, awaited; for one event loop. `async with` closes its connections."""

    tells_attempts = True

    def __init__(
        self,
        target: Target,
        *,
        retries: Retries | None = None,
        clocks: Clocks | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        opener: network.AsyncOpener = network.async_client,
    ) -> None:
        self.target = target
        self.name = target.adapter.name
        self.endpoint = target.endpoint
        self.model = target.model
        self.retries = retries or Retries()
        self._clocks = clocks or Clocks()
        self._sleep = sleep
        self._client = opener(target.base)

    async def ask(self, request: JudgeRequest, *, timeout_s: float, on_attempt: OnAttempt = unwatched) -> JudgeReply:
        exchange = Exchange(self.target.call(request), self.retries, timeout_s, on_attempt, self._clocks)
        return self.target.reply(await drivers.run_async(exchange, self._client, self.target.auth, sleep=self._sleep))

    async def aclose(self) -> None:
        await self._client.aclose()

    async def __aenter__(self) -> AsyncHttpJudge:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.aclose()
