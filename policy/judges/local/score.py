"""Readout of a score: the expected level under a softmax over closeness to the level texts. Nothing of it is fitted."""

from __future__ import annotations

from typing import Any

from policy.engine.questions import Score
from policy.judges.local.numbers import score_confidence, six_decimals, softmax
from policy.judges.local.reading import Offer, Reading, lines

NEAR_SLOPE = 0.4
OVERLAP_SLOPE = 2.0


def answer_score(question: Score, reading: Reading) -> dict[str, Any]:
    """The wire answer: `score` is the sum of level times reported probability."""
    matches = [reading.best([Offer.line(line) for line in lines(level) or [level]]) for level in question.levels]
    distribution = softmax([NEAR_SLOPE * match.near + OVERLAP_SLOPE * match.overlap for match in matches])
    reported = six_decimals(distribution)
    return {
        "type": "score",
        "score": round(sum(level * share for level, share in enumerate(reported)), 6),
        "probabilities": {str(level): share for level, share in enumerate(reported)},
        "confidence": score_confidence(distribution),
        "legend": {str(level): text for level, text in enumerate(question.levels)},
    }
