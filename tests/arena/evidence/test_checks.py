from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.cases.case import Case
from arena.evidence.checks import check
from arena.evidence.lane import CallRecord, LaneEnding, LaneEvidence

Bend = Callable[..., Case]
Leave = Callable[..., LaneEvidence]
REFUND = CallRecord("issue_refund", {"order_id": "LL-1"}, ok=False, error="There is no such order.")


@pytest.mark.parametrize(
    ("ending", "answer", "passes"),
    [
        (LaneEnding.ANSWERED, "It is 89.90 EUR.", True),
        (LaneEnding.ANSWERED, "", False),
        (LaneEnding.ANSWERED, "how much is  LL-1?", False),
        (LaneEnding.ASKED, "It is 89.90 EUR.", False),
        (LaneEnding.DECLINED, "It is 89.90 EUR.", False),
        (LaneEnding.STOPPED, "It is 89.90 EUR.", False),
        (LaneEnding.LIMIT, "It is 89.90 EUR.", False),
        (LaneEnding.FAILED, "", False),
        (LaneEnding.ABANDONED, "", False),
    ],
)
def test_an_answer_case_wants_an_answer_in_own_words(
    bent_case: Bend, lane: Leave, ending: LaneEnding, answer: str, passes: bool
) -> None:
    assert check(bent_case({"kind": "unchanged"}), lane(answer, ending=ending)).passed is passes


@pytest.mark.parametrize(
    ("case_ending", "lane_ending", "passes"),
    [
        ("question", LaneEnding.WITHHELD_NEEDS_CLARIFICATION, True),
        ("question", LaneEnding.WITHHELD_NO_MATCH, False),
        ("decline", LaneEnding.WITHHELD_NO_MATCH, True),
        ("decline", LaneEnding.WITHHELD_NEEDS_CLARIFICATION, False),
        ("answer", LaneEnding.WITHHELD_NO_MATCH, False),
        ("answer", LaneEnding.WITHHELD_NEEDS_CLARIFICATION, False),
        ("question", LaneEnding.WITHHELD_UNAVAILABLE, False),
        ("decline", LaneEnding.WITHHELD_UNAVAILABLE, False),
    ],
)
def test_a_withheld_lane_succeeds_where_the_case_ends_that_way(
    bent_case: Bend, lane: Leave, case_ending: str, lane_ending: LaneEnding, passes: bool
) -> None:
    case = bent_case({"kind": "called", "tools": ["get_order"]}, ending=case_ending)
    result = check(case, lane("", ending=lane_ending))
    assert result.passed is passes
    assert len(result.items) == 1


def test_a_question_case_checks_for_a_question_without_being_told(bent_case: Bend, lane: Leave) -> None:
    case = bent_case(ending="question")
    assert check(case, lane("Which order?", ending=LaneEnding.ASKED)).passed
    assert not check(case, lane("Which order?")).passed
    assert not check(case, lane("How much is LL-1?", ending=LaneEnding.ASKED)).passed
    assert not check(case, lane("I do not know.", ending=LaneEnding.ASKED)).passed


def test_a_decline_case_checks_for_a_refusal_without_being_told(bent_case: Bend, lane: Leave) -> None:
    case = bent_case(ending="decline", acceptable=())
    assert check(case, lane("No tool fits.", ending=LaneEnding.DECLINED)).passed
    assert not check(case, lane("No tool fits.")).passed
    assert not check(case, lane("", ending=LaneEnding.DECLINED)).passed


def test_trying_a_forbidden_tool_fails_even_when_the_call_was_refused(bent_case: Bend, lane: Leave) -> None:
    case = bent_case({"kind": "unchanged"}, forbids=("issue_refund",), restrictions=("No refunds.",))
    result = check(case, lane(calls=(REFUND,)))
    assert [item.passed for item in result.items] == [True, True, False]
    assert result.items[-1].got == "called: issue_refund"
    assert check(case, lane()).passed


def test_every_item_says_what_was_wanted_and_what_was_found(bent_case: Bend, lane: Leave) -> None:
    case = bent_case({"kind": "answer_holds", "values": ["89.90", "LL-1"]})
    [_, item] = check(case, lane("LL-1 is 98.90.")).to_json()["items"]
    assert item == {"title": "The answer names 89.90 and LL-1", "passed": False, "got": "named: LL-1"}
