"""What calibration decides of a measured answer is what the engine decides."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from math import nextafter
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from policy.calibration.boxes import Case, summed
from policy.calibration.cuts import Cuts
from policy.calibration.measured_choices import SELECTION, MeasuredRoute, MeasuredSelection, MeasuredSkill, cases
from policy.engine.answers import ChoiceAnswer
from policy.engine.breakpoints import again
from policy.engine.judge import JudgeRequest
from policy.engine.model_routing import KEEP, Route, Target
from policy.engine.profile import Profile, Thresholds
from policy.engine.questions import Choice
from policy.engine.receipts import SelectionCall
from policy.engine.selection import Candidate, CategoryResult, Pick, Status
from policy.engine.skill_routing import NONE
from policy.judges.scripted import Script
from tests.policy.engine.selection.test_properties import played
from tests.policy.engine.test_model_routing import routed as route_model
from tests.policy.engine.test_skill_routing import routed as route_skill

OPEN = Thresholds(relevance=0, selection=0, confidence=0, ask_first=1)
PLACES = st.integers(0, 100).map(lambda places: places / 100)


@st.composite
def beside(draw: Callable[..., Any], points: list[float]) -> float:
    """On a measured value, a hair beside it, or anywhere."""
    near = [*points, *(nextafter(point, 1) for point in points), *(nextafter(point, 0) for point in points)]
    sound = [each for each in near if 0 <= each <= 1]
    return float(draw(st.floats(0, 1) | (st.sampled_from(sound) if sound else st.nothing())))


TOOLS = {"a": ("x",), "b": ("x", "y"), "c": ("y",), "d": ("x", "z"), "e": ()}
CALLS = st.builds(
    lambda ids, priorities, cap: SelectionCall(
        task="t",
        candidates=tuple(Candidate(each, TOOLS[each], priority=priorities.get(each)) for each in ids),
        profile=Profile(thresholds=OPEN),
        max_selected=cap,
    ),
    st.lists(st.sampled_from("abcde"), min_size=1, max_size=5, unique=True),
    st.dictionaries(st.sampled_from("abcde"), st.integers(0, 2), max_size=3),
    st.integers(1, 3),
)


@st.composite
def judges(draw: Callable[..., Any]) -> Callable[[JudgeRequest, int], Script]:
    """Every question has an answer of its own, the same whenever it is asked."""
    salt = draw(st.integers(0, 2**32))

    def spec(name: str, question: Any) -> dict[str, Any]:
        rng = random.Random(f"{salt}{name}")
        if not isinstance(question, Choice):
            return {"noul": rng.randrange(101) / 100}
        weights = {label: rng.choice([0, 1, 1, 2, 7]) + 0.001 for label in question.criteria}
        shares = {label: weight / sum(weights.values()) for label, weight in weights.items()}
        best = max(shares, key=lambda label: shares[label])
        return {"choice": {"choice": best, "confidence": rng.randrange(101) / 100, "probabilities": shares}}

    return lambda request, call: Script({name: spec(name, each) for name, each in request.questions.items()})


@given(CALLS, judges(), st.data())
def test_a_selection_is_decided_as_the_engine_decides_it(call: SelectionCall, judge: Any, data: Any) -> None:
    told, recorder = played(call, judge)
    priorities = {each.id: each.priority for each in call.candidates if each.priority is not None}
    offered = MeasuredSelection(
        told.categories, Status.SELECTED, frozenset(), priorities=priorities, cap=call.max_selected or 12
    )
    cuts = Thresholds(
        relevance=data.draw(beside(offered.relevances)),
        selection=data.draw(beside(offered.shares)),
        confidence=data.draw(beside(offered.confidences)),
    )
    engine = again(replace(call, profile=Profile(thresholds=cuts)).steps(), recorder.exchanges)
    conclusion, _ = offered.decided(cuts)
    assert (conclusion.status, conclusion.outcome, conclusion.rule) == (engine.status, engine.outcome, engine.rule)
    assert {each.id for each in (*engine.selected, *engine.expand)} == offered.visible(cuts)
    expecting = replace(offered, status=engine.status, expected=frozenset(each.id for each in engine.selected))
    assert expecting.agrees(cuts)
    assert not replace(expecting, expected=frozenset({"something else"})).agrees(cuts)


@given(CALLS, judges(), st.data())
def test_agreement_by_tool_is_that_of_the_engine_in_every_cell(call: SelectionCall, judge: Any, data: Any) -> None:
    told, _ = played(call, judge)
    expected = data.draw(st.frozensets(st.sampled_from("abcde"), max_size=2))
    status = data.draw(st.sampled_from([Status.SELECTED, Status.ABSTAINED]))
    (case,) = cases([MeasuredSelection(told.categories, status, expected)], SELECTION)
    known, asked = case.known, Case(case.values, case.weigh).worth
    assert known is not None
    assert np.array_equal(known, asked)
    capped = MeasuredSelection(told.categories, status, expected, cap=1)
    assert (cases([capped], SELECTION)[0].known is None) == (len({*capped.tools}) > 1)


@given(PLACES, st.sampled_from([NONE, "sql-tuning"]), PLACES, PLACES, st.data())
def test_a_skill_is_decided_as_the_engine_decides_it(
    needs: float, choice: str, share: float, confidence: float, data: Any
) -> None:
    share = max(share, 0.5)
    other = NONE if choice != NONE else "sql-tuning"
    spread = {"pdf-forms": 0.0, choice: share, other: 1 - share}
    spoken = {"choice": choice, "confidence": confidence, "probabilities": spread}
    at = {"skill": needs, "selection": share, "confidence": confidence}
    cuts = Thresholds(**{name: data.draw(beside([value])) for name, value in at.items()})
    told, _ = route_skill(script=Script({"needs_skill": {"noul": needs}, "skill": {"choice": spoken}}),
                          profile=Profile(thresholds=cuts))  # fmt: skip
    assume(told.failure is None and told.confidence is not None)
    answer = ChoiceAnswer(choice, told.probabilities, told.confidence or 0.0)
    assert MeasuredSkill(needs, answer, None).decided(cuts) == (told.status, told.skill)


@pytest.mark.parametrize("available", [frozenset(), frozenset({"reasoning", "fast"})])
@given(st.sampled_from([KEEP, "reasoning"]), PLACES, st.data())
def test_a_route_is_decided_as_the_engine_decides_it(
    available: frozenset[str], choice: str, share: float, data: Any
) -> None:
    share = max(share, 0.5)
    other = KEEP if choice != KEEP else "reasoning"
    spoken = {"choice": choice, "confidence": 0.4, "probabilities": {choice: share, other: 1 - share, "fast": 0.0}}
    cuts = Thresholds(model_route=data.draw(beside([share])))
    targets = {name: Target("acme", name) for name in ("fast", "reasoning")}
    told, _ = route_model(
        script=Script({"route": {"choice": spoken}}),
        routes={name: Route(target) for name, target in targets.items()},
        available=[targets[name] for name in available],
        profile=Profile(thresholds=cuts),
    )
    assume(told.failure is None)
    decided = MeasuredRoute(ChoiceAnswer(choice, told.probabilities, 0.4), None, available).decided(cuts)
    assert decided == (told.status, told.route)


def selection(tools: list[tuple[str, float, float]], expected: set[str], *, cap: int = 12) -> MeasuredSelection:
    """One category per tool: its id, the relevance of its category, its share."""
    results = tuple(
        CategoryResult(f"c-{tool}", relevance, picks=(Pick(tool, tool, share, 0.9, {tool: share}, {tool: share}),))
        for tool, relevance, share in tools
    )
    status = Status.SELECTED if expected else Status.ABSTAINED
    return MeasuredSelection(results, status, frozenset(expected), cap=cap)


def test_the_grid_counts_the_cases_that_agree_cap_and_ties_included() -> None:
    judged = [
        selection([("a", 0.8, 0.6), ("b", 0.8, 0.6), ("c", 0.3, 0.9)], {"a"}, cap=1),
        selection([("a", 0.8, 0.6), ("b", 0.4, 0.9)], {"a"}),
        selection([("a", 0.2, 0.9)], set()),
    ]
    cuts = Cuts.even(20)
    agreed = summed(cases(judged, SELECTION), [cuts, cuts])
    for r, s in np.ndindex(*agreed.shape):
        at = Thresholds(relevance=r / 20, selection=s / 20)
        assert agreed[r, s] == sum(each.agrees(at) for each in judged)
    assert agreed.max() == 3


def test_a_threshold_that_decides_nothing_of_the_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="task_match"):
        cases([selection([("a", 0.8, 0.6)], {"a"})], ("task_match",))
