"""Where a tool server is and with which secrets, checked when a person enters it and again when it is used."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from policy.engine.profile import InvalidConfig
from policy.judges.http.address import BaseUrl, base_url

MAX_ARGUMENTS = 64
MAX_ARGUMENT_CHARS = 4_096
MAX_SECRETS = 32
LEAST_SECRET = 6
REDACTED = "[redacted]"
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
# What the transport itself says.
_TAKEN = frozenset({"host", "content-length", "content-type", "transfer-encoding", "connection", "accept"})
_INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "USER", "LOGNAME")


@dataclass(frozen=True, slots=True)
class Target:
    """One server: a command with its folder (empty: a new one for each connection), or an address.

    `secrets` are environment variables or headers; they show nowhere.
    """

    name: str
    command: tuple[str, ...] = ()
    folder: str = ""
    base: BaseUrl | None = None
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def environment(self) -> dict[str, str]:
        """What a command gets: a few plain variables of this site, none of its secrets, and the person's own."""
        return {name: os.environ[name] for name in _INHERITED if name in os.environ} | dict(self.secrets)

    def scrubbed(self, value: Any) -> Any:
        """The server's words without the secrets that it was given, should it repeat them."""
        if isinstance(value, str):
            for secret in sorted(self.secrets.values(), key=len, reverse=True):
                for part in {secret, secret.removeprefix("Bearer ").strip()}:
                    value = value.replace(part, REDACTED) if len(part) >= LEAST_SECRET else value
            return value
        if isinstance(value, Mapping):
            return {self.scrubbed(name): self.scrubbed(item) for name, item in value.items()}
        return [self.scrubbed(item) for item in value] if isinstance(value, list | tuple) else value


def of_command(name: str, command: Sequence[str], *, folder: str, secrets: Mapping[str, str]) -> Target:
    """Raises `InvalidConfig` for an empty or far too long command, a folder that is none, a wrong variable."""
    if not command or not all(isinstance(part, str) for part in command) or not command[0].strip():
        raise InvalidConfig("the command is empty: give the program and its arguments")
    if len(command) > MAX_ARGUMENTS or any(len(part) > MAX_ARGUMENT_CHARS or "\x00" in part for part in command):
        raise InvalidConfig(f"the command is too long, or holds a NUL: at most {MAX_ARGUMENTS} parts")
    if folder and ("\x00" in folder or not Path(folder).is_absolute() or not Path(folder).is_dir()):
        raise InvalidConfig(f"the working folder {folder[:80]!r} is no folder here: give its whole path, or none")
    for variable in secrets:
        if not _VARIABLE.fullmatch(variable):
            raise InvalidConfig(f"{variable[:40]!r} is no name of a variable: use letters, digits and _")
    return Target(name, tuple(command), folder, None, _secrets(secrets))


def of_address(name: str, url: str, *, private: bool, secrets: Mapping[str, str]) -> Target:
    """Raises `InvalidConfig` for an address that may not be used and for a wrong header."""
    base = base_url(url, private=private, of="server")
    for header, value in secrets.items():
        if not _HEADER.fullmatch(header) or header.lower() in _TAKEN:
            raise InvalidConfig(f"{header[:40]!r} cannot be sent as a header: choose another name")
        if not all(" " <= char <= "~" for char in value):
            raise InvalidConfig(f"the header {header} has a line break or a character outside ASCII: copy it again")
    return Target(name, base=base, secrets=_secrets(secrets))


def _secrets(given: Mapping[str, str]) -> dict[str, str]:
    if len(given) > MAX_SECRETS or any(len(value) > MAX_ARGUMENT_CHARS or "\x00" in value for value in given.values()):
        raise InvalidConfig(f"there are more than {MAX_SECRETS} secrets, or one is too long or holds a NUL")
    return dict(given)
