"""Named tolerances for totals, and that validation is a fixed point under each of them."""

from __future__ import annotations

import copy
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine.answer_checks import check_answer
from policy.engine.answers import ChoiceAnswer, ScoreAnswer
from policy.engine.contract import validate
from policy.engine.journal import Inquiry, Journal
from policy.engine.judge import JudgeReply
from policy.engine.questions import Choice, Noul, Question, Score
from policy.engine.totals import Totals, in_band
from policy.judges.scripted import Script, ScriptedJudge
from tests.policy.engine.doubles import drive

pytestmark = pytest.mark.usefixtures("either_way")


def spread_of(counts: list[int], total: float, decimals: int) -> dict[str, float]:
    """Labels "0", "1" and so on with shares that add to about the total, each rounded on its own."""
    whole = sum(counts)
    return {str(place): round(count / whole * total, decimals) for place, count in enumerate(counts)}


def wire(question: Question, spread: dict[str, float], **more: Any) -> dict[str, Any]:
    if isinstance(question, Choice):
        best = max(spread, key=lambda label: spread[label])
        return {"type": "choice", "choice": best, "confidence": 0.5, "probabilities": spread, **more}
    total = sum(spread.values()) or 1
    expected = min(sum(int(level) * share for level, share in spread.items()) / total, len(spread) - 1)
    return {"type": "score", "score": expected, "confidence": 0.5, "probabilities": spread, **more}


@pytest.mark.parametrize(
    ("options", "total", "strict", "per_option"),
    [
        (2, 0.99, True, True),
        (2, 1.01, True, True),
        (2, 0.98, False, True),
        (2, 1.05, False, True),
        (2, 1.06, False, False),
        (40, 0.80, False, True),
        (40, 1.21, False, False),
        (255, 0.0, False, False),
        (3, float("nan"), False, False),
    ],
)
def test_a_band_is_strict_or_grows_with_the_options(options: int, total: float, strict: bool, per_option: bool) -> None:
    assert in_band(total, options, Totals.STRICT) == strict
    assert in_band(total, options, Totals.PER_OPTION) == per_option


def test_a_wide_total_passes_only_where_the_host_says_so() -> None:
    question = Choice("?", {"0": None, "1": None})
    sent = wire(question, {"0": 0.6, "1": 0.36})
    assert check_answer("it", question, sent).answer is None
    answer = check_answer("it", question, sent, totals=Totals.PER_OPTION).answer
    assert isinstance(answer, ChoiceAnswer)
    assert answer.raw_probabilities == {"0": 0.6, "1": 0.36}
    assert answer.probabilities == pytest.approx({"0": 0.625, "1": 0.375})


@pytest.mark.parametrize("key", ["totals", "tolerance", "raw_probabilities"])
def test_a_reply_cannot_ask_for_a_wider_band(key: str) -> None:
    question = Choice("?", {"0": None, "1": None})
    sent = wire(question, {"0": 0.6, "1": 0.36}, **{key: "per-option"})
    checked = validate({"model": "m", "answers": {"q": sent}, key: "per-option"}, {"q": question})
    assert [violation.path for violation in checked.violations] == ["answers.q.probabilities"]


def test_the_tolerance_of_a_judge_reaches_the_check_with_its_reply() -> None:
    class Compatible(ScriptedJudge):
        def ask(self, request: Any, *, timeout_s: float) -> JudgeReply:
            came = super().ask(request, timeout_s=timeout_s)
            return JudgeReply(came.body, came.raw, came.latency_ms, totals=Totals.PER_OPTION)

    question = Choice("?", {"0": None, "1": None})
    script = Script({"q": {"choice": {"choice": "0", "probabilities": {"0": 0.6, "1": 0.36}}}})
    for judge, answered in ((ScriptedJudge(script), False), (Compatible(script), True)):
        asked = drive(Journal().ask({}, [Inquiry("s", {"q": question}, ("s",))]), judge)
        assert ("q" in asked.answers) == answered


COUNTS = st.lists(st.integers(0, 40), min_size=2, max_size=10).filter(any)
KINDS = st.sampled_from(["choice", "score"])


@given(KINDS, COUNTS, st.floats(0.9, 1.1), st.integers(2, 5), st.sampled_from(Totals))
def test_validating_what_was_validated_changes_nothing(
    kind: str, counts: list[int], total: float, decimals: int, totals: Totals
) -> None:
    question = (
        Choice("?", dict.fromkeys(map(str, range(len(counts)))))
        if kind == "choice"
        else Score("?", tuple("x" * len(counts)))
    )
    spread = spread_of(counts, total, decimals)
    once = check_answer("it", question, wire(question, spread), totals=totals).answer
    if once is None:
        return
    assert isinstance(once, ChoiceAnswer | ScoreAnswer)
    assert sum(once.probabilities.values()) == pytest.approx(1, abs=1e-8)
    assert once.raw_probabilities in (None, spread)
    assert check_answer("it", question, once.to_json(), totals=totals).answer == once


def frozen(value: Any) -> Any:
    """A reply to which nothing can be written."""
    if isinstance(value, dict):
        return MappingProxyType({key: frozen(item) for key, item in value.items()})
    return tuple(map(frozen, value)) if isinstance(value, list) else value


@given(COUNTS, st.floats(0.9, 1.1), st.sampled_from(Totals), st.booleans())
def test_a_reply_is_never_written_to(counts: list[int], total: float, totals: Totals, forged: bool) -> None:
    labels = dict.fromkeys(map(str, range(len(counts))))
    questions: dict[str, Question] = {"c": Choice("?", labels), "s": Score("?", tuple(labels)), "n": Noul("?")}
    spread = spread_of(counts, total, 2)
    more: dict[str, Any] = {"rawProbabilities": {"0": 1}} if forged else {}
    answers = {name: wire(each, spread, **more) for name, each in questions.items() if name != "n"}
    body = {"model": "m", "answers": {**answers, "n": {"type": "noul", "noul": 0.5}, "ghost": []}}
    before = copy.deepcopy(body)
    assert validate(frozen(body), questions, totals=totals) == validate(body, questions, totals=totals)
    assert body == before


@given(COUNTS, COUNTS, st.sampled_from(["rawProbabilities", "raw_probabilities"]))
def test_an_audit_field_is_never_taken_from_a_judge(counts: list[int], other: list[int], key: str) -> None:
    """Ours is what was published; a sent one is kept only where dividing it gives exactly the published values."""
    labels = dict.fromkeys(map(str, range(len(counts))))
    spread, forged = spread_of(counts, 1, 9), spread_of(other, 0.995, 3)
    sent = wire(Choice("?", labels), spread, **{key: forged})
    answer = check_answer("it", Choice("?", labels), sent).answer
    raw = answer.raw_probabilities if isinstance(answer, ChoiceAnswer) else None
    total = sum(forged.values())
    assert (
        raw is None or raw == spread or {label: share / total for label, share in raw.items()} == pytest.approx(spread)
    )
