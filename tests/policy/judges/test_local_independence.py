"""An answer depends on the state and its own question only."""

from __future__ import annotations

import random
import threading

from policy.engine.questions import Question
from policy.judges.local import LocalJudge
from tests.policy.judges.conftest import answer, ask
from tests.policy.judges.menus import ALL_KINDS, DRY_LAWN, GARDEN, PICK, relevance


def _thirty_two() -> dict[str, Question]:
    more: dict[str, Question] = {f"rel_{number}": relevance(f"{GARDEN}\nShelf {number}.") for number in range(27)}
    return {**ALL_KINDS, **more}


def test_asked_alone_or_with_others_in_any_order_the_answer_is_the_same(judge: LocalJudge) -> None:
    questions = _thirty_two()
    names = list(questions)
    together = ask(judge, DRY_LAWN, **questions).body["answers"]
    random.Random(1).shuffle(names)
    shuffled = ask(judge, DRY_LAWN, **{name: questions[name] for name in names}).body["answers"]
    assert len(together) == 32
    assert shuffled == together == {name: answer(judge, DRY_LAWN, questions[name]) for name in questions}


def test_a_question_id_does_not_change_its_answer(judge: LocalJudge) -> None:
    answers = ask(judge, DRY_LAWN, pick=PICK, __other=PICK).body["answers"]
    assert answers["pick"] == answers["__other"]


def test_a_judge_without_cached_vectors_answers_the_same(judge: LocalJudge) -> None:
    assert ask(LocalJudge(), DRY_LAWN, **ALL_KINDS).body == ask(judge, DRY_LAWN, **ALL_KINDS).body


def test_threads_that_ask_at_once_get_the_answers_of_one(judge: LocalJudge) -> None:
    fresh, found = LocalJudge(), []
    threads = [threading.Thread(target=lambda: found.append(ask(fresh, DRY_LAWN, **ALL_KINDS).body)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [ask(judge, DRY_LAWN, **ALL_KINDS).body] * 4
