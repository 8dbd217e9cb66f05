"""What judging and calibrating refuse, each with a stable code; API, pages and commands show the same sentence."""

from __future__ import annotations


class PolicyError(Exception):
    """A request that cannot be carried out: `code` is stable, the text names the item, the cause and the mend."""

    code = "policy"
    status = 400

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Invalid(PolicyError):
    code = "invalid"
    status = 422


class Faulty(Invalid):
    """Several faults at once: the message names them in one sentence, `faults` each by itself for a list."""

    def __init__(self, what: str, faults: tuple[str, ...]) -> None:
        super().__init__(f"{what} {'; '.join(faults)}.")
        self.what = what
        self.faults = faults


class Unknown(PolicyError):
    code = "unknown"
    status = 404


class Conflict(PolicyError):
    code = "conflict"
    status = 409
