"""The live socket: every event once, in order, whatever the connection does; the fallback look is switched off here."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Callable

import pytest
from channels.db import database_sync_to_async
from django.conf import LazySettings
from django.db import connection

from arena.models import Run, RunState
from arena.runs import start
from arena.runs.log import Draft, append
from policy.people.models import User
from tests.arena.live.sockets import Socket

AFTER_THE_DROPS = 50


@pytest.fixture
def run(owner: User, unpublished: list[tuple[str, int]], settings: LazySettings) -> Run:
    settings.LIVE_FALLBACK_S = 0
    return start.start("patch", by=owner, origin="api", arms=["full"])


def socket(run: Run, after: int) -> Socket:
    return Socket(f"/ws/runs/{run.public_id}/?after={after}")


def rows(html: str) -> list[int]:
    return [int(seq) for seq in re.findall(r'id="event-(\d+)"', html)]


async def received(wire: Socket) -> list[int]:
    return rows((await wire.frame())["content"])


def write_slowly(run: Run, dropped: threading.Event) -> threading.Thread:
    """A worker in another thread, with a connection of its own; it writes on for a while after the last drop."""

    def write() -> None:
        left = AFTER_THE_DROPS
        while left:
            append(run.pk, [Draft("run.state", {"state": RunState.RUNNING.value, "message": "beat"})])
            left -= dropped.is_set()
            time.sleep(0.005)
        Run.objects.filter(pk=run.pk).update(state=RunState.COMPLETE)
        append(run.pk, [Draft("run.state", {"state": RunState.COMPLETE.value})])
        connection.close()

    thread = threading.Thread(target=write)
    thread.start()
    return thread


@pytest.mark.django_db(transaction=True)
async def test_twenty_dropped_sockets_lose_and_repeat_nothing(run: Run) -> None:
    dropped = threading.Event()
    writer = write_slowly(run, dropped)
    seen: list[int] = []
    for _ in range(20):
        wire = socket(run, seen[-1] if seen else 0)
        assert await wire.connect() is None
        seen += await received(wire)
        await wire.drop()
    dropped.set()
    wire = socket(run, seen[-1])
    await wire.connect()
    await asyncio.to_thread(writer.join)
    await database_sync_to_async(run.refresh_from_db)()
    while seen[-1] < run.seq:
        seen += await received(wire)
    assert seen == list(range(1, run.seq + 1))


@pytest.mark.django_db(transaction=True)
async def test_a_frame_carries_only_rows_after_the_named_number(run: Run) -> None:
    wire = socket(run, after=1)
    await wire.connect()
    assert await received(wire) == [2]
    await wire.drop()


@pytest.mark.django_db(transaction=True)
async def test_an_event_of_another_connection_arrives_without_the_fallback_look(run: Run) -> None:
    wire = socket(run, after=run.seq)
    await wire.connect()
    assert await wire.silent(0.3)
    ring = Draft("run.state", {"state": RunState.ROUTING.value})
    await database_sync_to_async(append)(run.pk, [ring])
    assert await received(wire) == [run.seq + 1]
    await wire.drop()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("path", "code"),
    [("/ws/runs/run_aaaaaaaaaaaa/?after=0", 4404), ("{run}?after=x", 4400), ("{run}?after=-1", 4400)],
)
async def test_a_socket_that_cannot_be_served_says_why_with_its_code(path: str, code: int, run: Run) -> None:
    asked = path.replace("{run}", f"/ws/runs/{run.public_id}/")
    wire = Socket(asked)
    refused = await wire.connect()
    assert (refused or await wire.closed()) == code


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "headers",
    [
        [(b"host", b"evil.example")],
        [(b"host", b"127.0.0.1:8000"), (b"origin", b"http://evil.example")],
        [(b"host", b"127.0.0.1:8000"), (b"origin", b"null")],
    ],
)
async def test_a_foreign_socket_is_closed_before_it_is_accepted(headers: list[tuple[bytes, bytes]], run: Run) -> None:
    assert await Socket(f"/ws/runs/{run.public_id}/", headers).connect() == 4403


@pytest.mark.django_db(transaction=True)
async def test_a_settled_run_is_told_once_and_the_socket_closes(compare: Callable[..., Run]) -> None:
    settled = await database_sync_to_async(compare)("patch", arms=["full"])
    wire = socket(settled, after=0)
    await wire.connect()
    assert await received(wire) == list(range(1, settled.seq + 1))
    assert await wire.closed() == 4000


@pytest.mark.django_db(transaction=True)
async def test_a_tail_that_breaks_closes_the_socket_so_that_the_client_comes_back(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("arena.live.consumer.frame", broken)
    wire = socket(run, after=0)
    await wire.connect()
    assert await wire.closed() == 1011
