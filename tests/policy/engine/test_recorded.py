"""Every complete recorded answer of a real judge meets the contract, and of every partial one its distribution."""

from __future__ import annotations

import copy
import math
from typing import Any

import pytest

from policy.engine.answer_checks import check_answer
from policy.engine.answers import ChoiceAnswer, ScoreAnswer
from policy.engine.contract import validate
from tests.policy.engine import recorded
from tests.policy.engine.recorded import Recorded

pytestmark = pytest.mark.skipif(not recorded.FOLDER.is_dir(), reason="recorded answers are not part of this checkout")


@pytest.fixture(scope="module")
def found() -> list[Recorded]:
    return recorded.answers()


def test_every_complete_answer_is_valid_and_validation_is_a_fixed_point(
    found: list[Recorded], notes: dict[str, str]
) -> None:
    complete = [each for each in found if each.complete]
    for each in complete:
        before = copy.deepcopy(each.answer)
        once = check_answer(each.source, each.question, each.answer)
        assert once.answer is not None, (each, once.violations)
        assert check_answer(each.source, each.question, once.answer.to_json()) == once
        assert each.answer == before
    notes["complete recorded answers, all valid"] = str(len(complete))
    assert len(complete) > 400


def test_of_every_partial_answer_the_distribution_is_valid(found: list[Recorded], notes: dict[str, str]) -> None:
    partial = [each for each in found if not each.complete]
    for each in partial:
        checked = check_answer(each.source, each.question, each.completed())
        assert checked.violations == (), each
        _adds_to_one(checked.answer)
    notes["partial recorded answers, each distribution valid"] = str(len(partial))
    assert len(partial) > 100


def test_no_recorded_answer_is_overlooked(found: list[Recorded]) -> None:
    """Counted on the text: every noul, every `p` and every distribution is one of the answers."""
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(recorded.FOLDER.rglob("*.json*")))
    nouls = text.count('"noul": 0') + text.count('"noul": 1') + text.count('"p": ')
    bare = 2  # the two orders of one ticket, published without the word
    assert len(found) == nouls + text.count('"probabilities": {') + bare


def test_every_recorded_reply_is_valid_as_a_whole(notes: dict[str, str]) -> None:
    replies = recorded.replies()
    for reply in replies:
        questions = {name: Recorded("", answer).question for name, answer in reply["answers"].items()}
        checked = validate(reply, questions)
        assert checked.violations == ()
        assert checked.usage.input_tokens == reply["usage"]["input_tokens"]
    notes["recorded replies, all valid as a whole"] = str(len(replies))
    assert len(replies) > 30


def test_the_two_totals_of_99_hundredths_are_divided_and_kept(found: list[Recorded]) -> None:
    short = [each for each in found if not math.isclose(sum(each.answer.get("probabilities", {"": 1}).values()), 1)]
    assert len(short) == 2
    for each in short:
        checked = check_answer("it", each.question, each.completed()).answer
        assert isinstance(checked, ChoiceAnswer)
        assert checked.raw_probabilities == each.answer["probabilities"]
        _adds_to_one(checked)


@pytest.mark.parametrize(("more", "fine"), [(0, True), (0.02, True), (-0.01, False), (0.03, False)])
def test_totals_of_98_and_102_hundredths_are_refused(found: list[Recorded], more: float, fine: bool) -> None:
    """Made of the recorded ones: 0.99 and 1.01 are inside, 0.98 and 1.02 are not."""
    short = next(each for each in found if "shuffled-probe" in each.source)
    answer = short.completed()
    top = answer["choice"]
    answer["probabilities"] = {**answer["probabilities"], top: round(answer["probabilities"][top] + more, 2)}
    assert (check_answer("it", short.question, answer).violations == ()) == fine


def test_the_live_score_of_the_seed_is_valid_with_a_confidence_above_its_peak(found: list[Recorded]) -> None:
    live = next(each for each in found if each.answer.get("score") == 1.85)
    answer = check_answer("urgency", live.question, live.answer).answer
    assert isinstance(answer, ScoreAnswer)
    assert (answer.score, answer.confidence) == (1.85, 0.71)
    assert answer.confidence > max(answer.probabilities.values())


def _adds_to_one(answer: Any) -> None:
    assert math.fsum(answer.probabilities.values()) == pytest.approx(1, abs=1e-12)
