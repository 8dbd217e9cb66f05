"""The embedded broker: kombu's filesystem transport, made safe against half-written files.

The stock transport opens a message file before it writes it, so a reader can take an empty
message and the worker dies of it (celery/kombu issue 1551). Here a file appears under its name
only when it is whole. Names sort by wall clock, which, unlike the monotonic one, survives a boot.
"""

from __future__ import annotations

import fcntl
import logging
import os
import time
import uuid
from contextlib import suppress
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.exceptions import ChannelError
from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.json import dumps, loads

logger = logging.getLogger("jev.broker")


def register() -> None:
    """Make `box://` a broker URL. Kombu refuses dotted paths as a scheme, hence the alias."""
    TRANSPORT_ALIASES["box"] = "jevsite.broker:Transport"


def _publish(file: Path, content: str) -> None:
    # The dot keeps a draft out of every listing that a consumer makes.
    draft = file.with_name(f".{uuid.uuid4().hex}.draft")
    try:
        # Somebody may have removed the folder; the database is the queue, so nothing is lost with it.
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft.write_text(content, encoding="utf-8")
        draft.rename(file)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise ChannelError(f"The message cannot be written to {file.parent}: {error.strerror}.") from error


class Channel(filesystem.Channel):
    """A channel that publishes messages and bindings by rename and keeps no message that was read."""

    def _put(self, queue: str, payload: dict[str, Any], **kwargs: Any) -> None:  # type: ignore[override]
        name = f"{time.time_ns():020d}_{uuid.uuid4().hex}.{queue}.msg"
        _publish(Path(self.data_folder_out) / name, dumps(payload))

    def _get(self, queue: str) -> dict[str, Any]:  # type: ignore[override]
        for name in self._names():
            if name.partition(".")[2] == f"{queue}.msg" and (payload := self._take(name)) is not None:
                return payload
        raise Empty

    def _names(self) -> list[str]:
        try:
            return sorted(os.listdir(self.data_folder_in))
        except FileNotFoundError:
            return []

    def _take(self, name: str) -> dict[str, Any] | None:
        taken = Path(self.processed_folder) / name
        taken.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            # Of two consumers only one can rename a file.
            os.rename(Path(self.data_folder_in) / name, taken)
            content = taken.read_text(encoding="utf-8")
            taken.unlink()
            payload: dict[str, Any] = loads(content)
        except FileNotFoundError:
            return None
        except ValueError:
            # A file that a power cut emptied. The database is the queue: the reaper publishes it again.
            logger.warning("unreadable message dropped", extra={"file": name})
            return None
        return payload

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str | None, queue: str) -> None:
        table = Path(self.control_folder) / f"{exchange}.exchange"
        table.parent.mkdir(parents=True, exist_ok=True)
        binding = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        with (table.parent / ".bindings.lock").open("w") as lock:
            # Two processes bind at once when web and worker start together.
            fcntl.flock(lock, fcntl.LOCK_EX)
            bindings = self.get_table(exchange)
            if binding not in bindings:
                _publish(table, dumps([binding, *bindings]))


class Transport(filesystem.Transport):
    Channel = Channel


def prepare(folder: Path) -> None:
    """Make the folders and forget what an earlier life has taken; `queue` itself is kept."""
    for part in ("queue", "control", "processed"):
        (folder / part).mkdir(parents=True, exist_ok=True, mode=0o700)
    for file in (folder / "processed").iterdir():
        file.unlink(missing_ok=True)
    for draft in (folder / "queue").glob(".*.draft"):
        if os.stat(draft).st_mtime < time.time() - 60:
            draft.unlink(missing_ok=True)
