"""What the selectors share: a call that can be stored and run again, and a result that any host can read."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from policy.engine.diagnostics import Diagnostics
from policy.engine.failures import Failure
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.selection.records import Outcome, Status

TWO_STAGE = "two-stage"
TOP_K = "top-k"
SELECTORS = (TWO_STAGE, TOP_K)
"""How a judge's answers become a menu: seed 000 (per category), seed 002 (one choice, read with costs)."""


class Picked(Protocol):
    """A tool that a selector puts forward, with the judge's probability."""

    @property
    def id(self) -> str: ...
    @property
    def probability(self) -> float: ...


class SelectorResult(Protocol):
    """One selection, whichever way it was made. Everything but outcome `selected` offers no menu."""

    @property
    def status(self) -> Status: ...
    @property
    def outcome(self) -> Outcome: ...
    @property
    def rule(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def applied(self) -> bool: ...
    @property
    def selected(self) -> Sequence[Picked]: ...
    @property
    def failure(self) -> Failure | None: ...
    @property
    def diagnostics(self) -> Diagnostics: ...

    def decision_json(self) -> dict[str, Any]:
        """What was decided, without times and tokens: a replay must give the same."""

    def to_json(self) -> dict[str, Any]:
        """The decision with its diagnostics."""


class SelectorCall(Protocol):
    """What a selector was called with; `kind` names it in receipts."""

    kind: ClassVar[str]

    def question_set(self) -> Mapping[str, str]:
        """Name and SHA-256 of the question texts that this call sends."""

    def steps(self) -> Generator[JudgeRequest, JudgeReply | Failure, SelectorResult]:
        """Begin the selection anew."""

    def to_json(self) -> dict[str, Any]:
        """The call as receipts store it."""
