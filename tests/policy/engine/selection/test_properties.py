"""What holds for every menu and every judge."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine.canonical import canonical_json
from policy.engine.failures import Failure, FailureCode
from policy.engine.judge import JudgeRequest
from policy.engine.profile import Limits, Profile
from policy.engine.questions import Choice, Noul
from policy.engine.receipts import Recorder, SelectionCall, Verdict, replay, write
from policy.engine.selection import Candidate, Outcome, Selection
from policy.judges.scripted import Script, ScriptedJudge
from tests.policy.engine.doubles import drive

pytestmark = pytest.mark.usefixtures("either_way")

NAMES = st.sampled_from(["a", "b", "c", "a-b", "a_b", "__none__", "uncategorized", "tool __none__", "x_1", ""])
FREE = st.builds(
    Candidate,
    id=NAMES | st.text(max_size=3),
    categories=st.lists(NAMES, max_size=3).map(tuple),
    description=st.none() | st.text(max_size=8),
    priority=st.none() | st.integers(-2, 2),
)
# Restricted ids carry a mark that nothing else has, so that they can be searched for in what is sent.
RESTRICTED = st.builds(Candidate, id=NAMES.map("§{}".format), categories=st.just(("a",)), restricted=st.just(True))
OPEN_TWIN = RESTRICTED.map(lambda twin: Candidate(twin.id, twin.categories))
SPECS = st.sampled_from([{}, {"omit": True}, {"noul": 7}, {"wrongType": True}]) | st.builds(
    lambda noul: {"noul": noul}, st.floats(0, 1)
)
CALLS = st.builds(
    SelectionCall,
    task=st.text(max_size=9),
    candidates=st.lists(FREE | RESTRICTED | OPEN_TWIN, max_size=9).map(tuple),
    profile=st.builds(
        lambda candidates, categories: Profile(
            limits=Limits(max_candidates_per_question=candidates, max_categories=categories)
        ),
        st.integers(1, 3),
        st.integers(1, 3),
    ),
    always_allow=st.lists(NAMES, max_size=2).map(tuple),
    max_selected=st.none() | st.integers(0, 3),
    ask_first=st.booleans(),
    member_lines=st.booleans(),
)


@st.composite
def scripts(draw: Callable[..., Any]) -> Callable[[JudgeRequest, int], Script]:
    """Scripts whose picks are spread over the labels by drawn weights; some answers are invalid, some calls fail."""
    weights = draw(st.lists(st.integers(0, 9), min_size=4, max_size=4))
    noul, confidence, spoiled = draw(SPECS), draw(st.floats(0, 1)), draw(st.sampled_from([None, 0, 1, 2]))

    def script(request: JudgeRequest, call: int) -> Script:
        if call == spoiled:
            return Script(error=Failure(FailureCode.SERVER, "down"))
        answers = {name: _spec(question, weights, confidence, noul) for name, question in request.questions.items()}
        return Script(answers)

    return script


def _spec(question: Any, weights: list[int], confidence: float, noul: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(question, Choice):
        return noul
    shares = {label: weights[place % 4] + 1 for place, label in enumerate(question.criteria)}
    chosen = max(shares, key=lambda label: shares[label])
    probabilities = {label: share / sum(shares.values()) for label, share in shares.items()}
    return {"choice": {"choice": chosen, "confidence": confidence, "probabilities": probabilities}}


def played(call: SelectionCall, script: Callable[[JudgeRequest, int], Script]) -> tuple[Selection, Recorder]:
    recorder = Recorder()
    judge = ScriptedJudge(script_for=script)
    return drive(call.steps(), judge, on_exchange=recorder), recorder


@given(CALLS, scripts())
def test_only_offered_tools_are_selected_and_the_cap_holds(call: SelectionCall, script: Any) -> None:
    selection, _ = played(call, script)
    chosen = [each.id for each in (*selection.selected, *selection.expand)]
    assert set(chosen) <= {each.id for each in call.candidates if not each.restricted}
    assert len(set(chosen)) == len(chosen) <= (12 if call.max_selected is None else call.max_selected)


@given(CALLS, scripts())
def test_a_restricted_tool_is_never_sent_and_never_comes_back(call: SelectionCall, script: Any) -> None:
    selection, recorder = played(call, script)
    restricted = {each.id for each in call.candidates if each.restricted}
    mentioned = {name for request, _ in recorder.exchanges for name in _mentioned(request)}
    assert not restricted & mentioned
    assert not restricted & set(selection.tool_ids)


@given(CALLS, scripts())
def test_a_failure_never_becomes_a_selection(call: SelectionCall, script: Any) -> None:
    selection, recorder = played(call, script)
    failed = any(isinstance(sent, Failure) for _, sent in recorder.exchanges)
    if failed or selection.failure is not None:
        assert selection.outcome is Outcome.UNAVAILABLE
        assert [*selection.selected, *selection.expand] == []


@given(CALLS, scripts())
def test_every_candidate_is_accounted_for_unless_the_judge_failed(call: SelectionCall, script: Any) -> None:
    selection, _ = played(call, script)
    kept = {each.id for each in (*selection.selected, *selection.expand)}
    dropped = {each.id for each in selection.dropped}
    if selection.failure is None:
        named = {each.id for each in call.candidates if each.id.strip() and "\x00" not in each.id}
        assert named <= kept | dropped
        assert not kept & {each.id for each in selection.dropped if "duplicate" not in each.reason}


@given(CALLS, scripts())
def test_every_receipt_replays(call: SelectionCall, script: Any) -> None:
    selection, recorder = played(call, script)
    receipt = json.loads(canonical_json(write(call, recorder.exchanges, selection)))
    assert replay(receipt).verdict is Verdict.SAME


def _mentioned(request: JudgeRequest) -> Iterator[str]:
    """Every text that could name a tool: labels, and what stands before a colon in member lines."""
    for question in request.questions.values():
        yield from question.criteria if isinstance(question, Choice) else ()
        if isinstance(question, Noul):
            yield from (line.split(": ")[0] for line in (question.true or "").split("\n"))
