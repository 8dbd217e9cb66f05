"""The gate of a lane: every call passes loops, rules and assessment, and every decision is an event.

`off`: nothing is looked at. `shadow`: everything is decided and recorded, nothing is stopped. `enforce`: what is not
allowed is refused, or put to a person. A judge that fails gives the failure action of the profile, never a permission.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from arena.catalogs.tool import Tool
from arena.models import Run
from arena.runs import judging
from arena.runs.cancel import LaneCancel
from arena.runs.inputs import Inputs
from arena.runs.log import Draft, LeaseLost
from arena.runs.recorder import Recorder
from policy.calibration.fixtures import Kind
from policy.engine import arguments as required
from policy.engine import drive
from policy.engine.assessment import Assessment
from policy.engine.assessment.records import Rule
from policy.engine.decisions import Action, Decision
from policy.engine.failures import Failure, HostFault
from policy.engine.judge import JudgeReply
from policy.engine.mode import Mode
from policy.engine.profile import Thresholds
from policy.ledger import RecordedJudge
from policy.models import LedgerEntry
from policy.services import arming, health
from policy.services.gate import PROCEED, Gate, Ruling, Settings
from policy.services.gate import Kind as Ruled
from policy.services.gate.host import LOOP
from policy.services.gate.rulings import MARK, ruled

NO_TOOL, MALFORMED, NOT_HERE = "gate.no-such-tool", "gate.malformed-arguments", "gate.not-in-this-lane"
NO_OBJECTION = "gate.no-objection"
_ACTIONS = {Ruled.ALLOW: Action.ALLOW, Ruled.ASK: Action.ASK, Ruled.CANCEL: Action.HOLD, Ruled.DENY: Action.DENY}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate decided about one call. Only an `applied` one may stop the call; `sentence` is for the agent."""

    action: Action
    rule: str
    reason: str
    applied: bool
    measured: float | None = None
    threshold: float | None = None
    assessment: Assessment | None = None
    ledger: str = ""

    @property
    def sentence(self) -> str:
        return f"{MARK} {self.action.value} by {self.rule}: {self.reason}"

    @property
    def stops(self) -> bool:
        return self.applied and self.action in (Action.HOLD, Action.DENY)

    @property
    def asks(self) -> bool:
        return self.applied and self.action is Action.ASK


OPEN = Verdict(Action.ALLOW, NO_OBJECTION, "there is no gate", applied=False)


@dataclass
class Gatekeeper:
    """One per lane. The lane tells it of every step and of every change of the menu; the toolbox asks it.

    `seen` holds the numbers of the calls that it was asked about: the other half of the coverage.
    """

    run: Run
    given: Inputs
    recorder: Recorder
    cancel: LaneCancel
    mode: Mode
    seen: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        setup = self.given.setup
        self.gate = Gate(Settings(setup.profile, self.mode, self.given.case.restrictions))
        self.subject = self.recorder.lane.public_id
        self._rules = setup.call_rules
        self._asking: list[int] = []
        self.begin_step()

    @property
    def enforces(self) -> bool:
        return self.mode is Mode.ENFORCE

    def begin_step(self) -> None:
        """The agent begins a step: an answer of the judge to an earlier one counts no more."""
        self.gate.begin_step(self.subject, task=self.given.case.task)

    def menu_changed(self) -> None:
        """Tools joined the menu meanwhile."""
        self.gate.catalog_changed(self.subject)

    def finished(self, tool: str, arguments: Mapping[str, Any]) -> None:
        """A call took place; counted in every mode."""
        self.gate.finished(self.subject, tool=tool, arguments=arguments)

    def rejected(
        self, call: int, tool: Tool | None, tool_id: str, arguments: Mapping[str, Any], why: str, *, rule: str = ""
    ) -> str:
        """A call that cannot take place, gate or not: seen and recorded. Returns what the agent is told."""
        if self.mode is Mode.OFF:
            return why
        missing = None if tool is None else required.decide(tool.schema, arguments)
        if missing is not None:
            verdict = Verdict(missing.action, missing.rule, missing.reason, applied=True)
        else:
            ruled_by = rule or (NO_TOOL if tool is None else MALFORMED)
            verdict = Verdict(Action.DENY, ruled_by, why, applied=True)
        self._record(call, tool_id, verdict, began=time.monotonic())
        return why if missing is None else f"{verdict.sentence}. {why}"

    def decide(self, call: int, tool: Tool, arguments: Mapping[str, Any]) -> Verdict:
        """May this call take place? Raises `LeaseLost` where the lane is somebody else's by now."""
        if self.mode is Mode.OFF:
            return OPEN
        began = time.monotonic()
        fired = self._rules.decide(tool.id, arguments)
        looped = self.gate.repeated(self.subject, tool=tool.id, arguments=arguments)
        told = PROCEED if fired is None else ruled(fired.action, fired.rule, fired.reason)
        # A rule outranks the judge: after an allow or a deny there is nothing left to ask. After an ask there is: a
        # judgment may be stricter, and is never weaker.
        settled = looped.repeated or (fired is not None and fired.action in (Action.ALLOW, Action.DENY))
        ruling, ledger = self._checked(call, tool, arguments, told, allowed=settled)
        if looped.repeated and ruling.kind is not Ruled.DENY:
            ruling = self._loop(looped.count, ruling)
        verdict = self._verdict(ruling, fired, ledger, looped.count)
        self._record(call, tool.id, verdict, began=began)
        return verdict

    def _checked(
        self, call: int, tool: Tool, arguments: Mapping[str, Any], told: Ruling, *, allowed: bool
    ) -> tuple[Ruling, str]:
        setup = self.given.setup
        judge = judging.ready(self.run, self.given)
        recorded = RecordedJudge(
            judge, origin="run", origin_id=self.run.public_id, user=self.run.by, tell=self._teller(call)
        )
        terms = arming.asked(Kind.ASSESSMENT, limits=setup.profile.limits)
        asked = arming.armed(setup.chosen_profile, terms, judge, recorded) or recorded
        steps = self.gate.check(
            self.subject, tool=tool.id, arguments=arguments, schema=tool.schema, downstream=told, allowed=allowed
        )
        try:
            ruling = drive.run(steps, asked, budget_ms=setup.profile.limits.budget_ms, cancelled=self.cancel.requested)
        except HostFault as fault:
            raise fault.__cause__ or fault from None
        return ruling, recorded.call

    def _loop(self, count: int, ruling: Ruling) -> Ruling:
        if ruling.rule == LOOP:
            return ruling
        reason = f"this very call was made {count} times in a row; change its arguments or try something else"
        return ruled(Action.DENY, LOOP, reason)

    def _verdict(self, ruling: Ruling, fired: Decision | None, ledger: str, count: int) -> Verdict:
        """What decided, in the words of its rule; in shadow it is what would have."""
        if ruling.rule == LOOP:
            reason = ruling.reason.partition(f"{LOOP}: ")[2]
            most = self.gate.settings.max_repeats
            return Verdict(Action.DENY, LOOP, reason, self.enforces, count, most)
        assessment = ruling.assessment
        own = None if assessment is None else assessment.deciding
        action = _ACTIONS[ruling.kind]
        if not self.enforces and own is not None and own.action.strictness > action.strictness:
            action = own.action
        if own is not None and own.action is action and (fired is None or fired.action is not action):
            said = Verdict(action, own.rule, own.reason, self.enforces, own.measured)
            said = replace(said, threshold=_threshold(own.rule, self.given.setup.profile.thresholds))
        elif fired is not None and fired.action is action:
            said = Verdict(action, fired.rule, fired.reason, self.enforces)
        elif ruling.rule:
            # Stale, or a task that the gate does not know.
            said = Verdict(action, ruling.rule, ruling.reason.partition(f"{ruling.rule}: ")[2], self.enforces)
        else:
            said = Verdict(action, NO_OBJECTION, "no rule objects", self.enforces)
        asked = assessment is not None and bool(assessment.diagnostics.requests)
        return replace(said, assessment=assessment, ledger=ledger if asked else "")

    def _record(self, call: int, tool: str, verdict: Verdict, *, began: float) -> None:
        payload: dict[str, Any] = {
            "call": call,
            "tool": tool,
            "action": verdict.action.value,
            "rule": verdict.rule,
            "reason": verdict.reason,
            "mode": self.mode.value,
            "applied": verdict.applied,
            "latency_ms": round((time.monotonic() - began) * 1000, 3),
        }
        more = {"measured": verdict.measured, "threshold": verdict.threshold, "ledger": verdict.ledger or None}
        if verdict.assessment is not None:
            said = verdict.assessment.decision_json()
            more |= {name: said[name] for name in ("decisions", "values", "failure")}
        payload |= {name: value for name, value in more.items() if value is not None}
        self.recorder.write(self.recorder.state, [Draft("gate.decided", payload)])
        # Counted once the decision is a row: a decision that is not recorded is none.
        self.seen.add(call)

    def _teller(self, call: int) -> Any:
        heard = health.listener(self.run.by)

        def tell(entry: LedgerEntry, came: JudgeReply | Failure | None) -> None:
            heard(entry, came)
            try:
                self.recorder.write(self.recorder.state, [judging.draft(entry, came, of="gate", call=call)])
            except LeaseLost as lost:
                raise HostFault("the lane belongs to another worker") from lost

        return tell


def gate_counts(executed: Sequence[int], seen: Set[int]) -> dict[str, int]:
    """Calls that were executed, those of them that the gate was asked about, and all that it was asked about."""
    return {"executed": len(executed), "covered": sum(call in seen for call in executed), "seen": len(seen)}


def _threshold(rule: str, cuts: Thresholds) -> float | None:
    by_rule: Mapping[str, float] = {
        Rule.VIOLATION.value: cuts.restriction,
        Rule.MISSING.value: cuts.missing_information,
        Rule.MISMATCH.value: cuts.task_match,
    }
    return by_rule.get(rule)
