"""The judge itself: answers each question of a request by its readout, and says how it worked."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from policy.engine.failures import Failure, FailureCode, JudgeFailed
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.questions import Choice, Noul, Question, Score
from policy.judges.local import text
from policy.judges.local.choice import answer_choice
from policy.judges.local.constants import Constants, fitted
from policy.judges.local.nouls import answer_noul, readout_of
from policy.judges.local.reading import Offer, Reading, lines
from policy.judges.local.requests import as_json, checked_wire
from policy.judges.local.score import answer_score, examples_of
from policy.judges.local.vectors import TooSlow, Vectors, VectorsUnavailable, unavailable_reason

BYTES_PER_TOKEN = 4
# Half the cores, one of two: a second thread gains nothing on idle cores and costs half as much again beside two lanes.
THREADS = max(1, min(2, (os.cpu_count() or 1) // 2))


@dataclass(frozen=True, slots=True)
class Description:
    """How this judge answers in this process; `lexical_reason` says in words why it has no vectors, or is None."""

    name: str
    model: str
    lexical_reason: str | None
    threads: int
    cache_dir: Path | None
    fitted_on: Mapping[str, Any]


class LocalJudge:
    """Answers noul, choice and score from closeness of texts; loads its model with the first question.

    `lexical_only` leaves the vectors out. `cache_dir` keeps the vectors of criteria between processes.
    """

    name = "local"

    def __init__(
        self,
        *,
        cache_dir: Path | None = None,
        threads: int = THREADS,
        lexical_only: bool = False,
        constants: Constants | None = None,
    ) -> None:
        self._constants = constants or fitted()
        self._cache_dir = cache_dir
        self._threads = threads
        self._vectors = Vectors(cache_dir=cache_dir, threads=threads)
        self._lexical_reason = "it was asked to use words only" if lexical_only else unavailable_reason()

    @property
    def model(self) -> str:
        """The name and version that replies carry; stored answers and profiles are bound to it."""
        return self._model(self._lexical_reason)

    def describe(self) -> Description:
        """What answers here and why, for a page or a log line."""
        return Description(
            name=self.name,
            model=self.model,
            lexical_reason=self._lexical_reason,
            threads=self._threads,
            cache_dir=self._cache_dir,
            fitted_on=self._constants.data,
        )

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        """Every question answered, each from the state and itself alone; raises `JudgeFailed`."""
        started = time.monotonic()
        wire = checked_wire(request)
        try:
            answers, reason = self._answers(request, deadline=started + timeout_s)
        except TooSlow as error:
            message = f"The local judge was not done within {timeout_s:g} s; give it more time or fewer options."
            raise JudgeFailed(Failure(FailureCode.TIMEOUT, message)) from error
        usage = {"input_tokens": _tokens(wire), "output_tokens": _tokens(as_json(answers))}
        body = {"model": self._model(reason), "answers": answers, "usage": usage}
        latency_ms = (time.monotonic() - started) * 1000
        notes = tuple(_notes(request, reason))
        return JudgeReply(body=body, raw=as_json(body), latency_ms=latency_ms, token_source="estimated", notes=notes)

    def warm(self, criteria: Iterable[str], *, timeout_s: float) -> bool:
        """Compute the vectors of descriptions beforehand and keep them; whether all were done in time.

        A tool is told as the line `id: description`, because its name has a part in one of its two vectors. A question
        about a catalog that was never seen takes some 100 ms per description, later ones hardly any.
        """
        offers = [Offer.line(line) for criterion in criteria for line in lines(criterion)]
        if self._lexical_reason or not offers:
            return True
        deadline = time.monotonic() + timeout_s
        try:
            self._vectors.embed("passage", [offer.passage for offer in offers], deadline=deadline)
            self._vectors.embed("query", [offer.named for offer in offers], deadline=deadline, on_disk=True)
        except VectorsUnavailable as error:
            self._lexical_reason = str(error)
        except TooSlow:
            return False
        return True

    def _model(self, lexical_reason: str | None) -> str:
        kind = "lexical" if lexical_reason else "e5small+bm25"
        return f"local-{kind}-{self._constants.version}"

    def _answers(self, request: JudgeRequest, *, deadline: float) -> tuple[dict[str, Any], str | None]:
        """The answers, and why they rest on words only (None where they do not)."""
        reason = self._lexical_reason
        comparer = None if reason else self._vectors
        reading = Reading.of(request.state, comparer=comparer, centre=self._constants.centre, deadline=deadline)
        try:
            asked = request.questions.items()
            return {name: self._answer(question, reading, request.state) for name, question in asked}, reason
        except VectorsUnavailable as error:
            self._lexical_reason = str(error)
            return self._answers(request, deadline=deadline)

    def _answer(self, question: Question, reading: Reading, state: Mapping[str, Any] | str) -> dict[str, Any]:
        match question:
            case Noul():
                return answer_noul(question, reading, self._constants)
            case Choice():
                return answer_choice(question, reading, self._constants)
            case Score():
                return answer_score(question, reading, examples_of(question, state))


def _notes(request: JudgeRequest, lexical_reason: str | None) -> Iterator[str]:
    if lexical_reason:
        yield f"Judge local compared words only, because {lexical_reason}."
    if lost := text.lost(request.state):
        yield f"The last {lost} characters of the state were not read; this judge reads {text.MAX_CHARS} of a text."
    for name, question in request.questions.items():
        if isinstance(question, Score):
            known = len(examples_of(question, request.state))
            source = f"from {known} labelled examples" if known else "from closeness to the level texts, uncalibrated"
            yield f"{name}: score {source}."
        elif isinstance(question, Noul) and (caveat := readout_of(question).caveat):
            yield f"{name}: {caveat}."


def _tokens(wire: bytes) -> int:
    return math.ceil(len(wire) / BYTES_PER_TOKEN)
