"""What differs from provider to provider: address, envelope, names of models, spelling of usage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from policy.engine.answer_checks import check_answer
from policy.engine.answers import NoulAnswer
from policy.engine.confidence import computed
from policy.engine.failures import Failure, FailureCode, Violation
from policy.engine.judge import JudgeRequest
from policy.engine.profile import InvalidConfig
from policy.engine.questions import Choice, Questions
from policy.engine.shorten import shorten
from policy.engine.totals import Totals
from policy.judges.http import errors
from policy.judges.http.address import BaseUrl
from policy.judges.http.errors import Meaning
from policy.judges.keys import Key

USAGE_NAMES = {"inputTokens": "input_tokens", "outputTokens": "output_tokens"}
MOST_MODEL_CHARS = 120


class Defect(Exception):
    """A reply that came whole and is no answer."""

    def __init__(self, failure: Failure, *, reason: str = "") -> None:
        super().__init__(failure.message)
        self.failure = failure
        self.reason = reason


class Refusal(Exception):
    """An error in the dress of a success: what it means, and the far side's words as they came."""

    def __init__(self, meant: Meaning, said: str) -> None:
        super().__init__(meant.says)
        self.meant = meant
        self.said = said


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """The reply as the engine reads it, and what was done to get there."""

    body: Mapping[str, Any]
    notes: tuple[str, ...] = ()


class Adapter:
    """The vendor's own wire (`POST /v1/systemone`); gateways override what they do differently."""

    name: ClassVar[str]
    label: ClassVar[str]
    description: ClassVar[str]
    default_base: ClassVar[str] = ""
    default_model: ClassVar[str] = "jev-latest"
    path: ClassVar[str] = "/v1/systemone"
    models_path: ClassVar[str] = "/v1/models"
    needs_key: ClassVar[bool] = True
    # What a gateway's schema makes optional is filled in and noted; the vendor always sends it.
    fills_gaps: ClassVar[bool] = True
    # A lower-case name that moves from one model to the next.
    moving: ClassVar[frozenset[str]] = frozenset({"jev-latest", "jev-preview"})

    def check_key(self, key: Key) -> None:
        """Raises `InvalidConfig` for a key that plainly belongs to somebody else."""

    def wire_model(self, model: str) -> str:
        """The provider's name for a model."""
        return model

    def matches(self, model: str, answered: str) -> bool:
        """Whether an answer may be of the requested model: an alias stands for any, a version for itself."""
        if not answered or model in self.moving:
            return bool(answered)
        return answered in (model, self.wire_model(model)) or answered.startswith(f"{self.wire_model(model)}-")

    def url(self, base: BaseUrl, model: str) -> str:
        return f"{self.root(base)}{self.path}"

    def models_url(self, base: BaseUrl) -> str:
        return f"{self.root(base)}{self.models_path}"

    def root(self, base: BaseUrl) -> str:
        """The address without a beginning of the path that people copied along, such as `/v1`."""
        parts = self.path.strip("/").split("/")
        begins = ("/" + "/".join(parts[:count]) for count in range(len(parts), 0, -1))
        return next((base.text.removesuffix(begin) for begin in begins if base.text.endswith(begin)), base.text)

    def headers(self) -> Mapping[str, str]:
        return {}

    def encode(self, request: JudgeRequest, model: str) -> Mapping[str, Any]:
        """The JSON that is sent; raises `Defect` for what this provider is known not to take."""
        return {"model": model, **request.to_wire()}

    def meaning(self, status: int, body: Any) -> Meaning:
        """What an error means here."""
        return errors.meaning(status, body)

    def open(self, body: Any) -> Any:
        """The reply out of its envelope; raises `Refusal` for an error in the dress of a success."""
        return body

    def hint(self, request: JudgeRequest, said: str) -> str:
        """What people should know beside the far side's words when it did not accept a request."""
        return ""

    def unwrap(self, body: Any, request: JudgeRequest, model: str) -> Unwrapped:
        """`{model, answers, usage}` as the engine reads it; raises `Defect` or `Refusal` where there are no answers."""
        opened = self.open(body)
        if not isinstance(opened, Mapping):
            raise self.defect("", "the reply must be an object", opened)
        if "answers" not in opened and opened.get("error"):
            raise self._error(opened)
        answers = opened.get("answers")
        if not isinstance(answers, Mapping):
            raise self.defect("answers", "answers must be an object", answers)
        self._complete(opened)
        named = {"model": opened.get("model"), "answers": answers, "usage": usage_of(opened.get("usage"))}
        return filled(named, request.questions, model) if self.fills_gaps else Unwrapped(named)

    def defect(self, path: str, problem: str, received: Any = None) -> Defect:
        where = path or "the reply"
        message = f"{self.label}: the reply breaks the contract at {where}: {problem}."
        return Defect(Failure(FailureCode.INVALID_RESPONSE, message, (Violation(path, problem, shorten(received)),)))

    def _error(self, opened: Mapping[str, Any]) -> Refusal:
        """An error that came with a status of success: its own code says what it is."""
        error = opened["error"]
        code = error.get("code") if isinstance(error, Mapping) else None
        status = code if isinstance(code, int) and 400 <= code < 600 else 0
        return Refusal(self.meaning(status, opened), errors.error_text(opened, ""))

    def _complete(self, opened: Mapping[str, Any]) -> None:
        """A gateway may shorten what it passes on and say so beside the answers: such answers are of something else."""
        usage, extra = opened.get("usage"), opened.get("extra_fields")
        for where in (opened, usage, extra):
            for name in ("state_tokens_dropped", "truncated_questions"):
                if isinstance(where, Mapping) and where.get(name):
                    problem = f"the far side shortened the question before it answered ({name})"
                    failure = Failure(FailureCode.INCOMPLETE_INPUT, f"{self.label}: {problem}. Send less at once.")
                    raise Defect(failure, reason="truncated")


def checked_model(model: str, *, label: str) -> str:
    """The name of a model as it may be sent and stored; raises `InvalidConfig`."""
    name = model.strip() if isinstance(model, str) else ""
    if not name or len(name) > MOST_MODEL_CHARS or not all("!" <= char <= "~" for char in name):
        raise InvalidConfig(
            f"the model of {label} must be a name of 1 to {MOST_MODEL_CHARS} ASCII characters without spaces"
        )
    return name


def usage_of(usage: Any) -> Any:
    """Usage with our spelling of the token counts; what is missing stays missing, what is no object is left to fail."""
    if not isinstance(usage, Mapping):
        return usage
    spelled = {ours: usage[theirs] for theirs, ours in USAGE_NAMES.items() if theirs in usage and ours not in usage}
    return {**usage, **spelled}


def filled(named: Mapping[str, Any], questions: Questions, model: str) -> Unwrapped:
    """Fill what a gateway may leave out: the name of the model, and confidences by the official formula."""
    notes: list[str] = []
    if named["model"] is None:
        named = {**named, "model": model}
        notes.append("the reply names no model; the requested one is noted")
    answers = dict(named["answers"])
    for name, question in questions.items():
        confidence = _missing_confidence(question, answers.get(name))
        if confidence is not None:
            answers[name] = {**answers[name], "confidence": confidence}
            notes.append(f"confidence of {name} computed: the reply has none")
    return Unwrapped({**named, "answers": answers}, tuple(notes))


def _missing_confidence(question: Any, answer: Any) -> float | None:
    """The official confidence of an otherwise valid answer that has none."""
    if not isinstance(answer, Mapping) or answer.get("confidence") is not None:
        return None
    checked = check_answer("", question, {**answer, "confidence": 0.0}, totals=Totals.PER_OPTION).answer
    return None if checked is None or isinstance(checked, NoulAnswer) else computed(checked)


def largest_choice(request: JudgeRequest) -> int:
    """The number of options of the largest choice in a request, 0 without one."""
    return max((len(each.criteria) for each in request.questions.values() if isinstance(each, Choice)), default=0)
