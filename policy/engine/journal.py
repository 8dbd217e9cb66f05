"""Asking, written down: every stage, request and reply of one decision."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from policy.engine.answers import Answer
from policy.engine.contract import invalid_reply, validate
from policy.engine.diagnostics import RequestNote
from policy.engine.failures import Failure
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.questions import Question


@dataclass(frozen=True, slots=True)
class Inquiry:
    """One request to come; `labels` are the stages that it covers in the diagnostics.

    A decision can be made without an answer to the `optional` questions.
    """

    stage: str
    questions: Mapping[str, Question]
    labels: Sequence[str]
    optional: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Asked:
    """The valid answers so far, and the failure that ended the asking, if any."""

    answers: Mapping[str, Answer]
    failure: Failure | None = None


Asking = Generator[JudgeRequest, JudgeReply | Failure, Asked]


@dataclass(slots=True)
class Journal:
    """What was asked and what came back."""

    stages: list[str] = field(default_factory=list)
    notes: list[RequestNote] = field(default_factory=list)

    def ask(self, state: Mapping[str, Any], inquiries: Sequence[Inquiry]) -> Asking:
        """Ask in order and stop at the first failure; what was answered before it is kept."""
        answers: dict[str, Answer] = {}
        for inquiry in inquiries:
            self.stages.extend(inquiry.labels)
            request = JudgeRequest(state, inquiry.questions, inquiry.stage)
            sent = yield request
            failure = sent if isinstance(sent, Failure) else self._read(request, sent, answers, inquiry.optional)
            if failure is not None:
                if failure is sent:
                    self.notes.append(RequestNote(inquiry.stage, len(inquiry.questions), failure=failure))
                self.stages.append("provider:failed")
                return Asked(answers, failure)
        return Asked(answers)

    def _read(
        self, request: JudgeRequest, reply: JudgeReply, answers: dict[str, Answer], optional: frozenset[str]
    ) -> Failure | None:
        """Take the valid answers; an unusable answer to any question but an optional one fails the decision."""
        checked = validate(reply.body, request.questions, totals=reply.totals)
        answers.update(checked.answers)
        missing = len(checked.answers) < len(request.questions) and any(
            name not in checked.answers and name not in optional for name in request.questions
        )
        failure = invalid_reply(checked.violations) if missing else None
        self.notes.append(
            RequestNote(
                stage=request.stage,
                questions=len(request.questions),
                model=checked.model,
                usage=checked.usage,
                latency_ms=reply.latency_ms,
                failure=failure,
                violations=checked.violations,
            )
        )
        return failure
