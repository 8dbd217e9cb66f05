"""What the scripted router answers: weights by tool (seed 002, demonstration scenarios). No label is in here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from policy.engine.failures import Failure, FailureCode
from policy.engine.routing import CLARIFICATION_ID
from policy.judges.scripted import Script


@dataclass(frozen=True, slots=True)
class Weights:
    """One scripted answer to a case. The mass of a tool that is not offered goes to its stand-in, else to asking back.

    `fails` plays an outage, `outside` an answer that names a tool nobody offered.
    """

    name: str
    case: str
    shares: Mapping[str, float] = field(default_factory=dict)
    confidence: float = 0.9
    stand_ins: Mapping[str, str] = field(default_factory=dict)
    fails: bool = False
    outside: bool = False


SCRIPTS = (
    Weights(
        "read",
        "read",
        {"read_file": 0.46, "inspect_agent": 0.5, "propose_patch": 0.01, CLARIFICATION_ID: 0.03},
        stand_ins={"read_file": "inspect_agent", "inspect_agent": "read_file"},
    ),
    Weights("patch", "patch", {"read_file": 0.03, "inspect_agent": 0.04, "propose_patch": 0.9, CLARIFICATION_ID: 0.03}),
    Weights(
        "inspect",
        "inspect",
        {"read_file": 0.1, "inspect_agent": 0.84, "propose_patch": 0.03, CLARIFICATION_ID: 0.03},
        confidence=0.85,
    ),
    Weights("ambiguous", "ambiguous", {CLARIFICATION_ID: 1.0}, confidence=0.95),
    Weights(
        "uncertain",
        "ambiguous",
        {"read_file": 0.4, "inspect_agent": 0.3, "propose_patch": 0.2, CLARIFICATION_ID: 0.1},
        confidence=0.3,
    ),
    Weights("outage", "read", fails=True),
    Weights("invalid", "read", {"read_file": 1.0}, outside=True),
)


def script(weights: Weights, options: Sequence[str]) -> Script:
    """The script of the judge for these offered options, asking back among them."""
    if weights.fails:
        return Script(error=Failure(FailureCode.SERVER, "the script plays an outage"))
    shares = distribution(weights, options)
    choice = "hidden" if weights.outside else max(options, key=lambda option: shares[option])
    answer: dict[str, Any] = {"choice": choice, "confidence": weights.confidence, "probabilities": shares}
    return Script({"tool": {"choice": answer}}, usage=None)


def distribution(weights: Weights, options: Sequence[str]) -> dict[str, float]:
    """The shares over the options; where nothing is left of them, asking back has all."""
    shares = dict.fromkeys(options, 0.0)
    for tool, share in weights.shares.items():
        stand_in = weights.stand_ins.get(tool, CLARIFICATION_ID)
        heir = tool if tool in shares else stand_in if stand_in in shares else CLARIFICATION_ID
        shares[heir] += share
    return shares if any(shares.values()) else shares | {CLARIFICATION_ID: 1.0}
