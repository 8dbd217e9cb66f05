"""The installed program: where it is, which version it has, and in a sentence why it cannot be used."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

OLDEST = (0, 155, 0)
"""The first version whose flags and events are the ones used here (the reference ran 0.155.1)."""
INSTALL = "npm install --global @openai/codex"
VERSION_S = 30
_VERSION = re.compile(r"\b(\d+)\.(\d+)\.(\d+)\b")


class Unusable(Exception):
    """Codex CLI cannot be started here; the text names cause and mend."""


@dataclass(frozen=True, slots=True)
class Program:
    """`version` is what the program says of itself, as numbers and dots."""

    path: Path
    version: str

    @property
    def title(self) -> str:
        return f"Codex CLI {self.version}"


def find(named: str = "") -> Program:
    """The program at `named`, or the one on the PATH; raises Unusable."""
    if sys.platform == "win32":
        raise Unusable("Codex CLI is started as a group of processes, which Windows does not have; use WSL.")
    found = shutil.which(named or "codex")
    if found is None:
        where = f"There is no program at {named}" if named else "Codex CLI is not installed"
        raise Unusable(f"{where}. Install it with “{INSTALL}”, or set CODEX_BIN to its path.")
    path = Path(found).resolve()
    stat = path.stat()
    return Program(Path(found), _version(found, stat.st_mtime_ns, stat.st_size))


@lru_cache(maxsize=8)
def _version(path: str, _: int, __: int) -> str:
    """Asked once per file as it is; a newer file is asked again."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=VERSION_S, errors="replace")
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unusable(f"{path} cannot be started ({type(error).__name__}); install it anew: {INSTALL}.") from error
    return read_version(done.stdout, path)


def read_version(said: str, path: str) -> str:
    """The version in `codex-cli 0.171.0`; raises Unusable where there is none or it is older than OLDEST."""
    found = _VERSION.search(said[:500]) if "codex" in said.lower() else None
    if found is None:
        raise Unusable(f"{path} does not say that it is Codex CLI; set CODEX_BIN to the path of the right program.")
    if tuple(map(int, found.groups())) < OLDEST:
        least = ".".join(map(str, OLDEST))
        raise Unusable(f"Codex CLI {found[0]} is too old, {least} is the oldest that works here: {INSTALL}@latest.")
    return found[0]
