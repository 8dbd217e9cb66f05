"""What each agent is at: its task and step, with a version, so that an answer to an older question is recognised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One agent at one step; `turn` counts the messages of its user, `step` the steps since the last of them."""

    version: int
    task: str
    turn: int
    step: int
    catalog: int = 0

    @property
    def label(self) -> str:
        return f"step {self.step}"


class Snapshots:
    """One snapshot per subject. A version is never used twice, also not by a subject that ended and came back."""

    def __init__(self) -> None:
        self._of: dict[str, Snapshot] = {}
        self._version = 0

    def of(self, subject: str) -> Snapshot | None:
        return self._of.get(subject)

    def step(self, subject: str, said: Sequence[str], task: str | None) -> Snapshot | None:
        """The next step: the task is what the user said last, else the one given, else the one before.

        None, and nothing remembered, where no task is known yet.
        """
        before = self._of.get(subject)
        known = next((text for text in (*reversed(said), task, before and before.task) if text and text.strip()), None)
        if known is None:
            return None
        turn = (before.turn if before else 0) + bool(said)
        step = 1 if said or before is None else before.step + 1
        self._version += 1
        taken = Snapshot(self._version, known, turn, step, before.catalog if before else 0)
        self._of[subject] = taken
        return taken

    def catalog_changed(self, subject: str) -> None:
        """This subject's tools are others now; the others' questions stay valid."""
        before = self._of.get(subject)
        if before is not None:
            self._version += 1
            self._of[subject] = Snapshot(before.version, before.task, before.turn, before.step, self._version)

    def forget(self, subject: str) -> None:
        self._of.pop(subject, None)
