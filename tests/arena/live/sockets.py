"""A socket of a test: the site's whole ASGI application, without a server. (Channels' own brings Twisted along.)"""

from __future__ import annotations

import json
from typing import Any, cast

from asgiref.testing import ApplicationCommunicator

from jevsite.asgi import application

HERE = [(b"host", b"127.0.0.1:8000")]


class Socket:
    """Connects, reads frames, hangs up."""

    def __init__(self, path: str, headers: list[tuple[bytes, bytes]] = HERE) -> None:
        where, _, query = path.partition("?")
        scope = {"type": "websocket", "path": where, "query_string": query.encode(), "headers": headers}
        # asgiref's class has no annotations.
        self._wire = cast(Any, ApplicationCommunicator)(application, scope)

    async def connect(self) -> int | None:
        """None when accepted, else the close code."""
        await self._wire.send_input({"type": "websocket.connect"})
        answer = await self._wire.receive_output(5)
        return None if answer["type"] == "websocket.accept" else answer["code"]

    async def frame(self) -> dict[str, Any]:
        answer = await self._wire.receive_output(10)
        assert answer["type"] == "websocket.send", answer
        frame: dict[str, Any] = json.loads(answer["text"])
        return frame

    async def closed(self) -> int:
        answer = await self._wire.receive_output(5)
        assert answer["type"] == "websocket.close", answer
        code: int = answer["code"]
        return code

    async def silent(self, seconds: float) -> bool:
        return bool(await self._wire.receive_nothing(seconds))

    async def drop(self) -> None:
        await self._wire.send_input({"type": "websocket.disconnect", "code": 1006})
        await self._wire.wait(5)
