"""Writing a receipt: plain JSON that explains a selection without anything else."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from policy.engine.bounds import clean_text
from policy.engine.canonical import digest, json_safe
from policy.engine.diagnostics import failure_json
from policy.engine.failures import Failure
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.selectors import SelectorCall, SelectorResult

SCHEMA_VERSION = 1


@dataclass(slots=True)
class Recorder:
    """Keeps what was exchanged; give it to a driver as `on_exchange`."""

    exchanges: list[tuple[JudgeRequest, JudgeReply | Failure]] = field(default_factory=list)

    def __call__(self, request: JudgeRequest, sent: JudgeReply | Failure) -> None:
        self.exchanges.append((request, sent))


def write(
    call: SelectorCall, exchanges: Sequence[tuple[JudgeRequest, JudgeReply | Failure]], selection: SelectorResult
) -> dict[str, Any]:
    """The receipt as JSON; `digest` is the SHA-256 of the canonical JSON of everything else in it."""
    receipt = {
        "schema_version": SCHEMA_VERSION,
        "kind": call.kind,
        "question_set": dict(call.question_set()),
        "call": call.to_json(),
        "exchanges": [exchange_json(request, sent) for request, sent in exchanges],
        "selection": selection.to_json(),
    }
    return {**receipt, "digest": digest(receipt)}


def exchange_json(request: JudgeRequest, sent: JudgeReply | Failure) -> dict[str, Any]:
    """One request (its SHA-256 is over the bytes as sent, order kept), and the reply or failure that came back."""
    asked = {"stage": request.stage, "request": request.to_wire(), "request_sha256": request.digest}
    if isinstance(sent, Failure):
        return {**asked, "reply": None, "failure": failure_json(sent)}
    reply = {
        "raw": clean_text(sent.raw.decode("utf-8", errors="replace")).text,
        "raw_sha256": hashlib.sha256(sent.raw).hexdigest(),
        "body": json_safe(sent.body),
        "latency_ms": sent.latency_ms,
        "token_source": sent.token_source,
        "notes": list(sent.notes),
        "totals": sent.totals.value,
    }
    return {**asked, "reply": reply, "failure": None}
