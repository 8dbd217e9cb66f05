"""How a judgment can fail: the closed set of codes (seed 000; spec section 2.4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class FailureCode(StrEnum):
    AUTHENTICATION = "AUTHENTICATION"
    PERMISSION = "PERMISSION"
    RATE_LIMIT = "RATE_LIMIT"
    BAD_REQUEST = "BAD_REQUEST"
    NOT_FOUND = "NOT_FOUND"
    SERVER = "SERVER"
    TIMEOUT = "TIMEOUT"
    ABORTED = "ABORTED"
    CONNECTION = "CONNECTION"
    INVALID_RESPONSE = "INVALID_RESPONSE"
    INVALID_CONFIG = "INVALID_CONFIG"
    INCOMPLETE_INPUT = "INCOMPLETE_INPUT"
    OFF = "OFF"
    UNKNOWN = "UNKNOWN"


RETRYABLE = frozenset({FailureCode.RATE_LIMIT, FailureCode.SERVER, FailureCode.TIMEOUT, FailureCode.CONNECTION})


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule of the reply contract: where, what, and a shortened copy of what came."""

    path: str
    message: str
    received: Any = None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no usable judgment. The text never carries a key or a reply body.

    `unsent` says that the request never left: it cost nothing.
    """

    code: FailureCode
    message: str
    violations: tuple[Violation, ...] = field(default=())
    unsent: bool = False

    @property
    def retryable(self) -> bool:
        return self.code in RETRYABLE


class JudgeFailed(Exception):
    """Raised by a judge instead of a reply; the engine turns it into a fallback, never into a permission."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(f"{failure.code}: {failure.message}")
        self.failure = failure


class HostFault(Exception):
    """The host's own trouble in the middle of a judgment, such as a ledger that cannot be written.

    It passes through the drivers: it says nothing about the judge.
    """
