"""The judge `gguf`: a shortlist by closeness, then one yes-or-no question to the model for each option that is left."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from policy.engine.failures import Failure, FailureCode, JudgeFailed
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.questions import Choice, Noul, Question, Score
from policy.judges.gguf import file, leaning, wording
from policy.judges.gguf.file import ModelFile, NoModel
from policy.judges.gguf.known import UNFITTED, Platt
from policy.judges.gguf.server import NotHere, Server, ServerFault, shared
from policy.judges.http import loopback
from policy.judges.local import LocalJudge
from policy.judges.local.choice import says_none
from policy.judges.local.nouls import readout_of
from policy.judges.local.numbers import choice_confidence, six_decimals
from policy.judges.local.requests import as_json, checked_wire

CHAT = "/v1/chat/completions"
SYSTEM_ONE = "/v1/systemone"
CHOICE = "choice"
SERVER_ERROR = 500
PROBE = {"state": "ready", "questions": {"ready": {"type": "noul", "instructions": "Is it ready?"}}}


class GgufJudge:
    """Asks the model of this process's server; a decision model is asked in its own way, every question at once.

    `cache_dir` is where the vectors of the shortlist are kept. Neither file nor model is looked at before a question.
    """

    name = "gguf"

    def __init__(
        self,
        *,
        cache_dir: Path | None = None,
        server: Callable[[], Server] = shared,
        model: Callable[[], ModelFile] = file.found,
        constants: Mapping[str, Platt] | None = None,
    ) -> None:
        self._near = LocalJudge(cache_dir=cache_dir)
        self._server, self._model, self._constants = server, model, constants

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        """Every question answered, each from the state and itself alone; raises `JudgeFailed`."""
        started = time.monotonic()
        checked_wire(request)
        deadline = started + timeout_s
        try:
            model, server = self._model(), self._server()
            if server.decides(model, lambda: self._probe(model, server, deadline), timeout_s=timeout_s):
                body, notes = self._decided(request, model, server, deadline), []
            else:
                asking = self._asking(model, server, deadline)
                answers = {name: self._answer(each, request, asking) for name, each in request.questions.items()}
                body = {"model": f"{model.name} yes-no-{wording.VERSION}", "answers": answers, "usage": asking.usage}
                notes = list(_notes(request, model, asking))
        except (NoModel, NotHere) as missing:
            raise _failed(FailureCode.INVALID_CONFIG, str(missing), unsent=True) from missing
        except loopback.OutOfTime as slow:
            message = f"The model was not done within {timeout_s:g} s; give it more time or fewer options."
            raise _failed(FailureCode.TIMEOUT, message) from slow
        except loopback.Refused as refused:
            code = FailureCode.BAD_REQUEST if refused.status < SERVER_ERROR else FailureCode.SERVER
            raise _failed(code, f"The model's server refused the question: {refused}.") from refused
        except (loopback.LoopbackFault, ServerFault) as fault:
            raise _failed(FailureCode.SERVER, f"The model gave no answer: {str(fault).rstrip('.')}.") from fault
        except leaning.NoLeaning as unread:
            raise _failed(FailureCode.INVALID_RESPONSE, f"The model's answer cannot be read: {unread}.") from unread
        latency_ms = (time.monotonic() - started) * 1000
        return JudgeReply(body=body, raw=as_json(body), latency_ms=latency_ms, notes=tuple(notes))

    def _asking(self, model: ModelFile, server: Server, deadline: float) -> _Asking:
        fitted = self._constants if self._constants is not None else (model.known.readouts if model.known else {})
        return _Asking(model, server, deadline, fitted)

    def _answer(self, question: Question, request: JudgeRequest, asking: _Asking) -> dict[str, Any]:
        match question:
            case Noul():
                kind = readout_of(question).name
                probability = asking.yes(request.state, wording.of_noul(question), kind)
                return {"type": "noul", "noul": round(probability, 6)}
            case Choice():
                return self._choice(question, request, asking)
            case Score():
                return self._by_closeness(question, request, asking)

    def _choice(self, question: Choice, request: JudgeRequest, asking: _Asking) -> dict[str, Any]:
        labels = list(question.criteria)
        near: Mapping[str, float] = self._by_closeness(question, request, asking)["probabilities"]
        asked = {
            label: asking.yes(request.state, wording.of_option(question, label), CHOICE)
            for label in leaning.shortlist(near)
        }
        asking.left_out += sum(label not in asked and not says_none(label) for label in labels)
        found = leaning.distribution(labels, asked, near)
        return {
            "type": "choice",
            "choice": labels[max(range(len(labels)), key=found.__getitem__)],
            "probabilities": dict(zip(labels, six_decimals(found), strict=True)),
            "confidence": choice_confidence(found),
        }

    def _by_closeness(self, question: Question, request: JudgeRequest, asking: _Asking) -> dict[str, Any]:
        """What the judge `local` says of this one question."""
        alone = JudgeRequest(request.state, {"question": question}, request.stage)
        reply = self._near.ask(alone, timeout_s=max(0.001, asking.deadline - time.monotonic()))
        answer: dict[str, Any] = reply.body["answers"]["question"]
        return answer

    def _probe(self, model: ModelFile, server: Server, deadline: float) -> bool:
        """A file that is no decision model says so by its status."""
        body = {"model": model.name, **PROBE}
        try:
            server.post(model, SYSTEM_ONE, body, timeout_s=deadline - time.monotonic())
        except loopback.Refused:
            return False
        return True

    def _decided(self, request: JudgeRequest, model: ModelFile, server: Server, deadline: float) -> dict[str, Any]:
        body = {"model": model.name, **request.to_wire()}
        return server.post(model, SYSTEM_ONE, body, timeout_s=deadline - time.monotonic())


@dataclass(slots=True)
class _Asking:
    """The questions of one request on their way, and what they took."""

    model: ModelFile
    server: Server
    deadline: float
    fitted: Mapping[str, Platt]
    usage: dict[str, int] = field(default_factory=lambda: {"input_tokens": 0, "output_tokens": 0})
    unfitted: set[str] = field(default_factory=set)
    left_out: int = 0

    def yes(self, state: Mapping[str, Any] | str, question: str, kind: str) -> float:
        """The probability of yes, by the constants of this kind of question."""
        body = {
            "messages": wording.conversation(state, question),
            "max_tokens": 1,
            "temperature": 0,
            "logprobs": True,
            "top_logprobs": leaning.TOP_TOKENS,
            "cache_prompt": True,
        }
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise loopback.OutOfTime("there was no time left")
        reply = self.server.post(self.model, CHAT, body, timeout_s=left)
        told = reply.get("usage") or {}
        self.usage["input_tokens"] += int(told.get("prompt_tokens") or 0)
        self.usage["output_tokens"] += int(told.get("completion_tokens") or 0)
        if kind not in self.fitted:
            self.unfitted.add(kind)
        return leaning.read(reply, self.fitted.get(kind, UNFITTED))


def _notes(request: JudgeRequest, model: ModelFile, asking: _Asking) -> Iterator[str]:
    if asking.left_out:
        yield f"{asking.left_out} options were too far from the state to be asked about, by the vectors of judge local."
    if asking.unfitted:
        kinds = ", ".join(sorted(asking.unfitted)).replace("_", " ")
        yield f"No constants are fitted for {model.name} and {kinds}: these probabilities are not calibrated."
    if cut := wording.lost(request.state):
        yield f"The last {cut} characters of the state were not read."
    for name, question in request.questions.items():
        if isinstance(question, Score):
            yield f"{name}: the score is that of judge local; models of this size are worse at levels."


def _failed(code: FailureCode, message: str, *, unsent: bool = False) -> JudgeFailed:
    return JudgeFailed(Failure(code, message, unsent=unsent))
