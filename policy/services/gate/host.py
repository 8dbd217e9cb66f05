"""The gate itself: one per host, with what it knows of every agent; its checks are generators like the engine's."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from policy.engine.assessment import Assessment
from policy.engine.decisions import Action
from policy.engine.failures import Failure
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.loops import Observation, call_key
from policy.engine.mode import Mode
from policy.engine.selection import Selection
from policy.engine.selection.records import Status as SelectionStatus
from policy.services.gate.narrowing import Menu, narrowed
from policy.services.gate.rulings import LOOPED, PROCEED, Kind, Ruling, ruled, stricter
from policy.services.gate.settings import Settings
from policy.services.gate.snapshots import Snapshot, Snapshots
from policy.services.gate.statistics import Statistics

logger = logging.getLogger(__name__)

STALE = "gate.stale"
NO_STATE = "gate.no-state"
LOOP = "gate.loop"

Checking = Generator[JudgeRequest, JudgeReply | Failure, Ruling]
Narrowing = Generator[JudgeRequest, JudgeReply | Failure, Menu]
Selecting = Generator[JudgeRequest, JudgeReply | Failure, Selection]


class Gate:
    """What a host asks before a call of one of its agents; safe to share between threads.

    The host tells it of every step (`begin_step`), every change of an agent's tools, every call that took place
    (`finished`) and every agent that is gone (`end`). `check` and `narrow` are driven with `policy.engine.drive`; with
    `cancelled=lambda: gate.gone(subject)` an agent's end aborts what is asked for it.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._epoch = 0
        self._loops = settings.detector()
        self._snapshots = Snapshots()
        self._statistics = Statistics()
        self._lock = threading.Lock()

    @property
    def settings(self) -> Settings:
        return self._settings

    @property
    def statistics(self) -> Statistics:
        """A copy of the counts so far."""
        with self._lock:
            return replace(self._statistics)

    def configure(self, settings: Settings) -> None:
        """Work by other settings from now on; what the old ones asked is dropped, counts stay."""
        with self._lock:
            self._loops.adjust(
                max_repeats=settings.max_repeats, max_subjects=settings.max_subjects, exempt=settings.exempt
            )
            self._settings = settings
            self._epoch += 1

    def begin_step(self, subject: str, *, said: Sequence[str] = (), task: str | None = None) -> Snapshot | None:
        """An agent begins a step: `said` is what its user newly said, which ends a loop; `task` stands in for it.

        None where no task is known yet: calls are then not assessed, which in enforce is a failure.
        """
        with self._lock:
            if said:
                self._loops.reset(subject)
            return self._snapshots.step(subject, said, task)

    def catalog_changed(self, subject: str) -> None:
        """The tools of this agent are others now; other agents are not concerned."""
        with self._lock:
            self._snapshots.catalog_changed(subject)

    def end(self, subject: str) -> None:
        """An agent is gone, and everything that was known of it."""
        with self._lock:
            self._snapshots.forget(subject)
            self._loops.reset(subject)

    def gone(self, subject: str) -> bool:
        """Whether nothing is known of this agent, or no longer."""
        return self._snapshots.of(subject) is None

    def finished(self, subject: str, *, tool: str, arguments: Any) -> Observation:
        """A call took place; counted in every mode."""
        seen = self._loops.observe(subject, call_key(tool, arguments), tool=tool)
        if seen.repeated and seen.count == self._loops.max_repeats:
            logger.warning("possible tool loop: %.80r came %d times with identical arguments", tool, seen.count)
        return seen

    def repeated(self, subject: str, *, tool: str, arguments: Any) -> Observation:
        """How often this very call came in a row so far; nothing is counted."""
        return self._loops.check(subject, call_key(tool, arguments), tool=tool)

    def check(
        self,
        subject: str,
        *,
        tool: str,
        arguments: Any,
        schema: Mapping[str, Any] | None = None,
        downstream: Ruling = PROCEED,
        allowed: bool = False,
    ) -> Checking:
        """May this call be made? `downstream` is what all other policies said, and is never weakened.

        After a denial or cancel of another policy nothing is asked. Only in enforce anything else than `downstream` is
        returned: for a repeated call a denial, for a call that cannot be assessed the failure action. `allowed` says
        that a deterministic rule allows the call, which outranks the judge: loops count, nothing is asked.
        """
        now = self._now(subject)
        if downstream.kind in (Kind.CANCEL, Kind.DENY) or now.settings.mode is Mode.OFF:
            return downstream
        if now.enforces and (looped := self._looped(subject, tool, arguments)):
            return stricter(downstream, looped)
        if allowed or not now.settings.assess:
            return downstream
        if now.snapshot is None:
            self._count("without_state")
            return self._unassessed(now, downstream, NO_STATE, "no task of this agent is known to the gate")
        assessment = yield from now.settings.assessing(
            task=now.snapshot.task, step=now.snapshot.label, tool=tool, arguments=arguments, schema=schema
        )
        self._count("assessments", "assessment_failures" if assessment.failure else None)
        later = self._now(subject)
        if later != now:
            self._count("stale_discarded")
            # A host that came to enforce meanwhile has no assessment of this call either.
            bound = later if later.enforces else now
            return self._unassessed(
                bound, downstream, STALE, "task, tools or settings changed, the assessment is stale"
            )
        return self._assessed(now, downstream, assessment)

    def narrow(self, subject: str, *, existing: Sequence[str], begin: Callable[[Snapshot], Selecting]) -> Narrowing:
        """Which of the `existing` tools the agent may see; `begin` starts the selection for its task and step.

        `existing` is everything that it is authorised to use, without what an earlier selection left out.
        """
        now = self._now(subject)
        if now.snapshot is None or not existing:
            known = "no tools" if now.snapshot else "no task of this agent"
            return Menu(tuple(existing), False, f"nothing was selected: {known} is known to the gate")
        selection = yield from begin(now.snapshot)
        stale = self._now(subject) != now
        menu = narrowed(existing, selection, stale=stale)
        self._count("selections", _SELECTIONS.get(selection.status), "restrictions_applied" if menu.narrowed else None)
        self._count("stale_discarded" if stale else None)
        return menu

    def _now(self, subject: str) -> _Now:
        with self._lock:
            return _Now(self._settings, self._epoch, self._snapshots.of(subject))

    def _looped(self, subject: str, tool: str, arguments: Any) -> Ruling | None:
        if not self._settings.guard_loops:
            return None
        seen = self._loops.check(subject, call_key(tool, arguments), tool=tool)
        if not seen.repeated:
            return None
        self._count("loop_denials")
        reason = f"this very call was made {seen.count} times in a row; change its arguments or try something else"
        return ruled(Action.DENY, LOOP, reason, info=LOOPED)

    def _unassessed(self, now: _Now, downstream: Ruling, rule: str, why: str) -> Ruling:
        if not now.enforces:
            return downstream
        own = ruled(now.settings.profile.on_failure.tool_assessment, rule, why)
        self._count(_APPLIED.get(own.kind))
        return stricter(downstream, own)

    def _assessed(self, now: _Now, downstream: Ruling, assessment: Assessment) -> Ruling:
        deciding = assessment.deciding
        if not now.enforces or deciding is None:
            return replace(downstream, assessment=assessment)
        own = ruled(deciding.action, deciding.rule, deciding.reason)
        self._count(_APPLIED.get(own.kind))
        return replace(stricter(downstream, own), assessment=assessment)

    def _count(self, *names: str | None) -> None:
        with self._lock:
            for name in filter(None, names):
                setattr(self._statistics, name, getattr(self._statistics, name) + 1)


@dataclass(frozen=True, slots=True)
class _Now:
    """All that an answer depends on; another one at its arrival makes it stale."""

    settings: Settings
    epoch: int
    snapshot: Snapshot | None

    @property
    def enforces(self) -> bool:
        return self.settings.mode is Mode.ENFORCE


_APPLIED = {Kind.ASK: "asks", Kind.CANCEL: "holds", Kind.DENY: "denials"}
_SELECTIONS = {SelectionStatus.FALLBACK: "selection_failures", SelectionStatus.ABSTAINED: "abstentions"}
