"""Replies that broke other clients, by the number of the public report (judge-api, section 7)."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Spoil = Callable[[Any], Any]
Answer = dict[str, Any]


@dataclass(frozen=True)
class Each:
    """Spoils every answer of a kind."""

    kind: str
    spoil: Callable[[Answer], Any]

    def __call__(self, body: Any) -> Any:
        answers = body["answers"].items()
        changed = {name: self.spoil(answer) if answer["type"] == self.kind else answer for name, answer in answers}
        return {**body, "answers": changed}


@dataclass(frozen=True)
class Report:
    """`spoil` turns a sound reply into the reported one."""

    number: int
    what: str
    spoil: Spoil | Each

    @property
    def kind(self) -> str:
        """The kind of answer that is spoiled; empty where it is the whole reply."""
        return self.spoil.kind if isinstance(self.spoil, Each) else ""

    @property
    def id(self) -> str:
        return f"{self.number}: {self.what}"


def fields(**changed: Any) -> Callable[[Answer], Answer]:
    return lambda answer: {**answer, **changed}


def without(*names: str) -> Callable[[Answer], Answer]:
    return lambda answer: {name: value for name, value in answer.items() if name not in names}


def shares(change: Callable[[dict[str, Any]], dict[Any, Any]]) -> Callable[[Answer], Answer]:
    """The probabilities as `change` leaves them."""
    return lambda answer: {**answer, "probabilities": change(dict(answer["probabilities"]))}


def all_at(value: Any) -> Callable[[Answer], Answer]:
    return shares(lambda sent: dict.fromkeys(sent, value))


def _second(answer: Answer) -> Answer:
    """Names the last label although the first has nearly all."""
    return {**answer, "choice": list(answer["probabilities"])[-1]}


def _scaled(total: float) -> Callable[[Answer], Answer]:
    """The shares of the answer, taken down or up to another total on the largest one."""

    def change(sent: dict[str, Any]) -> dict[Any, Any]:
        top = max(sent, key=lambda label: sent[label])
        return {**sent, top: sent[top] + total - 1}

    return shares(change)


def _composed(answer: Answer) -> Answer:
    def nfc(label: str) -> str:
        return unicodedata.normalize("NFC", label)

    renamed = {nfc(label): share for label, share in answer["probabilities"].items()}
    return {**answer, "choice": nfc(answer["choice"]), "probabilities": renamed}


def _renamed(label: str) -> Callable[[Answer], Answer]:
    """The chosen label under another name, in both places."""

    def change(answer: Answer) -> Answer:
        share = {label if sent == answer["choice"] else sent: p for sent, p in answer["probabilities"].items()}
        return {**answer, "choice": label, "probabilities": share}

    return change


# Each of these answers must be refused, and nothing may be granted because of it.
REFUSED = (
    Report(1, "answers are a list", lambda body: {**body, "answers": []}),
    Report(1, "a negative noul", Each("noul", fields(noul=-1))),
    Report(1, "a property that every object inherits", Each("choice", fields(choice="__class__"))),
    Report(2, "all nouls negative", Each("noul", fields(noul=-0.01))),
    Report(3, "no answers at all", lambda body: {**body, "answers": {}}),
    Report(4, "a label of the prototype", Each("choice", fields(choice="toString"))),
    Report(5, "the choice is not the most probable label", Each("choice", _second)),
    Report(6, "every probability is NaN", Each("choice", all_at(float("nan")))),
    Report(6, "one probability is NaN", Each("choice", shares(lambda sent: {**sent, [*sent][-1]: float("nan")}))),
    Report(6, "a noul is NaN", Each("noul", fields(noul=float("nan")))),
    Report(6, "a score is NaN", Each("score", fields(score=float("nan")))),
    Report(7, "a label is missing", Each("choice", shares(lambda sent: dict([*sent.items()][:-1])))),
    Report(7, "a level is missing", Each("score", shares(lambda sent: dict([*sent.items()][:-1])))),
    Report(8, "a noul of 1.5", Each("noul", fields(noul=1.5))),
    Report(9, "a total of 0.96 without the opt-in", Each("choice", _scaled(0.96))),
    Report(13, "a score beyond the levels", Each("score", fields(score=4.2))),
    Report(14, "a score far from its distribution", Each("score", fields(score=1.9))),
    Report(14, "a legend that is a list", Each("score", fields(legend=["lo"]))),
    Report(23, "independent options at a half", Each("choice", all_at(0.5))),
    Report(23, "independent options at one", Each("choice", all_at(1.0))),
    Report(30, "an answer is absent", lambda body: {**body, "answers": dict([*body["answers"].items()][1:])}),
    Report(31, "confidence is true", Each("choice", fields(confidence=True))),
    Report(31, "confidence is NaN", Each("choice", fields(confidence=float("nan")))),
    Report(31, "confidence is a text", Each("choice", fields(confidence="0.9"))),
    Report(32, "a label that was not sent", Each("choice", _renamed("delete_everything"))),
    Report(33, "the envelope of a gateway", lambda body: {"result": body, "success": True}),
    Report(43, "one answer of another type", Each("choice", fields(type="noul"))),
    Report(45, "a score that is a position", Each("score", fields(score=2, confidence=0.1))),
    Report(53, "answers in a list, by position", lambda body: {**body, "answers": list(body["answers"].values())}),
    Report(58, "a label with a lone surrogate", Each("choice", _renamed("\ud800"))),
    Report(60, "an empty object", lambda body: {}),
    Report(60, "answers are null", lambda body: {**body, "answers": None}),
    Report(60, "no object", lambda body: "upstream error"),
    Report(61, "composed names", Each("choice", _composed)),
)

# These are sound: refusing them lost good answers, or read something into them that is not there.
ACCEPTED = (
    Report(5, "a tie", Each("choice", lambda answer: answer)),
    Report(10, "a total of 0.99", Each("choice", _scaled(0.99))),
    Report(11, "confidence above the peak", Each("choice", fields(confidence=0.97))),
    Report(14, "a legend of another rubric", Each("score", fields(legend={"0": "Everything burns."}))),
    Report(25, "usage under other names", lambda body: {**body, "usage": {"totalTokens": 512}}),
    Report(26, "usage in camel case", lambda body: {**body, "usage": {"inputTokens": 512, "outputTokens": 1}}),
    Report(34, "a total of 1.01", Each("choice", _scaled(1.01))),
    Report(45, "a legend of nulls", Each("score", fields(legend={"0": None, "1": None}))),
    Report(48, "labels in another order", Each("choice", shares(lambda sent: dict(reversed(sent.items()))))),
    Report(48, "answers in another order", lambda body: {**body, "answers": dict(reversed(body["answers"].items()))}),
    Report(49, "a noul with a confidence of null", Each("noul", fields(confidence=None, action="allow"))),
)

STATUS = "a status code or an error body: the HTTP judges"
CACHE = "a cache: the HTTP judges"
SETTING = "a setting, not a reply: tests/policy/engine/test_profile.py"
SENT = "what is sent, not a reply: tests/policy/engine/selection/test_questions.py, test_bounds.py"
SHOWN = "a valid answer: how it is shown and what its figures mean belongs to calibration and pages"
ELSEWHERE = {
    **dict.fromkeys((15, 16, 18, 19, 20, 35, 36, 37, 51), STATUS),
    **dict.fromkeys((17, 24, 42, 55, 56), "the transport: the HTTP judges"),
    **dict.fromkeys((22, 59), CACHE),
    **dict.fromkeys((27, 28), SETTING),
    **dict.fromkeys((21, 50, 52, 54, 57), SENT),
    **dict.fromkeys((38, 39, 40, 41, 44, 46, 47), SHOWN),
    12: "the computed confidence: tests/policy/engine/test_confidence.py",
    29: "the measured probability decides, never the label alone: below in this table's tests",
}
