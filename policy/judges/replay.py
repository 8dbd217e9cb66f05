"""Recorded answers: what was answered once to exactly this request is answered again, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from policy.engine.failures import Failure, FailureCode, JudgeFailed
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.profile import InvalidConfig
from policy.engine.totals import Totals
from policy.judges.http.replies import NotJson, parsed


@dataclass(frozen=True, slots=True)
class Recordings:
    """The bytes of replies by the digest of the request (64 hex digits)."""

    replies: Mapping[str, bytes] = field(default_factory=dict)

    @classmethod
    def of(cls, exchanges: Iterable[tuple[JudgeRequest, JudgeReply]]) -> Recordings:
        """Keep what was exchanged; the last reply to a request counts."""
        return cls({request.digest: reply.raw for request, reply in exchanges})

    @classmethod
    def read(cls, path: Path) -> Recordings:
        """JSON lines of `request_sha256` and `raw` (the reply as text); raises `InvalidConfig` naming file and line."""
        found: dict[str, bytes] = {}
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
            if line.strip():
                digest, raw = _line(line, f"{path.name}, line {number}")
                found[digest] = raw
        return cls(found)

    def write(self, path: Path) -> None:
        """The same lines, ordered by digest."""
        lines = (
            json.dumps({"request_sha256": digest, "raw": raw.decode("utf-8", errors="replace")})
            for digest, raw in sorted(self.replies.items())
        )
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


class ReplayJudge:
    """Answers from recordings only; a request that was not recorded is a typed failure, never a guess."""

    name = "replay"

    def __init__(self, recordings: Recordings, *, totals: Totals = Totals.STRICT) -> None:
        self._recordings = recordings
        self._totals = totals

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        raw = self._recordings.replies.get(request.digest)
        if raw is None:
            known = len(self._recordings.replies)
            message = (
                f"no answer is recorded for this request ({request.digest[:12]}…), {known} others are: "
                "record it with the judge that is replayed"
            )
            raise JudgeFailed(Failure(FailureCode.NOT_FOUND, message))
        try:
            body = parsed(raw)
        except NotJson as broken:
            body, violations = None, broken.violations
        if not isinstance(body, Mapping):
            found = () if body is not None else violations
            raise JudgeFailed(Failure(FailureCode.INVALID_RESPONSE, "the recorded answer is no JSON object", found))
        return JudgeReply(body, raw, latency_ms=0.0, notes=("recorded answer",), totals=self._totals)


def _line(line: str, where: str) -> tuple[str, bytes]:
    try:
        record: Any = json.loads(line)
        digest, raw = record["request_sha256"], record["raw"]
    except (ValueError, KeyError, TypeError):
        raise InvalidConfig(f"{where}: a recording is an object with request_sha256 and raw") from None
    if not isinstance(digest, str) or len(digest) != 64 or not isinstance(raw, str):
        raise InvalidConfig(f"{where}: request_sha256 must be 64 hex digits and raw a text")
    return digest, raw.encode("utf-8")
