"""One logical judgment of a run: the engine asks, the judge answers, ledger and events keep every word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arena import offers
from arena.models import Run
from arena.runs import local_model
from arena.runs.inputs import Inputs
from arena.runs.log import Draft, LeaseLost, append_for
from policy.calibration.fixtures import Kind
from policy.calibration.passport import Asked
from policy.engine import drive, receipts
from policy.engine.failures import Failure, HostFault
from policy.engine.judge import Judge, JudgeReply
from policy.engine.profile import InvalidConfig
from policy.engine.selectors import SelectorCall, SelectorResult
from policy.ledger import RecordedJudge
from policy.models import LedgerEntry
from policy.services import arming, health, judges


def select(
    run: Run, owner: str, inputs: Inputs, *, cancelled: Callable[[], bool]
) -> tuple[SelectorResult, dict[str, Any]]:
    """Ask the run's judge which tools of its menu the task needs; returns the selection and its receipt.

    A failure is a selection too, never an exception. The events are the owner's: a router that lost the run is refused.
    """
    recorder = receipts.Recorder()
    call = _call(inputs)
    judge = ready(run, inputs)
    recorded = _recorded(run, owner, judge)
    selection = drive.run(
        call.steps(),
        arming.armed(inputs.setup.chosen_profile, _terms(call), judge, recorded) or recorded,
        budget_ms=inputs.setup.profile.limits.budget_ms,
        on_exchange=recorder,
        cancelled=cancelled,
    )
    return selection, receipts.write(call, recorder.exchanges, selection)


def _call(inputs: Inputs) -> SelectorCall:
    setup = inputs.setup
    if setup.routing is not None:
        return offers.top_k(inputs.case, inputs.menu, policy=setup.routing, profile=setup.profile)
    return offers.two_stage(
        inputs.case,
        inputs.menu,
        inputs.catalog,
        profile=setup.profile,
        ask_first=setup.ask_first,
        member_lines=setup.member_lines,
    )


def _terms(call: SelectorCall) -> Asked | None:
    """In the terms of a passport; `top-k` reads its own limits and no threshold of a profile."""
    if not isinstance(call, receipts.SelectionCall):
        return None
    menu = arming.tools_menu(call.candidates, call.categories)
    return arming.asked(Kind.SELECTION, menu=menu, member_lines=call.member_lines, limits=call.profile.limits)


def _recorded(run: Run, owner: str, judge: Judge) -> RecordedJudge:
    heard = health.listener(run.by)

    def tell(entry: LedgerEntry, came: JudgeReply | Failure | None) -> None:
        heard(entry, came)
        try:
            append_for(run, owner, [draft(entry, came)])
        except LeaseLost as lost:
            raise HostFault("the run belongs to another worker") from lost

    return RecordedJudge(judge, origin="run", origin_id=run.public_id, user=run.by, tell=tell)


def ready(run: Run, inputs: Inputs) -> Judge:
    """The run's judge with the key of its person; a key that was removed meanwhile is a failure of this run."""
    setup = inputs.setup
    try:
        local_model.same(setup.local_model if setup.judge == local_model.JUDGE else "")
        return judges.judge(setup.judge, by=run.by, model=setup.model, recovery="probability_sum_only")
    except InvalidConfig as missing:
        return judges.Unready(setup.judge, f"{missing}.")
    except local_model.ModelChanged as changed:
        return judges.Unready(setup.judge, str(changed))


def draft(entry: LedgerEntry, came: JudgeReply | Failure | None, *, of: str = "judge", **more: Any) -> Draft:
    """A row of the ledger as an event: what left (`came` None), came or failed; `of` is the first word of its kind."""
    said = {"judge": entry.judge, "stage": entry.stage, **more}
    if came is None:
        size = {"bytes": entry.request_bytes, "digest": entry.request_digest}
        return Draft(f"{of}.asked", {**said, "request": entry.request, **size})
    if isinstance(came, Failure):
        why = {"code": entry.failure_code, "message": entry.failure_message, "latency_ms": entry.latency_ms}
        return Draft(f"{of}.failed", {**said, **why})
    counts = {"input_tokens": entry.input_tokens, "output_tokens": entry.output_tokens}
    raw = {"model": entry.answered_model, "raw": entry.raw_reply, "latency_ms": came.latency_ms}
    return Draft(
        f"{of}.answered", {**said, **raw, **counts, "token_source": entry.token_source, "notes": list(came.notes)}
    )
