"""What a router answered: read from a judge's reply, and usable only if it keeps every rule (seed 002)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from policy.engine.plain import is_number, is_record, is_unit
from policy.engine.routing.questions import QUESTION_ID, RoutingRequest

SUM_TOLERANCE = 1e-6
MAX_SAFE_INTEGER = 2**53 - 1


@dataclass(frozen=True, slots=True)
class Evidence:
    """A valid distribution over the options, with the numbers as they were given."""

    model: str
    choice: str
    confidence: float
    probabilities: Mapping[str, float]

    def to_json(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "choice": self.choice,
            "confidence": self.confidence,
            "probabilities": dict(self.probabilities),
        }


@dataclass(frozen=True, slots=True)
class Reply:
    """The part of a judge's reply that routing looks at: unchecked evidence and token counts, None where unusable."""

    evidence: dict[str, Any] | None
    input_tokens: int | None
    output_tokens: int | None


@dataclass(frozen=True, slots=True)
class Structure:
    """What is wrong with an answer, in numbers and booleans only: it may be logged where the answer may not."""

    model_matches: bool
    answer_type_matches: bool
    confidence_valid: bool
    missing_options: int
    unexpected_options: int
    probability_sum: float | None
    choice_in_set: bool
    leading_choice: bool


def read_reply(body: object) -> Reply:
    """Map a reply to evidence: only a choice about the tool is one. Each token count is unknown on its own."""
    given: dict[str, Any] = body if is_record(body) else {}
    answers, usage = given.get("answers"), given.get("usage")
    answer = answers.get(QUESTION_ID) if is_record(answers) else None
    evidence = None
    if is_record(answer) and answer.get("type") == "choice":
        evidence = {"model": given.get("model")}
        evidence |= {name: answer.get(name) for name in ("choice", "confidence", "probabilities")}
    counts = usage if is_record(usage) else {}
    return Reply(evidence, _count(counts.get("input_tokens")), _count(counts.get("output_tokens")))


def checked(value: object, request: RoutingRequest) -> Evidence | None:
    """The evidence if every rule holds, None otherwise; nothing is normalised and further fields are not read."""
    if not is_record(value):
        return None
    found = structure(value, request)
    sound = (
        found.model_matches
        and found.confidence_valid
        and found.missing_options == found.unexpected_options == 0
        and found.probability_sum is not None
        and abs(found.probability_sum - 1) <= SUM_TOLERANCE
        and found.choice_in_set
        and found.leading_choice
    )
    if not sound:
        return None
    shares = MappingProxyType({option: value["probabilities"][option] for option in request.option_ids})
    return Evidence(value["model"], value["choice"], value["confidence"], shares)


def structure(value: object, request: RoutingRequest) -> Structure:
    """Look at evidence without repeating any of its texts."""
    given: dict[str, Any] = value if is_record(value) else {}
    ids = request.option_ids
    shares = given.get("probabilities")
    known: dict[str, Any] = shares if is_record(shares) else {}
    model, choice = given.get("model"), given.get("choice")
    in_set = type(choice) is str and choice in ids
    whole = all(is_unit(known.get(option)) for option in ids)
    return Structure(
        model_matches=type(model) is str and bool(model) and request.model in (None, model),
        answer_type_matches=is_record(value),
        confidence_valid=is_unit(given.get("confidence")),
        missing_options=sum(option not in known for option in ids),
        unexpected_options=sum(option not in ids for option in known),
        probability_sum=_sum(known, ids) if whole else None,
        choice_in_set=in_set,
        leading_choice=in_set and whole and known[str(choice)] == max(known[option] for option in ids),
    )


def _sum(shares: dict[str, Any], ids: tuple[str, ...]) -> float:
    """Left to right in plain binary64, as every other implementation adds."""
    total = 0.0
    for option in ids:
        total += shares[option]
    return total


def _count(value: object) -> int | None:
    return int(value) if is_number(value) and 0 <= value <= MAX_SAFE_INTEGER and value == int(value) else None
