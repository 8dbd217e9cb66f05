"""The line to a provider: one thread with its own event loop, so that a lane can look at its stop while words come.

The lane's thread asks and reads pieces from a queue; the SDK's stream lives in the loop. Hanging up cancels the
request, which closes its connection.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from pydantic_ai.direct import model_request_stream
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from arena.agents.llm import connection as connections
from arena.agents.llm.connection import Connection

LOOK_EVERY_S = 0.05
CLOSE_WITHIN_S = 5.0


@dataclass(frozen=True, slots=True)
class Piece:
    """Something of a reply has come; `text` is empty for a piece of thinking or of a tool call."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Whole:
    """The reply as the provider has ended it, or left it."""

    response: ModelResponse


class HungUp(Exception):
    """The reply was not waited for, for somebody asked to stop."""


class NoLine(Exception):
    """The SDK makes no model of this connection; the text is its own, and says why."""


_Item = Piece | Whole | Exception


class Line:
    """Open it with `with`; one request at a time."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="llm-line", daemon=True)
        self._client: Any = None
        self._model: Model | None = None

    def __enter__(self) -> Self:
        """The model is made ready here, so that building it is in nobody's time to the first word."""
        self._thread.start()
        try:
            asyncio.run_coroutine_threadsafe(self._prepare(), self._loop).result()
        except Exception as error:
            self._hang_up()
            raise NoLine(str(error)) from error
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._hang_up()

    def _hang_up(self) -> None:
        try:
            asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(CLOSE_WITHIN_S)
        except TimeoutError:
            pass  # A connection that cannot be closed goes with its loop.
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(CLOSE_WITHIN_S)
            if not self._thread.is_alive():
                self._loop.close()

    def ask(
        self,
        messages: Sequence[ModelMessage],
        settings: ModelSettings,
        parameters: ModelRequestParameters,
        *,
        stop: Callable[[], bool],
    ) -> Iterator[Piece | Whole]:
        """Send one request; pieces as they come, then the whole. Raises what the SDK raised, or `HungUp`."""
        items: queue.SimpleQueue[_Item] = queue.SimpleQueue()
        request = asyncio.run_coroutine_threadsafe(
            self._stream(list(messages), settings, parameters, items.put), self._loop
        )
        try:
            while True:
                if stop():
                    raise HungUp
                try:
                    item = items.get(timeout=LOOK_EVERY_S)
                except queue.Empty:
                    continue
                if isinstance(item, Exception):
                    raise item
                yield item
                if isinstance(item, Whole):
                    return
        finally:
            request.cancel()

    async def _stream(
        self,
        messages: list[ModelMessage],
        settings: ModelSettings,
        parameters: ModelRequestParameters,
        put: Callable[[_Item], None],
    ) -> None:
        try:
            assert self._model is not None, "a line is open before it is asked"
            async with model_request_stream(
                self._model, messages, model_settings=settings, model_request_parameters=parameters
            ) as stream:
                async for event in stream:
                    if isinstance(event, PartStartEvent):
                        put(Piece(event.part.content if isinstance(event.part, TextPart) else ""))
                    elif isinstance(event, PartDeltaEvent):
                        put(Piece(event.delta.content_delta if isinstance(event.delta, TextPartDelta) else ""))
                put(Whole(stream.get()))
        except Exception as error:
            # Carried to the thread that asked, which knows what it means.
            put(error)

    async def _prepare(self) -> None:
        """The client belongs to the loop that it is made in."""
        self._client = self._connection.client()
        self._model = connections.model(self._connection, self._client)

    async def _close(self) -> None:
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        if self._client is not None:
            await self._client.aclose()
        await self._loop.shutdown_asyncgens()
