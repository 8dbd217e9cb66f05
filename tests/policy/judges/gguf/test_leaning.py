"""From token probabilities to a distribution: a shortlist, odds, the place of none, and what nobody asked about."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.judges.gguf import leaning
from policy.judges.gguf.known import UNFITTED, Platt

NONE = "__none__"
names = st.lists(st.sampled_from("abcdefghijklmn"), min_size=1, max_size=14, unique=True)
probabilities = st.floats(0, 1)


def reply(*tokens: tuple[str, float]) -> dict[str, Any]:
    top = [{"token": token, "logprob": logprob} for token, logprob in tokens]
    return {"choices": [{"logprobs": {"content": [{"top_logprobs": top}]}}]}


def test_spellings_of_one_word_count_together() -> None:
    both = reply((" Yes", math.log(0.2)), ("yes", math.log(0.2)), ("NO", math.log(0.1)), ("maybe", math.log(0.5)))
    assert leaning.leaning(both) == pytest.approx(math.log(4))


def test_a_word_that_is_not_listed_is_as_likely_as_the_last_that_is() -> None:
    assert leaning.leaning(reply(("Yes", -1.0), ("other", -9.0))) == pytest.approx(8.0)
    assert leaning.leaning(reply(("one", -1.0), ("other", -9.0))) == 0.0


@pytest.mark.parametrize("broken", [{}, {"choices": []}, reply(), {"choices": [{"logprobs": None}]}])
def test_a_reply_without_probabilities_is_none(broken: dict[str, Any]) -> None:
    with pytest.raises(leaning.NoLeaning):
        leaning.leaning(broken)


@given(st.floats(-1e6, 1e6), st.floats(-5, 5), st.floats(-5, 5))
def test_constants_give_a_probability_whatever_the_leaning(lean: float, slope: float, bias: float) -> None:
    assert 0 <= Platt(slope, bias).probability(lean) <= 1


@given(st.floats(-20, 20))
def test_without_fitted_constants_a_leaning_is_drawn_towards_one_half(lean: float) -> None:
    raw = Platt(1, 0).probability(lean)
    assert abs(UNFITTED.probability(lean) - 0.5) <= abs(raw - 0.5)


@given(names, st.data())
def test_the_shortlist_is_the_nearest_eight_and_never_none(labels: list[str], data: st.DataObject) -> None:
    near = {label: data.draw(probabilities) for label in [*labels, NONE]}
    chosen = leaning.shortlist(near)
    assert len(chosen) == min(len(labels), leaning.SHORTLIST)
    assert NONE not in chosen
    left = set(labels) - set(chosen)
    assert all(near[inside] >= near[outside] for inside in chosen for outside in left)


@given(names, st.booleans(), st.data())
def test_a_distribution_adds_up_and_keeps_the_order_of_the_answers(
    labels: list[str], with_none: bool, data: st.DataObject
) -> None:
    every = [*labels, NONE] if with_none else labels
    near = {label: data.draw(st.floats(0.01, 1)) for label in every}
    asked = {label: data.draw(st.floats(0.01, 0.99)) for label in leaning.shortlist(near)}
    found = dict(zip(every, leaning.distribution(every, asked, near), strict=True))
    assert sum(found.values()) == pytest.approx(1)
    assert all(0 <= share <= 1 for share in found.values())
    for one in asked:
        for other in asked:
            if asked[one] > asked[other]:
                assert found[one] >= found[other]


def test_none_wins_where_every_option_is_denied_and_loses_where_one_is_sure() -> None:
    labels = ["a", "b", NONE]
    near = dict.fromkeys(labels, 1.0)
    denied = leaning.distribution(labels, {"a": 0.05, "b": 0.1}, near)
    sure = leaning.distribution(labels, {"a": 0.95, "b": 0.1}, near)
    assert denied[2] == max(denied)
    assert sure[0] == max(sure)


def test_what_nobody_asked_about_shares_one_hundredth_by_closeness() -> None:
    labels = [*"abcdefghij"]
    near = {label: 10.0 - place for place, label in enumerate(labels)}
    found = leaning.distribution(labels, dict.fromkeys(labels[:8], 0.5), near)
    assert found[8] + found[9] == pytest.approx(leaning.UNASKED_SHARE)
    assert found[8] == pytest.approx(2 * found[9])
