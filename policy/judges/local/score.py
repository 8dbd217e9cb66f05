"""Readout of a score: the expected level under a softmax over closeness to the level texts.

Nothing of that is fitted, so it is marked uncalibrated. A host that has labelled texts can put them into the state:

    "examples": [{"question": "<instructions>", "text": "...", "level": 2}, ...]

Those whose `question` is the instructions of the score make a small head: the levels of the examples that are near,
each weighed by its nearness. They are part of the state, so every judge gets them and every digest covers them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from policy.engine.questions import Score
from policy.judges.local import text
from policy.judges.local.bm25 import overlap
from policy.judges.local.numbers import score_confidence, six_decimals, softmax
from policy.judges.local.reading import Offer, Reading, lines

NEAR_SLOPE = 0.4
OVERLAP_SLOPE = 2.0
# Fewer examples say less than the level texts do.
LEAST_EXAMPLES = 6
MOST_EXAMPLES = 64
# One pseudo-example a level: a level without examples stays possible.
PRIOR = 0.5


@dataclass(frozen=True, slots=True)
class Example:
    text: str
    level: int


def examples_of(question: Score, state: Mapping[str, Any] | str) -> list[Example]:
    """The labelled texts that a state carries for this question, at most `MOST_EXAMPLES`; others are ignored.

    Fewer than `LEAST_EXAMPLES`, or of a single level, are none.
    """
    given = state.get("examples") if isinstance(state, Mapping) else None
    rows = [row for row in given if isinstance(row, Mapping)] if isinstance(given, list | tuple) else []
    found = [
        Example(row["text"][: text.MAX_CHARS], row["level"])
        for row in rows
        if row.get("question") == question.instructions and _usable(row, len(question.levels))
    ][:MOST_EXAMPLES]
    enough = len(found) >= LEAST_EXAMPLES and len({example.level for example in found}) > 1
    return found if enough else []


def answer_score(question: Score, reading: Reading, examples: Sequence[Example]) -> dict[str, Any]:
    """The wire answer: `score` is the sum of level times reported probability."""
    logits = _by_example(question, reading, examples) if examples else _by_level(question, reading)
    distribution = softmax(logits)
    reported = six_decimals(distribution)
    return {
        "type": "score",
        "score": round(sum(level * share for level, share in enumerate(reported)), 6),
        "probabilities": {str(level): share for level, share in enumerate(reported)},
        "confidence": score_confidence(distribution),
        "legend": {str(level): told for level, told in enumerate(question.levels)},
    }


def _by_level(question: Score, reading: Reading) -> list[float]:
    matches = [reading.best([Offer.line(line) for line in lines(level) or [level]]) for level in question.levels]
    return [NEAR_SLOPE * match.near + OVERLAP_SLOPE * match.overlap for match in matches]


def _by_example(question: Score, reading: Reading, examples: Sequence[Example]) -> list[float]:
    """Per level the log of its examples' weights; the nearest example weighs one."""
    closeness = _closeness(reading, examples)
    nearest = max(closeness)
    weights = [PRIOR] * len(question.levels)
    for example, close in zip(examples, closeness, strict=True):
        weights[example.level] += math.exp(close - nearest) * len(examples) ** 0.5
    return [math.log(weight) for weight in weights]


def _closeness(reading: Reading, examples: Sequence[Example]) -> list[float]:
    said = " ".join(reading.wholes)
    shared = [OVERLAP_SLOPE * overlap(text.stems(said), text.stems(example.text)) for example in examples]
    if reading.comparer is None:
        return shared
    passages = [text.plain(example.text) for example in examples]
    rows = reading.comparer.nearness([text.plain(said)], passages, centre=reading.centre, deadline=reading.deadline)
    return [NEAR_SLOPE * row[0] + share for row, share in zip(rows, shared, strict=True)]


def _usable(row: Mapping[str, Any], levels: int) -> bool:
    level, told = row.get("level"), row.get("text")
    return type(level) is int and 0 <= level < levels and isinstance(told, str) and bool(told.strip())
