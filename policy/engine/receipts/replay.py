"""Replaying a receipt: the same code on the stored replies, without a judge and without a network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from policy.engine.canonical import canonical_json, digest
from policy.engine.failures import Failure, FailureCode, Violation
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.receipts.call import SelectionCall
from policy.engine.receipts.fields import field_of, optional
from policy.engine.receipts.top_k_call import TopKCall
from policy.engine.receipts.write import SCHEMA_VERSION
from policy.engine.selectors import SelectorCall, SelectorResult
from policy.engine.totals import Totals

_CALLS: Mapping[str, type[SelectionCall] | type[TopKCall]] = {each.kind: each for each in (SelectionCall, TopKCall)}


class Verdict(StrEnum):
    """What a replay found."""

    SAME = "same"
    DIFFERENT = "different"
    ALTERED = "altered"
    UNSUPPORTED = "unsupported"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class Replay:
    """`same` only when the digest holds, the requests are the stored ones and the decision comes out again.

    `digest_intact` and `same_decision` are None where damage kept them from being determined.
    """

    verdict: Verdict
    reason: str
    digest_intact: bool | None = None
    same_decision: bool | None = None
    selection: SelectorResult | None = None


class _Departed(Exception):
    """The code asks something else than it did when the receipt was written."""


def replay(receipt: object) -> Replay:
    """Say whether a receipt still explains its decision; never raises, whatever the input."""
    try:
        return _replay(receipt)
    except (ValueError, TypeError, KeyError, RecursionError) as damage:
        return Replay(Verdict.DAMAGED, f"the receipt cannot be read: {damage!s:.200}")


def _replay(receipt: object) -> Replay:
    if not isinstance(receipt, Mapping):
        return Replay(Verdict.DAMAGED, "the receipt cannot be read: it is not an object")
    kind, version = receipt.get("kind"), receipt.get("schema_version")
    if not isinstance(kind, str) or kind not in _CALLS or version != SCHEMA_VERSION or isinstance(version, bool):
        kinds = " and ".join(_CALLS)
        return Replay(Verdict.UNSUPPORTED, f"only {kinds} receipts of schema version {SCHEMA_VERSION} can be replayed")
    intact = digest({key: item for key, item in receipt.items() if key != "digest"}) == receipt.get("digest")
    call = _CALLS[kind].from_json(field_of(receipt, "call", dict))
    exchanges = field_of(receipt, "exchanges", list)
    stored = {key: item for key, item in field_of(receipt, "selection", dict).items() if key != "diagnostics"}
    try:
        selection = _again(call, exchanges)
    except _Departed as departed:
        return _verdict(intact, f"{departed}", same=False, selection=None)
    same = canonical_json(selection.decision_json()) == canonical_json(stored)
    reason = "the stored replies give the stored decision" if same else "the stored replies give another decision"
    return _verdict(intact, reason, same=same, selection=selection)


def _verdict(intact: bool, reason: str, *, same: bool, selection: SelectorResult | None) -> Replay:
    if not intact:
        altered = f"the digest does not match the content, so something was changed; {reason}"
        return Replay(Verdict.ALTERED, altered, False, same, selection)
    return Replay(Verdict.SAME if same else Verdict.DIFFERENT, reason, True, same, selection)


def _again(call: SelectorCall, exchanges: Sequence[Any]) -> SelectorResult:
    steps = call.steps()
    try:
        request = next(steps)
        for number, exchange in enumerate(exchanges, start=1):
            if _asked(request) != canonical_json([exchange["stage"], exchange["request"]]):
                raise _Departed(f"request {number} is not the one that would be sent today")
            request = steps.send(came(exchange))
    except StopIteration as end:
        selection: SelectorResult = end.value
        if len(selection.diagnostics.requests) != len(exchanges):
            raise _Departed("the receipt holds more exchanges than the selection needs") from None
        return selection
    raise _Departed("the selection needs more exchanges than the receipt holds")


def _asked(request: JudgeRequest) -> str:
    return canonical_json([request.stage, request.to_wire()])


def came(exchange: Mapping[str, Any]) -> JudgeReply | Failure:
    """What came back in a stored exchange; raises `ValueError`, `TypeError` or `KeyError` where it is damaged."""
    if exchange["failure"] is not None:
        return _failure(exchange["failure"])
    reply = field_of(exchange, "reply", dict)
    return JudgeReply(
        body=reply["body"],
        raw=field_of(reply, "raw", str).encode("utf-8", errors="replace"),
        latency_ms=reply["latency_ms"],
        token_source=reply["token_source"],
        notes=tuple(reply["notes"]),
        totals=Totals(reply.get("totals", Totals.STRICT)),
        cached_at=None if (at := optional(reply, "cached_at", str)) is None else datetime.fromisoformat(at),
    )


def _failure(value: Mapping[str, Any]) -> Failure:
    violations = tuple(
        Violation(field_of(item, "path", str), field_of(item, "message", str), item.get("received"))
        for item in field_of(value, "violations", list)
    )
    return Failure(FailureCode(field_of(value, "code", str)), field_of(value, "message", str), violations)
