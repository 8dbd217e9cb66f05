"""What the arena refuses, each with a stable code; the API, pages and commands show the same sentence."""

from __future__ import annotations


class ArenaError(Exception):
    """A request that cannot be carried out: `code` is stable, the text names the item, the cause and the mend."""

    code = "arena"
    status = 400

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Invalid(ArenaError):
    code = "invalid"
    status = 422


class Unknown(ArenaError):
    code = "unknown"
    status = 404


class Conflict(ArenaError):
    code = "conflict"
    status = 409


def among(kind: str, given: str, allowed: list[str]) -> str:
    """The sentence for a name that does not exist: `There is no case 'x'. Allowed: a, b.`"""
    return f"There is no {kind} {given!r}. Allowed: {', '.join(sorted(allowed)) or 'none'}."
