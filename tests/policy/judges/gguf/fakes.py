"""A model file whose content says what the stand-in for its server answers, and that server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from policy.judges.gguf import file
from policy.judges.gguf.file import ModelFile
from policy.judges.gguf.server import Server
from tests.policy.judges.gguf.fake_child import REQUESTS

CHILD = "tests.policy.judges.gguf.fake_child"


def written(folder: Path, **script: Any) -> ModelFile:
    """A file that is no model, and is hashed and named like one."""
    path = folder / "scripted.gguf"
    path.write_bytes(file.MAGIC + json.dumps(script).encode())
    return file.look(path)


def in_use(folder: Path) -> ModelFile:
    """The file that `written` left there."""
    return file.look(folder / "scripted.gguf")


def asked(model: ModelFile) -> list[dict[str, Any]]:
    """Every request that the stand-in got, oldest first."""
    log = model.path.with_suffix(REQUESTS)
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


@contextmanager
def serving() -> Iterator[Server]:
    """The real server class over the stand-in; its process is gone afterwards."""
    server = Server(program=CHILD)
    try:
        yield server
    finally:
        server.close()
