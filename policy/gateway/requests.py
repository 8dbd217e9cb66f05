"""A body of `POST /v1/systemone` as the vendor's schema has it, and as our engine asks it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NoReturn

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_core import PydanticCustomError

from policy.engine import questions as engine
from policy.engine.bounds import sendable
from policy.engine.judge import JudgeRequest
from policy.gateway.refusals import at, invalid

STAGE = "gateway"
MOST_DEPTH = 64
MOST_QUESTIONS = 2_000
MOST_OPTIONS = 255
LEVELS = (2, 10)
Content = str | dict[str, Any] | list[Any]
# What is asked where the caller leaves it to the criteria; the wire says nothing then.
UNSAID = {
    "noul": "Which of the two descriptions fits?",
    "choice": "Which of these fits best?",
    "score": "Which of these levels fits best?",
}


class Described(BaseModel):
    model_config = ConfigDict(extra="forbid")
    true: Content | None = None
    false: Content | None = None


class Noul(BaseModel):
    type: Literal["noul"]
    instructions: Content | None = None
    criteria: Described | None = None

    @model_validator(mode="after")
    def asks(self) -> Noul:
        """The schema would let a question pass that asks nothing; no judge can answer it."""
        sides = self.criteria and (self.criteria.true or self.criteria.false)
        if not self.instructions and not sides:
            raise PydanticCustomError("missing", "A noul needs instructions, or criteria that describe an outcome")
        return self


class Choice(BaseModel):
    type: Literal["choice"]
    instructions: Content | None = None
    criteria: dict[str, Content | None] = Field(min_length=1, max_length=MOST_OPTIONS)


class Score(BaseModel):
    type: Literal["score"]
    instructions: Content | None = None
    criteria: list[Content] = Field(min_length=LEVELS[0], max_length=LEVELS[1])


class Box(BaseModel):
    type: Literal["box"]

    @model_validator(mode="before")
    @classmethod
    def never(cls, given: Any) -> NoReturn:
        raise PydanticCustomError(
            "unsupported", "A box question needs an image, and no judge here sees any. Ask a noul, choice or score"
        )


Question = Annotated[Noul | Choice | Score | Box, Field(discriminator="type")]


class Body(BaseModel):
    """Unknown fields beside these are ignored, as the vendor does."""

    model: str
    state: Content
    questions: dict[Annotated[str, Field(min_length=1)], Question] = Field(min_length=1, max_length=MOST_QUESTIONS)
    assets: Any = None

    @field_validator("assets")
    @classmethod
    def none_of_them(cls, given: Any) -> None:
        if given is not None:
            raise PydanticCustomError("unsupported", "Images are not taken: no judge here sees any. Leave assets out")


@dataclass(frozen=True, slots=True)
class WireRequest(JudgeRequest):
    """A request that goes on exactly as it came: `state` and `questions` are how our own judges read it."""

    wire: Mapping[str, Any]

    def to_wire(self) -> dict[str, Any]:
        return dict(self.wire)

    def levels(self, question: str) -> list[Any]:
        """The levels of a score as they came."""
        return list(self.wire["questions"][question]["criteria"])

    def in_texts(self) -> WireRequest:
        """The same for a judge whose instructions and criteria must be texts."""
        questions = {name: question.to_wire() for name, question in self.questions.items()}
        return WireRequest(
            self.state, self.questions, self.stage, {"state": self.wire["state"], "questions": questions}
        )


def parse(raw: bytes) -> tuple[str, WireRequest]:
    """The model that is asked for, and the request; raises `Refusal` 422 that names every place at fault."""
    given = _json(raw)
    for name in ("model", "state", "questions"):
        fault = _fault(given.get(name), 0)
        if fault is not None:
            raise at([name, *fault[1]], fault[0], "value_error")
    try:
        body = Body.model_validate(given)
    except ValidationError as error:
        raise invalid(_places(error)) from error
    asked = {name: _known(given["questions"][name], question) for name, question in body.questions.items()}
    return body.model, WireRequest(
        state=_state(given["state"]),
        questions={name: _question(question) for name, question in body.questions.items()},
        stage=STAGE,
        wire={"state": given["state"], "questions": asked},
    )


def _json(raw: bytes) -> dict[str, Any]:
    try:
        given = json.loads(raw.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        position = error.pos if isinstance(error, json.JSONDecodeError) else 0
        said = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise at([position], f"JSON decode error: {said[:200]}", "json_invalid") from error
    if not isinstance(given, dict):
        raise at([], "Input should be a valid dictionary", "dict_type")
    return given


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _fault(value: Any, depth: int) -> tuple[str, list[str | int]] | None:
    """What cannot be sent on or kept, and where: too deep, half a character, a number beyond all numbers."""
    if isinstance(value, str):
        return None if sendable(value) else ("Text must not hold NUL or half of a surrogate pair", [])
    if isinstance(value, float):
        return None if math.isfinite(value) else ("Input should be a finite number", [])
    if not isinstance(value, dict | list):
        return None
    if depth == MOST_DEPTH:
        return f"Nested more than {MOST_DEPTH} levels deep", []
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        fault = _fault(key, depth) or _fault(item, depth + 1)
        if fault is not None:
            return fault[0], [key if not isinstance(key, str) or sendable(key) else "[key]", *fault[1]]
    return None


def _places(error: ValidationError) -> Iterator[dict[str, Any]]:
    for each in error.errors(include_url=False, include_context=False, include_input=False):
        yield {"loc": each["loc"], "msg": each["msg"], "type": each["type"]}


def _known(given: Mapping[str, Any], question: BaseModel) -> dict[str, Any]:
    """A question in its own order without what the schema does not know."""
    return {name: value for name, value in given.items() if name in type(question).model_fields}


def _state(given: Any) -> Mapping[str, Any] | str:
    """A state as our judges read it: a text or an object, and never an empty one."""
    return given if given and isinstance(given, str | dict) else {"state": given}


def _question(question: Noul | Choice | Score | Box) -> engine.Question:
    match question:
        case Noul(criteria=sides):
            true, false = (sides.true, sides.false) if sides else (None, None)
            return engine.Noul(_asked(question), true=_or_none(true), false=_or_none(false))
        case Choice():
            return engine.Choice(_asked(question), {label: _or_none(told) for label, told in question.criteria.items()})
        case Score():
            return engine.Score(_asked(question), tuple(text(level) for level in question.criteria))
    raise AssertionError("a box is refused before")


def _asked(question: Noul | Choice | Score) -> str:
    said = text(question.instructions)
    return said if said.strip() else UNSAID[question.type]


def _or_none(value: Content | None) -> str | None:
    return None if value is None else text(value)


def text(value: Any) -> str:
    """An object or list as lines: `key: text` for what has a name, one line for each entry of a list."""
    return value if isinstance(value, str) else "\n".join(_lines(value))


def _lines(value: Any, name: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _lines(item, str(key))
    elif isinstance(value, list):
        for item in value:
            yield from _lines(item, name)
    elif value is not None:
        said = value if isinstance(value, str) else json.dumps(value)
        yield f"{name}: {said}" if name else said
