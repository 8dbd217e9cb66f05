"""The selections of past runs for the time machine: replayed from their receipts, without a judge."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.urls import reverse

from arena.models import Run
from policy.calibrating.past import Past
from policy.engine.breakpoints import Breakpoints, of_selection
from policy.engine.receipts import SelectionCall, replay
from policy.engine.selection import Selection


def of_runs() -> Iterator[Past]:
    """Every run whose selection was decided by thresholds and can be replayed, the newest first."""
    for run in Run.objects.filter(selection__kind=SelectionCall.kind).order_by("-id").iterator(chunk_size=50):
        flips = _flips(run)
        if flips is not None:
            yield _past(run, flips, run.settled_at or run.created_at)


def _past(run: Run, flips: Breakpoints, at: datetime) -> Past:
    title = f"Run {run.number}: {run.case_title}"
    address = reverse("arena:run", args=[run.public_id])
    return Past("selection", title, address, run.setup["judge"], at, flips, _profile(run))


def _profile(run: Run) -> str:
    """The profile that the run used, as its setup keeps it."""
    kept = run.setup["profile"]
    return f"{kept['name']}@{kept['version']}"


def _flips(run: Run) -> Breakpoints | None:
    receipt = run.selection
    return None if receipt is None else _of_receipt(_Held(receipt["digest"], receipt))


class _Held:
    """A receipt under its digest: equal digests are equal receipts, so that each is replayed once in a process."""

    __slots__ = ("digest", "receipt")

    def __init__(self, digest: str, receipt: dict[str, Any]) -> None:
        self.digest, self.receipt = digest, receipt

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)


@lru_cache(4096)
def _of_receipt(held: _Held) -> Breakpoints | None:
    found = replay(held.receipt).selection
    if not isinstance(found, Selection):
        return None
    call = SelectionCall.from_json(held.receipt["call"])
    return of_selection(found, candidates=call.candidates, profile=call.profile, max_selected=call.max_selected)
