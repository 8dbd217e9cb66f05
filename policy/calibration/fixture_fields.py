"""The fields of a fixture: what each may hold, and a sentence with the mend where it does not."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from policy.calibration.fixtures import Kind, Split
from policy.engine.arguments import RULE as MISSING_ARGUMENT
from policy.engine.assessment.records import Rule
from policy.engine.bounds import clean_text

MOST_CHARS = 100_000
MOST_NAME = 200
ROUTES = ("fast", "balanced", "reasoning")


class Wrong(ValueError):
    """A value that cannot be used: `where` is its field, with dots for what lies inside."""

    def __init__(self, where: str, said: str) -> None:
        super().__init__(said)
        self.where = where


Check = Callable[[str, Any], Any]


@dataclass(frozen=True, slots=True)
class Field:
    check: Check
    required: bool = False


def text(most: int = MOST_CHARS, *, blank: bool = False) -> Check:
    """A text of at most so many code points; `blank` allows an empty one."""

    def check(where: str, value: Any) -> str:
        if not isinstance(value, str):
            raise Wrong(where, f"must be a text in quotes; it is {named(value)}")
        if not blank and not value.strip():
            raise Wrong(where, "is empty; write a text or leave the field out")
        if len(value) > most:
            raise Wrong(where, f"has {len(value)} characters; shorten it to {most}")
        if clean_text(value).lost:
            raise Wrong(where, "holds characters that cannot be stored (NUL or half a surrogate pair); remove them")
        return value

    return check


def one_of(*allowed: str) -> Check:
    def check(where: str, value: Any) -> str:
        if value not in allowed or not isinstance(value, str):
            raise Wrong(where, f"is {value!r:.60}; use one of: {', '.join(allowed)}")
        return value

    return check


def truth(where: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise Wrong(where, f"must be true or false; it is {named(value)}")
    return value


def whole(where: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise Wrong(where, f"must be a whole number, 0 or more; it is {value!r:.40}")
    return value


def share(where: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise Wrong(where, f"must be a probability from 0 to 1; it is {value!r:.40}")
    return float(value)


def number(where: str, value: Any) -> int | float:
    """Any number of JSON, which is finite; fixtures of the reference have fractions, too."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Wrong(where, f"must be a number; it is {named(value)}")
    return value


def anything(where: str, value: Any) -> Any:
    return value


def free_object(where: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise Wrong(where, f"must be an object in braces; it is {named(value)}")
    return dict(value)


def state(where: str, value: Any) -> dict[str, Any] | str:
    return value if isinstance(value, str) else free_object(where, value)


def list_of(check: Check, *, least: int = 0) -> Check:
    def checked(where: str, value: Any) -> list[Any]:
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise Wrong(where, f"must be a list in brackets; it is {named(value)}")
        if len(value) < least:
            raise Wrong(where, f"needs at least {least} entry")
        return [check(f"{where}[{place}]", item) for place, item in enumerate(value)]

    return checked


def record(fields: Mapping[str, Field]) -> Check:
    """An object with these fields and no others, given back in their order."""

    def check(where: str, value: Any) -> dict[str, Any]:
        given = free_object(where, value)
        for key in given:
            if key not in fields:
                raise Wrong(f"{where}.{key}", unknown(key, fields))
        for name, field in fields.items():
            if field.required and name not in given:
                raise Wrong(f"{where}.{name}", "is missing; add it")
        return {
            name: field.check(f"{where}.{name}", given[name])
            for name, field in fields.items()
            if name in given and (given[name] is not None or field.required)
        }

    return check


def unknown(key: str, known: Mapping[str, Any]) -> str:
    """The sentence for a field that does not exist, with the one that was probably meant."""
    near = difflib.get_close_matches(key, known, n=1)
    meant = f"did you mean {near[0]}?" if near else f"known fields are {', '.join(known)}"
    return f"is no field of this kind; {meant}"


def named(value: Any) -> str:
    """What kind of JSON value this is, in a word."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    names = ((str, "a text"), (int | float, "a number"), (Mapping, "an object"), (Sequence, "a list"))
    return next((word for kind, word in names if isinstance(value, kind)), type(value).__name__)


def _routes(where: str, value: Any) -> dict[str, Any]:
    given = free_object(where, value)
    for name in given:
        if name not in ROUTES:
            raise Wrong(f"{where}.{name}", f"is no class of models; use {', '.join(ROUTES)}")
    return {name: None if each is None else _ROUTE(f"{where}.{name}", each) for name, each in given.items()}


def _question(where: str, value: Any) -> Any:
    if isinstance(value, str):
        return text(MOST_NAME)(where, value)
    given = free_object(where, value)
    kind = one_of("noul", "choice", "score")(f"{where}.type", given.get("type"))
    checked: dict[str, Any] = _QUESTIONS[kind](where, given)
    return checked


def _options(where: str, value: Any) -> dict[str, Any]:
    given = free_object(where, value)
    if not given:
        raise Wrong(where, "needs at least one label")
    for label, about in given.items():
        text(MOST_NAME)(f"{where}: a label", label)
        if about is not None:
            text(blank=True)(f"{where}.{label}", about)
    return given


_NAME = text(MOST_NAME)
_TEXT = text()
_CANDIDATE = record(
    {
        "id": Field(text(MOST_NAME, blank=True), required=True),
        "categories": Field(list_of(_NAME), required=True),
        "description": Field(text(blank=True)),
        "restricted": Field(truth),
        "priority": Field(number),
    }
)
_CATEGORY = record({"id": Field(_NAME, required=True), "description": Field(text(blank=True))})
_SKILL = record(
    {
        "name": Field(text(MOST_NAME * 2, blank=True), required=True),
        "description": Field(text(blank=True)),
        "whenToUse": Field(text(blank=True)),
    }
)
_TARGET = {"provider": Field(_NAME, required=True), "model": Field(_NAME, required=True)}
_ROUTE = record({**_TARGET, "description": Field(text(blank=True))})
_TYPE = Field(_NAME, required=True)
_QUESTIONS: Mapping[str, Check] = {
    "noul": record(
        {
            "type": _TYPE,
            "instructions": Field(_TEXT, required=True),
            "criteria": Field(record({"true": Field(text(blank=True)), "false": Field(text(blank=True))})),
        }
    ),
    "choice": record(
        {"type": _TYPE, "instructions": Field(_TEXT, required=True), "criteria": Field(_options, required=True)}
    ),
    "score": record(
        {"type": _TYPE, "instructions": Field(_TEXT, required=True), "criteria": Field(list_of(_TEXT, least=2), True)}
    ),
}

_HEAD = {"id": Field(_NAME, required=True), "lang": Field(text(20)), "kind": Field(one_of(*Kind), required=True)}
_TASK = {"task": Field(_TEXT, required=True), "step": Field(_TEXT)}
_FOOT = {
    "answers": Field(free_object),
    "reason": Field(text(blank=True)),
    "tags": Field(list_of(_NAME)),
    "split": Field(one_of(*Split)),
    "family": Field(_NAME),
}


def _expect(statuses: tuple[str, ...], **more: Check) -> dict[str, Field]:
    fields = {"status": Field(one_of(*statuses), required=True)} | {name: Field(check) for name, check in more.items()}
    return {"expect": Field(record(fields), required=True)}


FIELDS: Mapping[Kind, Mapping[str, Field]] = {
    Kind.SELECTION: {
        **_HEAD,
        **_TASK,
        "candidates": Field(list_of(_CANDIDATE), required=True),
        "categories": Field(list_of(_CATEGORY)),
        "maxSelected": Field(whole),
        **_expect(
            ("selected", "abstained", "fallback"),
            selected=list_of(_NAME),
            restrictedNeverSent=list_of(_NAME),
            outcome=one_of("selected", "needs_clarification", "no_match", "unavailable"),
        ),
        **_FOOT,
    },
    Kind.ASSESSMENT: {
        **_HEAD,
        **{name: Field(text(MOST_NAME, blank=True)) for name in ("suite", "label")},
        "consequence": Field(one_of("benign", "unsafe", "needs-approval", "incomplete")),
        "incident": Field(truth),
        "scope": Field(one_of("explicit", "missing", "none")),
        **_TASK,
        "toolId": Field(_NAME, required=True),
        "arguments": Field(anything, required=True),
        "restrictions": Field(list_of(_TEXT)),
        "schema": Field(free_object),
        "includeRiskScore": Field(truth),
        **_expect(
            ("allow", "ask", "hold", "deny"),
            executed=truth,
            incomplete=truth,
            argumentsTruncated=truth,
            rule=one_of(*Rule, MISSING_ARGUMENT),
        ),
        **_FOOT,
    },
    Kind.SKILL: {
        **_HEAD,
        **_TASK,
        "candidates": Field(list_of(_SKILL), required=True),
        **_expect(("selected", "none", "fallback"), skill=_NAME),
        **_FOOT,
    },
    Kind.MODEL_ROUTE: {
        **_HEAD,
        **_TASK,
        "routes": Field(_routes, required=True),
        "defaultTarget": Field(record(_TARGET), required=True),
        "available": Field(list_of(record(_TARGET)), required=True),
        **_expect(("routed", "fallback"), route=one_of(*ROUTES)),
        **_FOOT,
    },
    Kind.GENERIC: {
        **_HEAD,
        "state": Field(state),
        "question": Field(_question),
        "probability": Field(share),
        "label": Field(anything, required=True),
        **_FOOT,
    },
}
