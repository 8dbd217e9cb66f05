"""A measured set of calls whose answers stand in its rows, and one of somebody's logged probabilities."""

from __future__ import annotations

import html
import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from policy.measurements.models import FixtureSet, Measurement
from tests.policy.measurements.conftest import Row, call, measure, scripted, taken

__all__ = ["measure", "scripted", "taken"]

LABELS = ("deny", "ask", "allow", "allow")


def calls(number: int, *, seed: int = 4) -> list[Row]:
    """Assessments that a good judge answers, with some noise; two decimals."""
    rng = random.Random(seed)

    def near(value: float) -> dict[str, Any]:
        return {"noul": round(min(max(rng.gauss(value, 0.18), 0), 1), 2)}

    rows = []
    for place in range(number):
        label = LABELS[place % len(LABELS)]
        answers = {
            "violates_restriction": near(0.8 if label == "deny" else 0.2),
            "missing_information": near(0.75 if label == "ask" else 0.2),
            "matches_task": near(0.85),
        }
        # Words of its own: near-duplicates would be one family, and one family says nothing of unseen cases.
        words = " ".join(f"{word}{place}" for word in ("north", "south", "east", "west"))
        rows.append(call(f"call-{place:03}", label, task=words, answers=answers, reason="because"))
    return rows


def logged(number: int) -> list[Row]:
    """Rows of one's own: a probability and whether it was so."""
    rng = random.Random(7)
    return [
        {
            "id": f"row-{place:03}",
            "kind": "generic",
            "question": "Is it spam?",
            "probability": round(min(max(rng.gauss(0.7 if place % 2 else 0.3, 0.2), 0), 1), 2),
            "label": bool(place % 2),
        }
        for place in range(number)
    ]


@pytest.fixture
def measured(
    taken: Callable[..., FixtureSet], measure: Callable[..., Measurement], scripted: Callable[..., Any]
) -> Callable[..., Measurement]:
    """`measured(calls(80))` is a set of these rows, measured with the answers in them."""

    def run(rows: list[Row], **terms: Any) -> Measurement:
        return measure(taken(*rows), **terms)

    return run


def text_of(response: Any) -> str:
    """What a reader sees, entities and white space aside."""
    words = re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", response.content.decode(), flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(words)).replace("\N{NARROW NO-BREAK SPACE}", " ")
