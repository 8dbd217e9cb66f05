"""Runs, lanes and events as JSON: one form for the API, the download and the command."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from arena.approvals.models import Approval
from arena.evidence import questions
from arena.models import Event, Lane, Run
from policy.models import LedgerEntry


def run(row: Run) -> dict[str, Any]:
    """A run with its lanes: state, setup, outcome, figures. Times are ISO with Z, durations in ms."""
    return {
        "id": row.public_id,
        "number": row.number,
        "state": row.state,
        "message": row.message,
        "case": row.case_id,
        "title": row.case_title,
        "by": row.by.username,
        "origin": row.origin,
        "setup": row.setup,
        "setup_digest": row.setup_digest,
        "outcome": row.outcome or None,
        "seq": row.seq,
        "created_at": moment(row.created_at),
        "started_at": moment(row.started_at),
        "settled_at": moment(row.settled_at),
        "dialogue": dialogue(row),
        "lanes": [lane(each) for each in row.lanes.all()],
    }


def dialogue(row: Run) -> dict[str, Any]:
    """What the run asked (from a lane's letter, or the judge), what became of it, and the runs before and after."""
    after = questions.follower(row)
    asked = [{"asked_by": each.letter or "judge", "text": each.text} for each in questions.questions(row)]
    return {
        "state": questions.state(row),
        "questions": asked,
        "continues": None if row.continues is None else row.continues.public_id,
        "continued_by": None if after is None else after.public_id,
    }


def lane(row: Lane) -> dict[str, Any]:
    """A lane: `success` is the automatic check, null until it ran; `metrics` carry unit, source and reason."""
    return {
        "id": row.public_id,
        "letter": row.letter,
        "arm": row.arm,
        "gate": row.gate,
        "state": row.state,
        "message": row.message,
        "ending": row.ending or None,
        "success": row.passed,
        "answer": row.answer,
        "menu": row.menu,
        "check": row.check_result,
        "metrics": row.metrics.get("measured", {}),
        "model": row.metrics.get("model"),
        "started_at": moment(row.started_at),
        "finished_at": moment(row.finished_at),
    }


def event(row: Event) -> dict[str, Any]:
    return {
        "seq": row.seq,
        "kind": row.kind,
        "lane": row.lane.public_id if row.lane else None,
        "at": moment(row.at),
        "payload": row.payload,
    }


def ledger_entry(row: LedgerEntry) -> dict[str, Any]:
    """One request to a judge: its figures, without its words, which the events have."""
    fields = ("call", "attempt", "step", "after", "stage", "judge", "requested_model", "answered_model")
    sizes = ("request_digest", "request_bytes", "response_bytes", "input_tokens", "output_tokens", "token_source")
    ends = ("latency_ms", "status", "verdict", "http_status", "failure_code")
    return {"at": moment(row.at), **{name: getattr(row, name) for name in (*fields, *sizes, *ends)}}


def export(row: Run, events: list[Event], ledger: list[LedgerEntry]) -> dict[str, Any]:
    """Everything that the run left: it can be read without this site. `schema` 1."""
    return {
        "schema": 1,
        "kind": "jev-arena-run",
        "run": run(row),
        "inputs": {
            "case": row.case_snapshot.content,
            "catalog": row.catalog_snapshot.content,
            "world": row.world_snapshot.content,
        },
        "receipt": row.selection,
        "events": [event(each) for each in events],
        "ledger": [ledger_entry(each) for each in ledger],
    }


def approval(row: Approval) -> dict[str, Any]:
    """A question to a person and what became of it; the arguments in their redacted form."""
    same = ("call", "tool", "effect", "digest", "rule", "reason", "measured", "threshold", "state", "message")
    return {
        "id": row.public_id,
        "run": row.run.public_id,
        "lane": row.lane.public_id,
        "letter": row.lane.letter,
        "arguments": row.shown,
        **{name: getattr(row, name) for name in same},
        "asked_at": moment(row.asked_at),
        "expires_at": moment(row.expires_at),
        "answered_at": moment(row.answered_at),
        "answered_by": row.answered_by.username if row.answered_by else None,
    }


def moment(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def summary(row: Run) -> dict[str, Any]:
    """The short form: per lane its arm, state, success, tools exposed, tokens with their source, and time."""
    return {
        "run": row.public_id,
        "case": row.case_id,
        "state": row.state,
        "message": row.message,
        "outcome": row.outcome or None,
        "lanes": [_lane_summary(each) for each in row.lanes.all()],
    }


def _lane_summary(row: Lane) -> dict[str, Any]:
    measured = row.metrics.get("measured", {})
    unknown = {"value": None, "source": None, "reason": row.message or "not settled", "at_least": False}

    def known(name: str) -> Any:
        return measured.get(name, unknown)["value"]

    def tokens(name: str) -> dict[str, Any]:
        metric = measured.get(name, unknown)
        return {name: metric[name] for name in ("value", "source", "at_least", "reason")}

    return {
        "lane": row.public_id,
        "arm": row.arm,
        "state": row.state,
        "success": row.passed,
        "tools_exposed": known("tools_exposed"),
        "menu": [entry["id"] for entry in row.menu or []],
        "recall_at_menu": known("recall_at_menu"),
        # The selected lane's sums include its judge; a shadow lane shows it beside them.
        "input_tokens": tokens("input_tokens"),
        "agent_input_tokens": tokens("agent_input_tokens"),
        "judge_input_tokens": tokens("judge_input_tokens"),
        "output_tokens": tokens("output_tokens"),
        "working_ms": known("working_ms"),
        "gate": row.gate,
        "gate_coverage": known("gate_coverage"),
    }
