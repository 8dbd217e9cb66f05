"""The private folder of one lane: an empty home, an empty place to work in, and the sign-in of the lane's person.

It lives as long as the lane. A sign-in that Codex CLI has renewed meanwhile is written back, or it is said why not.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from arena.agents.codex.connection import KEY_NAME, Connection
from arena.agents.codex.program import INSTALL, Unusable
from arena.mcp.bridge import KEY

SIGN_IN = "auth.json"
MOST_SIGN_IN_BYTES = 64_000
KEPT = ("PATH", "LANG")
# A socket's path may have 104 bytes on macOS and 108 on Linux; its folder must leave room for the rest.
MOST_FOLDER = 60
PREFIX = "jev-lane-"


@dataclass(frozen=True, slots=True)
class Home:
    """Folders of one lane, all 0700; `socket` is where its tools are served, `prompt` what the agent reads first."""

    folder: Path

    @property
    def codex(self) -> Path:
        return self.folder / "home"

    @property
    def work(self) -> Path:
        return self.folder / "work"

    @property
    def socket(self) -> Path:
        return self.folder / "lane"

    @property
    def prompt(self) -> Path:
        return self.folder / "prompt"


@contextmanager
def opened(prompt: str) -> Iterator[Home]:
    """The folder of one lane, gone when the block is left. What lanes of dead workers left behind goes, too."""
    place = Path(tempfile.gettempdir())
    place = place if len(str(place)) < MOST_FOLDER else Path("/tmp")
    sweep(place)
    # Locked before it has the name that `sweep` looks for.
    fresh = Path(tempfile.mkdtemp(prefix="jev-new-", dir=place))
    held = os.open(fresh, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    folder = fresh.rename(place / fresh.name.replace("jev-new-", PREFIX))
    try:
        home = Home(folder)
        for each in (home.codex, home.work):
            each.mkdir(mode=0o700)
        write_private(home.prompt, prompt.encode(errors="replace"))
        yield home
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(held)


def sweep(place: Path) -> None:
    """Delete the folders of this user whose worker is gone: each worker holds the lock of its own."""
    for folder in place.glob(f"{PREFIX}*"):
        with suppress(OSError):
            if folder.is_symlink() or folder.stat().st_uid != os.getuid():
                continue
            held = os.open(folder, os.O_RDONLY)
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(held)


def environment(home: Home, connection: Connection, *, key: str, outside: Mapping[str, str]) -> dict[str, str]:
    """All that the process is told of this machine; `key` opens the lane's tools, nothing else is passed on."""
    kept = {name: outside[name] for name in KEPT if name in outside}
    provider = connection.provider
    return {
        **kept,
        "HOME": str(home.codex),
        "CODEX_HOME": str(home.codex),
        "TMPDIR": str(home.work),
        "NODE_ENV": "production",
        KEY: key,
        **({KEY_NAME: provider.key} if provider is not None and provider.key else {}),
    }


def read_sign_in(path: Path) -> bytes:
    """The sign-in as it is in the file; raises Unusable with what to do."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_SIGN_IN_BYTES + 1)
    except OSError as error:
        raise Unusable(
            f"There is no sign-in at {path} ({error.strerror}). Run “codex login”, or give Codex CLI a provider in "
            f"Settings. A sign-in in a keychain cannot be used: set cli_auth_credentials_store to “file” first."
        ) from error
    if not is_sign_in(content):
        raise Unusable(f"{path} is no sign-in of Codex CLI; run “codex login” again. ({INSTALL} installs it.)")
    return content


def is_sign_in(content: bytes) -> bool:
    """Whether this is an auth.json: an object with tokens or an API key."""
    if len(content) > MOST_SIGN_IN_BYTES:
        return False
    try:
        read = json.loads(content)
    except ValueError:
        return False
    return isinstance(read, dict) and bool(read.get("tokens") or read.get("OPENAI_API_KEY"))


def bring_sign_in(home: Home, path: Path) -> bytes:
    """Copy the sign-in into the home; returns it as it was. Raises Unusable."""
    content = read_sign_in(path)
    write_private(home.codex / SIGN_IN, content)
    return content


def take_back(home: Home, path: Path, before: bytes) -> str | None:
    """Write a renewed sign-in back in one step; None where all is well, else a sentence.

    Where somebody else has renewed it meanwhile, theirs stays: the newest tokens are the ones in the file.
    """
    try:
        now = (home.codex / SIGN_IN).read_bytes()
    except OSError:
        return None
    if now == before or not is_sign_in(now):
        return None
    try:
        with _alone(path):
            if path.read_bytes() != before:
                return "The sign-in was renewed by this lane and by somebody else; theirs was kept."
            _replace(path, now)
    except OSError as error:
        return f"The renewed sign-in could not be written to {path} ({error.strerror}); sign in again if it is refused."
    return None


def write_private(path: Path, content: bytes) -> None:
    """A new file that only this user may read."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Lanes of one machine write one after the other; the lock is on the folder, for the file is replaced."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _replace(path: Path, content: bytes) -> None:
    # Through a link to the file that it means: a link is not replaced by a copy.
    target = path.resolve()
    handle, temporary = tempfile.mkstemp(prefix=".auth-", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise
