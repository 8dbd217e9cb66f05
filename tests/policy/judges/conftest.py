"""One judge with vectors for all tests here, and one that compares words only."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.questions import Question
from policy.judges.local import LocalJudge
from policy.judges.local.vectors import unavailable_reason

Ask = Callable[..., Any]


@pytest.fixture(scope="session")
def judge(vectors: Path) -> LocalJudge:
    if reason := unavailable_reason():
        pytest.skip(reason)
    return LocalJudge(cache_dir=vectors)


@pytest.fixture
def words() -> LocalJudge:
    return LocalJudge(lexical_only=True)


def ask(judge: LocalJudge, state: dict[str, Any] | str, **questions: Question) -> JudgeReply:
    return judge.ask(JudgeRequest(state, questions, "test"), timeout_s=60)


def answer(judge: LocalJudge, state: dict[str, Any] | str, question: Question) -> dict[str, Any]:
    answers: dict[str, Any] = ask(judge, state, asked=question).body["answers"]
    answered: dict[str, Any] = answers["asked"]
    return answered
