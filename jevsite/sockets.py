"""The same Host and Origin rules for WebSockets as for requests."""

from __future__ import annotations

from typing import Any

from channels.db import database_sync_to_async

from jevsite.access import refusal
from policy.people import services as people


class AccessGuard:
    """Closes a foreign socket before it is accepted and sets `scope["user"]` on the others."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if refusal(headers) is not None:
            await send({"type": "websocket.close", "code": 4403})
            return
        scope["user"] = await database_sync_to_async(people.local_user)()
        await self.inner(scope, receive, send)
