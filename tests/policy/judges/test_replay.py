"""Recorded answers come back byte for byte; what was not recorded is a failure, never a guess."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from policy.engine.contract import validate
from policy.engine.failures import FailureCode, JudgeFailed
from policy.engine.judge import JudgeReply
from policy.engine.profile import InvalidConfig
from policy.judges.replay import Recordings, ReplayJudge
from tests.policy.judges.http.asking import REPLY, REQUEST

RAW = json.dumps(REPLY, indent=1).encode()
KNOWN = Recordings.of([(REQUEST, JudgeReply(REPLY, RAW, latency_ms=120.0))])


def test_a_recorded_answer_is_given_again() -> None:
    reply = ReplayJudge(KNOWN).ask(REQUEST, timeout_s=1)
    assert reply.raw == RAW
    assert validate(reply.body, REQUEST.questions).failure is None
    assert reply.notes == ("recorded answer",)


@pytest.mark.parametrize(
    "other",
    [
        replace(REQUEST, state={"task": "something else"}),
        replace(REQUEST, questions=dict(reversed([*REQUEST.questions.items()]))),
    ],
)
def test_a_request_that_was_not_recorded_is_a_failure(other: object) -> None:
    with pytest.raises(JudgeFailed, match="no answer is recorded for this request") as failed:
        ReplayJudge(KNOWN).ask(other, timeout_s=1)  # type: ignore[arg-type]
    assert failed.value.failure.code is FailureCode.NOT_FOUND
    assert "1 others are" in failed.value.failure.message


def test_recordings_are_written_and_read_again(tmp_path: Path) -> None:
    KNOWN.write(tmp_path / "recorded.jsonl")
    assert Recordings.read(tmp_path / "recorded.jsonl") == KNOWN


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"raw": "x"}', '{"request_sha256": "short", "raw": ""}', '{"request_sha256": 3, "raw": ""}']
)
def test_a_line_that_is_no_recording_is_refused_by_number(tmp_path: Path, line: str) -> None:
    KNOWN.write(tmp_path / "recorded.jsonl")
    with (tmp_path / "recorded.jsonl").open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    with pytest.raises(InvalidConfig, match=r"recorded\.jsonl, line 3"):
        Recordings.read(tmp_path / "recorded.jsonl")


@pytest.mark.parametrize("raw", [b"", b"[]", b'{"a": NaN}', b"\xff"])
def test_a_damaged_recording_is_a_failure(raw: bytes) -> None:
    with pytest.raises(JudgeFailed, match="no JSON object") as failed:
        ReplayJudge(Recordings({REQUEST.digest: raw})).ask(REQUEST, timeout_s=1)
    assert failed.value.failure.code is FailureCode.INVALID_RESPONSE
