"""What the questions about a tool call weigh, measured on the call and the state that it stands in."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from policy.engine.redaction import REDACTED
from policy.judges.local import text, verbs
from policy.judges.local.bm25 import letter_overlap, overlap
from policy.judges.local.calls import Call
from policy.judges.local.lexicon import BLANK
from policy.judges.local.reading import Reading
from policy.judges.local.vagueness import features as told
from policy.judges.local.verbs import Deed

MOST = 3

_BRACKETS = re.compile(r"^[<\[{(].*[>\]})]$")

VIOLATES = ("observe", "remove", "named", "near", "rule_met", "call_met", "letters")
MISSING = ("blank", "given", "near", "met", "pointing", "content")
MATCHES = ("near", "met", "letters", "agreement")


def violates(call: Call, reading: Reading) -> dict[str, float]:
    """How close the call comes to the nearest rule, and what it does; rules are read by their words, not obeyed."""
    near = _nearest(reading, call.rules, call.said)
    said = text.stems(call.said)
    rules = [text.stems(rule) for rule in call.rules]
    deeds = call.deeds
    return {
        "observe": float(bool(deeds) and deeds <= {Deed.OBSERVE}),
        "remove": float(Deed.REMOVE in deeds),
        "named": float(any((deeds - {Deed.OBSERVE}) & verbs.all_of(rule) for rule in call.rules)),
        "near": near,
        "rule_met": max((overlap(rule, said) for rule in rules), default=0.0),
        "call_met": max((overlap(said, rule) for rule in rules), default=0.0),
        "letters": max((letter_overlap(rule, call.said) for rule in call.rules), default=0.0),
    }


def missing(call: Call, reading: Reading) -> dict[str, float]:
    """Empty or stand-in values, how many were given, and how much the task itself says."""
    task = " ".join(reading.wholes)
    asked = told(task)
    return {
        "blank": float(min(MOST, sum(blank(value) for value in call.values))),
        "given": math.log1p(sum(not blank(value) for value in call.values)),
        "near": _nearest(reading, reading.wholes, call.said),
        "met": overlap(_value_stems(call), text.stems(task)),
        "pointing": asked["pointing"],
        "content": asked["content"],
    }


def matches(call: Call, reading: Reading) -> dict[str, float]:
    """How close the call comes to the task in meaning, words and kind of deed."""
    task = " ".join(reading.wholes)
    clauses = [verbs.of_clause(clause) for clause in reading.clauses or reading.wholes]
    return {
        "near": _nearest(reading, reading.wholes, call.said),
        "met": overlap(text.stems(task), text.stems(call.said)),
        "letters": letter_overlap(task, call.said),
        "agreement": verbs.agreement(clauses, verbs.of_offer(call.tool)),
    }


def blank(value: str) -> bool:
    """Whether a value seems to stand for one that nobody gave: empty, `TODO`, `<id>`, `???`; a redacted one was given.

    Wider than `policy.engine.arguments.placeholder`, which decides: this only weighs, in two languages.
    """
    bare = value.strip()
    return bare != REDACTED and (
        not text.words(bare) or bool(_BRACKETS.match(bare)) or all(word in BLANK for word in text.words(bare))
    )


def _value_stems(call: Call) -> list[str]:
    return [stem for value in call.values for stem in text.stems(value)]


def _nearest(reading: Reading, queries: Sequence[str], passage: str) -> float:
    if reading.comparer is None or not queries:
        return 0.0
    plain = [text.plain(query) for query in queries]
    rows = reading.comparer.nearness(plain, [text.plain(passage)], centre=reading.centre, deadline=reading.deadline)
    return max(rows[0])
