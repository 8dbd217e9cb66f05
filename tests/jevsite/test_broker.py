from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from kombu import Connection
from kombu.exceptions import ChannelError

from jevsite import broker

# Publishes from a process of its own, as the web process does, with messages of many sizes.
PUBLISH = """
import sys
from tests.jevsite.test_broker import connection
channel = connection(sys.argv[1]).channel()
for n in range(int(sys.argv[2])):
    channel._put("lanes", {"n": n, "filling": "x" * (n * 37 % 20_000)})
"""
MESSAGES = 2000


def connection(folder: Path | str) -> Any:
    broker.register()
    room = Path(folder)
    broker.prepare(room)
    queue = str(room / "queue")
    options = {"data_folder_in": queue, "data_folder_out": queue, "store_processed": True}
    folders = {"control_folder": str(room / "control"), "processed_folder": str(room / "processed")}
    return Connection("box://localhost", transport_options={**options, **folders})


@pytest.fixture
def channel(tmp_path: Path) -> Iterator[Any]:
    with connection(tmp_path) as wire:
        yield wire.channel()


def _read(channel: Any, wanted: threading.Event, into: list[dict[str, Any]]) -> None:
    while not wanted.is_set():
        try:
            into.append(channel._get("lanes"))
        except Empty:
            time.sleep(0.002)


def test_of_two_thousand_messages_none_is_lost_half_or_twice(tmp_path: Path, channel: Any) -> None:
    taken: list[dict[str, Any]] = []
    enough = threading.Event()
    readers = [threading.Thread(target=_read, args=(channel, enough, taken)) for _ in range(2)]
    for reader in readers:
        reader.start()
    subprocess.run([sys.executable, "-c", PUBLISH, str(tmp_path), str(MESSAGES)], check=True, cwd=os.getcwd())
    deadline = time.monotonic() + 20
    while len(taken) < MESSAGES and time.monotonic() < deadline:
        time.sleep(0.01)
    enough.set()
    for reader in readers:
        reader.join()
    assert sorted(message["n"] for message in taken) == list(range(MESSAGES))
    assert all(len(message["filling"]) == message["n"] * 37 % 20_000 for message in taken)


def test_messages_come_in_the_order_of_publishing(channel: Any) -> None:
    for n in range(20):
        channel._put("lanes", {"n": n})
    assert [channel._get("lanes")["n"] for _ in range(20)] == list(range(20))


def test_queues_do_not_take_each_others_messages(channel: Any) -> None:
    channel._put("judge", {"n": 1})
    with pytest.raises(Empty):
        channel._get("lanes")
    assert channel._get("judge") == {"n": 1}


def test_nothing_is_left_of_a_message_that_was_read(tmp_path: Path, channel: Any) -> None:
    channel._put("lanes", {"n": 1})
    channel._get("lanes")
    assert [file for file in tmp_path.rglob("*") if file.suffix in {".msg", ".draft"}] == []


def test_an_unreadable_message_is_dropped_and_the_next_one_comes(tmp_path: Path, channel: Any) -> None:
    (tmp_path / "queue" / f"{0:020d}_torn.lanes.msg").write_text("")
    channel._put("lanes", {"n": 2})
    assert channel._get("lanes") == {"n": 2}


def test_a_message_that_cannot_be_written_says_so_and_leaves_no_draft(tmp_path: Path, channel: Any) -> None:
    (tmp_path / "queue").rmdir()
    (tmp_path / "queue").write_text("a file where the folder was")
    with pytest.raises(ChannelError, match="cannot be written to"):
        channel._put("lanes", {"n": 1})
    assert list(tmp_path.rglob("*.draft")) == []


def test_two_processes_that_bind_at_once_both_stay_bound(tmp_path: Path) -> None:
    def bind(queue: str) -> None:
        with connection(tmp_path) as wire:
            wire.channel()._queue_bind("work", queue, "", queue)

    threads = [threading.Thread(target=bind, args=(f"q{n}",)) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with connection(tmp_path) as wire:
        assert {row.queue for row in wire.channel().get_table("work")} == {f"q{n}" for n in range(12)}


def test_a_new_life_keeps_what_waits_and_forgets_what_was_taken(tmp_path: Path, channel: Any) -> None:
    channel._put("lanes", {"n": 1})
    old, fresh = tmp_path / "queue" / ".old.draft", tmp_path / "queue" / ".new.draft"
    taken = tmp_path / "processed" / "1_x.lanes.msg"
    for file in (old, fresh, taken):
        file.write_text("{}")
    os.utime(old, (1, 1))
    broker.prepare(tmp_path)
    assert (old.exists(), fresh.exists(), taken.exists()) == (False, True, False)
    assert channel._get("lanes") == {"n": 1}


def test_a_folder_that_somebody_removed_is_made_again(tmp_path: Path, channel: Any) -> None:
    shutil.rmtree(tmp_path / "queue")
    with pytest.raises(Empty):
        channel._get("lanes")
    channel._put("lanes", {"id": 1})
    assert channel._get("lanes") == {"id": 1}
