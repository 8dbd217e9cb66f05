"""One logical judgment of a run: the engine asks, the judge answers, ledger and events keep every word."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings

from arena import arms
from arena.models import Run
from arena.runs.inputs import Inputs
from arena.runs.log import Draft, append
from policy.engine import drive
from policy.engine.failures import Failure
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.selection import Selection, select_tools
from policy.judges import registry
from policy.ledger import RecordedJudge
from policy.models import LedgerEntry


def select(run: Run, inputs: Inputs, *, cancelled: Callable[[], bool]) -> Selection:
    """Ask the run's judge which tools of its menu the task needs. A failure is a selection too, never an exception."""

    def asked(entry: LedgerEntry, request: JudgeRequest) -> None:
        payload = {"judge": entry.judge, "stage": entry.stage, "request": entry.request}
        append(
            run.pk,
            [Draft("judge.asked", {**payload, "bytes": entry.request_bytes, "digest": entry.request_digest})],
        )

    def outcome(entry: LedgerEntry, came: JudgeReply | Failure) -> None:
        append(run.pk, [_failed(entry) if isinstance(came, Failure) else _answered(entry, came)])

    judge = RecordedJudge(
        registry.get(inputs.setup.judge, cache_dir=settings.VECTORS_DIR),
        origin="run",
        origin_id=run.public_id,
        on_ask=asked,
        on_outcome=outcome,
    )
    menu = inputs.menu
    plan = select_tools(
        task=inputs.case.task,
        candidates=arms.candidates(menu, inputs.case.forbids),
        categories=arms.categories(menu, inputs.catalog),
        profile=inputs.setup.profile,
        ask_first=inputs.setup.ask_first,
        member_lines=inputs.setup.member_lines,
    )
    return drive.run(plan, judge, budget_ms=inputs.setup.profile.limits.budget_ms, cancelled=cancelled)


def _failed(entry: LedgerEntry) -> Draft:
    payload = {"judge": entry.judge, "stage": entry.stage}
    return Draft("judge.failed", {**payload, "code": entry.failure_code, "message": entry.failure_message})


def _answered(entry: LedgerEntry, reply: JudgeReply) -> Draft:
    return Draft(
        "judge.answered",
        {
            "judge": entry.judge,
            "stage": entry.stage,
            "model": entry.answered_model,
            "raw": entry.raw_reply,
            "latency_ms": reply.latency_ms,
            "input_tokens": entry.input_tokens,
            "output_tokens": entry.output_tokens,
            "token_source": entry.token_source,
            "notes": list(reply.notes),
        },
    )
