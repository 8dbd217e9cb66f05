"""One answer against its question: labels, numbers, totals, the chosen label, the expected score."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine.answer_checks import check_answer
from policy.engine.answers import ChoiceAnswer, ScoreAnswer
from policy.engine.questions import Choice, Noul, Question, Score
from policy.engine.totals import Totals

AB = Choice("?", {"a": None, "b": None})
THREE = Score("?", ("lo", "mid", "hi"))
NOT_SHARES: list[Any] = [None, True, False, "0.5", -0.001, 1.001, float("nan"), float("inf"), [], 10**400]


def choice(**changed: Any) -> dict[str, Any]:
    return {"type": "choice", "choice": "a", "confidence": 0.5, "probabilities": {"a": 0.6, "b": 0.4}, **changed}


def score(**changed: Any) -> dict[str, Any]:
    shares = {"0": 0.1, "1": 0.6, "2": 0.3}
    return {"type": "score", "score": 1.2, "confidence": 0.5, "probabilities": shares, **changed}


def broken(question: Question, answer: Any) -> list[str]:
    checked = check_answer("it", question, answer)
    assert (checked.answer is None) == bool(checked.violations)
    return [violation.path for violation in checked.violations]


@pytest.mark.parametrize("value", NOT_SHARES)
def test_a_noul_is_a_number_from_0_to_1(value: Any) -> None:
    assert broken(Noul("?"), {"type": "noul", "noul": value}) == ["it.noul"]


@pytest.mark.parametrize("value", NOT_SHARES)
def test_a_confidence_is_a_number_from_0_to_1(value: Any) -> None:
    assert broken(AB, choice(confidence=value)) == ["it.confidence"]
    assert broken(THREE, score(confidence=value)) == ["it.confidence"]


@pytest.mark.parametrize("value", NOT_SHARES)
def test_a_probability_is_a_number_from_0_to_1(value: Any) -> None:
    assert "it.probabilities.b" in broken(AB, choice(probabilities={"a": 1, "b": value}))


@pytest.mark.parametrize("kind", [None, "score", "Choice", 1, ["choice"]])
def test_the_type_is_the_one_of_the_question(kind: Any) -> None:
    assert broken(AB, choice(type=kind)) == ["it.type"]


@pytest.mark.parametrize("label", ["c", "A", "a ", None, 0, ["a"], {"a": 1}])
def test_the_chosen_label_is_one_that_was_sent(label: Any) -> None:
    assert broken(AB, choice(choice=label)) == ["it.choice"]


def test_labels_are_exactly_the_sent_ones() -> None:
    assert broken(AB, choice(probabilities={"a": 1})) == ["it.probabilities.b"]
    assert broken(AB, choice(probabilities={"a": 0.6, "b": 0.4, "c": 0})) == ["it.probabilities.c"]
    assert broken(THREE, score(probabilities={"0": 0.1, "01": 0.6, "2": 0.3}))[:1] == ["it.probabilities.1"]


@pytest.mark.parametrize("value", [None, [], "a", 1])
def test_probabilities_are_an_object(value: Any) -> None:
    assert broken(AB, choice(probabilities=value)) == ["it.probabilities"]


@pytest.mark.parametrize("other", [0.39, 0.41, 0.3999999999999999])
def test_totals_of_99_and_101_hundredths_are_inside(other: float) -> None:
    assert broken(AB, choice(probabilities={"a": 0.6, "b": other})) == []


@pytest.mark.parametrize("other", [0.0, 0.3899, 0.4101, 1.0])
def test_totals_outside_the_band_are_refused(other: float) -> None:
    assert broken(AB, choice(probabilities={"a": 0.6, "b": other}))[0] == "it.probabilities"


def test_a_total_in_the_band_is_divided_on_a_copy_and_the_sent_one_is_kept() -> None:
    sent = {"a": 0.6, "b": 0.39}
    answer = check_answer("it", AB, choice(probabilities=sent)).answer
    assert isinstance(answer, ChoiceAnswer)
    assert sum(answer.probabilities.values()) == pytest.approx(1, abs=1e-12)
    assert answer.raw_probabilities == {"a": 0.6, "b": 0.39} == sent


def test_a_total_of_1_is_left_alone_even_where_floats_miss_it() -> None:
    answer = check_answer("it", THREE, score(probabilities={"0": 0.1, "1": 0.2, "2": 0.7}, score=1.6)).answer
    assert isinstance(answer, ScoreAnswer)
    assert answer.probabilities == {"0": 0.1, "1": 0.2, "2": 0.7}
    assert answer.raw_probabilities is None


@pytest.mark.parametrize(("a", "fine"), [(0.5, True), (0.495, True), (0.49, False), (0.1, False)])
def test_the_choice_is_within_a_hundredth_of_the_maximum(a: float, fine: bool) -> None:
    assert (broken(AB, choice(probabilities={"a": a, "b": 1 - a})) == []) == fine


def test_a_hundredth_below_the_maximum_is_fine_for_every_two_decimal_value() -> None:
    question = Choice("?", {"a": None, "b": None, "c": None})
    for hundredths in range(33, 50):
        a, b = hundredths / 100, (hundredths + 1) / 100
        assert broken(question, choice(probabilities={"a": a, "b": b, "c": round(1 - a - b, 2)})) == []


def test_a_choice_a_hundredth_below_the_maximum_stays_valid_after_division() -> None:
    first = check_answer("it", AB, choice(probabilities={"a": 0.49, "b": 0.5})).answer
    assert first is not None
    assert check_answer("it", AB, first.to_json()).answer == first


@pytest.mark.parametrize(
    ("value", "fine"), [(1.2, True), (1.23, True), (1.17, True), (1.235, False), (1.165, False), (0, False)]
)
def test_a_score_is_the_expectation_within_a_step_per_level(value: float, fine: bool) -> None:
    assert (broken(THREE, score(score=value)) == []) == fine


@pytest.mark.parametrize("value", [None, True, "1", -0.1, 2.1, float("nan")])
def test_a_score_is_a_number_on_the_rubric(value: Any) -> None:
    assert broken(THREE, score(score=value)) == ["it.score"]


def test_a_confidence_above_the_peak_is_fine() -> None:
    shares = {"0": 0.01, "1": 0.23, "2": 0.66, "3": 0.10, "4": 0.00}
    answer = {"type": "score", "score": 1.85, "confidence": 0.71, "probabilities": shares}
    assert broken(Score("?", tuple("abcde")), answer) == []


@pytest.mark.parametrize("raw", [{"a": 0.6}, {"a": 0.7, "b": 0.29}, {"a": 0.6, "b": 0.4}, {"a": True, "b": 0}, "x", {}])
def test_an_audit_field_that_the_judge_sends_is_not_trusted(raw: Any) -> None:
    assert broken(AB, choice(rawProbabilities=raw)) == ["it.rawProbabilities"]


def test_an_audit_field_beside_a_short_total_is_overwritten() -> None:
    answer = check_answer(
        "it", AB, choice(probabilities={"a": 0.6, "b": 0.39}, rawProbabilities={"a": 0, "b": 1})
    ).answer
    assert isinstance(answer, ChoiceAnswer)
    assert answer.raw_probabilities == {"a": 0.6, "b": 0.39}


SHARES = st.integers(0, 100)


@given(st.dictionaries(st.text(min_size=1, max_size=3), SHARES, min_size=1, max_size=8), st.floats(0, 1), st.data())
def test_validation_of_a_valid_choice_changes_nothing(counts: dict[str, int], confidence: float, data: Any) -> None:
    question = Choice("?", dict.fromkeys(counts))
    total = sum(counts.values()) or 1
    shares = {label: round(count / total, data.draw(st.integers(2, 4))) for label, count in counts.items()}
    answer = {"type": "choice", "choice": max(shares, key=lambda label: shares[label])}
    once = check_answer("it", question, {**answer, "confidence": confidence, "probabilities": shares}).answer
    assert once is None or check_answer("it", question, once.to_json()).answer == once


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["a", "b", "choice", "noul"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "noul", "choice", "confidence", "probabilities", "a", "b"]), inner)
    ),
)


@given(JUNK, st.sampled_from([AB, THREE, Noul("?")]))
def test_whatever_comes_is_an_answer_or_a_violation(junk: Any, question: Question) -> None:
    broken(question, junk)


@given(
    st.sampled_from([AB, THREE, Choice("?", {}), Choice("?", {"a": None}), Score("?", ())]),
    st.dictionaries(st.sampled_from(["a", "b", "0", "1", "2", "01"]), st.sampled_from([*NOT_SHARES, 0, 0.5, 1, 0.4])),
    st.sampled_from(Totals),
)
def test_whatever_the_probabilities_are_only_exact_ones_pass(
    question: Question, sent: dict[str, Any], totals: Totals
) -> None:
    answer = choice(probabilities=sent) if isinstance(question, Choice) else score(probabilities=sent)
    checked = check_answer("it", question, answer, totals=totals)
    labels = list(question.criteria) if isinstance(question, Choice) else list("012")
    numbers = all(type(value) in (int, float) and 0 <= value <= 1 for value in sent.values())
    assert (checked.answer is None) == bool(checked.violations)
    assert checked.answer is None or (numbers and list(checked.answer.to_json()["probabilities"]) == labels)
