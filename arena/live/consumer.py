"""The live socket of one run: rendered rows after the number that the reader names, in order, once."""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import suppress
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

from arena.live.doorbell import doorbell
from arena.live.frames import Frame, frame
from arena.models import Run
from arena.runs import history

NO_RUN = 4404
BAD_CURSOR = 4400
DONE = 4000
BROKE = 1011

logger = logging.getLogger("jev.live")


class RunConsumer(AsyncWebsocketConsumer):  # type: ignore[misc]  # Channels has no types
    """Sends one frame per look. Closes with `DONE` after the last event, so that the client does not come back."""

    tail: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        after = parse_qs(self.scope["query_string"].decode("latin-1")).get("after", ["0"])[-1]
        if not after.isdecimal() or len(after) > 9:
            await self.close(BAD_CURSOR)
            return
        await self.accept()
        self.tail = asyncio.create_task(self._tail(self.scope["url_route"]["kwargs"]["public_id"], int(after)))

    async def disconnect(self, code: int) -> None:
        if self.tail is not None:
            self.tail.cancel()

    async def _tail(self, public_id: str, after: int) -> None:
        try:
            await self._follow(public_id, after)
        except Exception:
            # The process edge: a socket that went mute would claim to be live; this code makes the client come back.
            logger.exception("live tail broke", extra={"run": public_id})
            await self.close(BROKE)

    async def _follow(self, public_id: str, after: int) -> None:
        with doorbell.listen() as bell:
            while True:
                # Cleared before the look: what is committed during it rings for the next one.
                bell.clear()
                news = await database_sync_to_async(_news)(public_id, after)
                if news is None:
                    await self.close(NO_RUN)
                    return
                if news.html:
                    await self.send(json.dumps({"content": news.html, "seq": news.seq}))
                after = max(after, news.seq)
                if news.final:
                    await self.close(DONE)
                    return
                await self._ring(bell)

    @staticmethod
    async def _ring(bell: asyncio.Event) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(bell.wait(), settings.LIVE_FALLBACK_S or None)


def _news(public_id: str, after: int) -> Frame | None:
    run = None if history.NUL in public_id else Run.objects.filter(public_id=public_id).first()
    # A number beyond the end would wait for events that come long before it.
    return None if run is None else frame(run, min(after, run.seq))


class NoSuchSocket(AsyncWebsocketConsumer):  # type: ignore[misc]
    """Any other address: closed with the code of a run that does not exist."""

    async def connect(self) -> None:
        await self.close(NO_RUN)
