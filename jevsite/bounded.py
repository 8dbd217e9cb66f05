"""How much of a request is taken before anybody looks at it: the framework would write all of it to the disk."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

# Far beyond what any address takes: each refuses by its own, smaller limit.
MOST_BYTES = 32 * 1024 * 1024

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]


class BoundedBodies:
    """Ends a body where it passes the bound; what follows is dropped as it comes."""

    def __init__(self, inner: Any, *, most: int = MOST_BYTES) -> None:
        self.inner = inner
        self.most = most

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Any) -> None:
        left = self.most

        async def bounded() -> Message:
            nonlocal left
            message = await receive()
            while left < 0 and message["type"] == "http.request":
                message = await receive()
            if message["type"] == "http.request":
                left -= len(message.get("body", b""))
                return {**message, "more_body": False} if left < 0 else message
            return message

        await self.inner(scope, bounded, send)
