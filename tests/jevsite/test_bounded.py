"""A body without an end: taken up to the bound, and no caller can fill the disk."""

from __future__ import annotations

from typing import Any

import pytest

from jevsite.bounded import BoundedBodies, Message


class Site:
    """Reads a body whole and then listens for the caller to go away, as the framework does."""

    def __init__(self) -> None:
        self.body = b""
        self.last = ""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        more = True
        while more:
            message = await receive()
            self.body += message.get("body", b"")
            more = message.get("more_body", False)
        self.last = (await receive())["type"]


async def sent(pieces: int, *, most: int) -> tuple[Site, int]:
    """A site that was sent so many pieces of ten bytes, and how many messages were taken from the server."""
    left: list[Message] = [{"type": "http.request", "body": b"x" * 10, "more_body": True} for _ in range(pieces)]
    left[-1]["more_body"] = False
    left.append({"type": "http.disconnect"})
    count, site = len(left), Site()

    async def receive() -> Message:
        return left.pop(0)

    await BoundedBodies(site, most=most)({"type": "http"}, receive, None)
    return site, count - len(left)


@pytest.mark.parametrize("most", [100, 1000])
async def test_a_body_within_the_bound_comes_whole(most: int) -> None:
    site, taken = await sent(10, most=most)
    assert (len(site.body), site.last, taken) == (100, "http.disconnect", 11)


async def test_a_body_beyond_it_ends_there_and_the_rest_is_dropped() -> None:
    site, taken = await sent(1000, most=95)
    assert (len(site.body), site.last, taken) == (100, "http.disconnect", 1001)
