"""What a routing costs once the descriptions are known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from policy.engine import drive
from policy.engine.selection import Candidate, Category, Outcome, select_tools
from policy.judges.local import LocalJudge, profile, text, vectors
from policy.judges.local.text import merged

pytest.importorskip("numpy")
import numpy as np

TASK = (
    "Find the parcel of Ms. Lund, tell her when it arrives, note that in her file, order a new label, "
    "and put a reminder for Friday into the calendar. Then close the ticket and thank the driver."
)
TOOLS = [Candidate(f"tool_{n}", (f"room_{n % 12}",), f"Does thing number {n} for the house.") for n in range(120)]


class CountingModel:
    """Stands for the model: counts what it is asked for, and answers with unit vectors of no meaning."""

    def __init__(self) -> None:
        self.queries: list[str] = []
        self.passages: list[str] = []

    def query(self, texts: list[str]) -> Any:
        self.queries += texts
        return self._rows(texts)

    def passage(self, texts: list[str]) -> Any:
        self.passages += texts
        return self._rows(texts)

    def _rows(self, texts: list[str]) -> Any:
        rows = np.zeros((len(texts), vectors.DIMENSIONS), dtype=np.float32)
        rows[np.arange(len(texts)), [sum(map(ord, each)) % vectors.DIMENSIONS for each in texts]] = 1.0
        return rows


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> CountingModel:
    counting = CountingModel()
    monkeypatch.setattr(vectors, "_load", lambda threads: counting)
    monkeypatch.setattr("policy.judges.local.judge.unavailable_reason", lambda: None)
    return counting


def _route(judge: LocalJudge, task: str) -> Outcome:
    rooms = [Category(f"room_{n}", f"Things of room {n}.") for n in range(12)]
    steps = select_tools(
        task=task, candidates=TOOLS, categories=rooms, profile=profile.fitted(), ask_first=True, member_lines=True
    )
    return drive.run(steps, judge, budget_ms=60_000).outcome


def test_a_routing_over_120_known_tools_embeds_at_most_three_texts(model: CountingModel, tmp_path: Path) -> None:
    assert _route(LocalJudge(cache_dir=tmp_path), "Look after the house.") is not Outcome.UNAVAILABLE
    model.passages.clear()
    model.queries.clear()
    assert _route(LocalJudge(cache_dir=tmp_path), TASK) is not Outcome.UNAVAILABLE
    assert 1 <= len(model.queries) <= text.MAX_VECTORS == 3
    assert model.passages == []


def test_clauses_are_put_together_and_none_is_lost() -> None:
    assert merged(("a", "b", "c", "d", "e"), 2) == ("a, b", "c, d, e")
    assert merged(("a", "b"), 2) == ("a", "b")
    assert merged((), 1) == ()
