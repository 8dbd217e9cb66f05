from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from arena.cases.case import Case
from arena.evidence.check_kinds import changes
from arena.evidence.checks import check
from arena.evidence.lane import CallRecord, LaneEnding, LaneEvidence
from arena.worlds import patches
from arena.worlds.world import Effect

Bend = Callable[..., Case]
Leave = Callable[..., LaneEvidence]
FILE = "const a = 1;\nconst b = 2;\nconst c = 3;\n"


def patch_effect(after: str, path: str = "src/abc.ts", key: str = "P-1") -> Effect:
    patch = patches.make("src/abc.ts", FILE, after)
    return Effect("create", "proposals", key, {"path": path, "patch": patch, "applied": False})


def ticket(key: str = "T-1", **fields: Any) -> Effect:
    record = {"id": key, "title": "Lamp broken", "priority": "high", "body": "Order LL-1 arrived broken.", **fields}
    return Effect("create", "tickets", key, record)


PAID = Effect("update", "orders", "LL-1", {"state": "paid"})
CANCELLED = Effect("update", "orders", "LL-1", {"state": "cancelled"})
GONE = Effect("delete", "orders", "LL-2", {})
CALL = CallRecord("get_order", {"order_id": "LL-1"}, ok=True, content={"total": "89.90"})
REFUSED = CallRecord("get_order", {"order_id": "LL-1"}, ok=False, error="no")


@pytest.mark.parametrize(
    ("table", "answer", "passes"),
    [
        ({"kind": "answer_holds", "values": ["89.90", "LL-1"]}, "LL-1 costs 89,90 €.", True),
        ({"kind": "answer_holds", "values": ["89.90", "LL-1"]}, "It costs 89,90 €.", False),
        ({"kind": "answer_holds", "values": ["89.90", "LL-1"], "mode": "any"}, "It costs 89,90 €.", True),
        ({"kind": "answer_holds", "values": ["89.90", "LL-1"], "mode": "any"}, "It costs 189,90 €.", False),
        ({"kind": "answer_lacks", "values": ["LL-2"]}, "It is LL-1.", True),
        ({"kind": "answer_lacks", "values": ["LL-2"]}, "It is ll-2.", False),
    ],
)
def test_the_answer_is_read_for_whole_values(
    bent_case: Bend, lane: Leave, table: dict[str, Any], answer: str, passes: bool
) -> None:
    assert check(bent_case(table), lane(answer)).passed is passes


@pytest.mark.parametrize(
    ("table", "calls", "passes"),
    [
        ({"tools": ["find_order", "get_order"]}, (CALL,), True),
        ({"tools": ["get_order"], "arguments": {"order_id": "ll-1"}}, (CALL,), True),
        ({"tools": ["get_order"], "arguments": {"order_id": "LL-2"}}, (CALL,), False),
        ({"tools": ["find_order"]}, (CALL,), False),
        ({"tools": ["get_order"]}, (REFUSED,), False),
        ({"tools": ["get_order"]}, (REFUSED, CALL), True),
        ({"tools": ["get_order"]}, (), False),
    ],
)
def test_a_call_counts_when_it_returned(
    bent_case: Bend, lane: Leave, table: dict[str, Any], calls: tuple[CallRecord, ...], passes: bool
) -> None:
    assert check(bent_case({"kind": "called", **table}), lane(calls=calls)).passed is passes


@pytest.mark.parametrize(
    ("values", "calls", "passes"),
    [
        (["89.90"], (CALL,), True),
        (["89.90", "paid"], (CALL,), False),
        (["9.90"], (CALL,), False),
        (["89.90"], (), False),
        (["no"], (REFUSED,), False),
        (["LL-1"], (CallRecord("get_order", {"order_id": "LL-1"}, ok=True, content={"id": "LL-1"}),), False),
        (["shade"], (CallRecord("get_order", {}, ok=True, content={"notes": [{"text": "a\nshade"}]}),), True),
    ],
)
def test_a_value_was_returned_when_a_result_names_it_and_its_call_did_not(
    bent_case: Bend, lane: Leave, values: list[str], calls: tuple[CallRecord, ...], passes: bool
) -> None:
    assert check(bent_case({"kind": "returned", "values": values}), lane(calls=calls)).passed is passes


@pytest.mark.parametrize(
    ("after", "passes"),
    [
        (FILE.replace("b = 2", "b = 20"), True),
        (FILE.replace("b = 2", "b  =  20"), True),
        (FILE.replace("b = 2", "b = 21"), False),
        (FILE.replace("b = 2", "b = 20").replace("c = 3", "c = 4"), False),
        (FILE.replace("b = 2", "b = 20") + "const d = 4;\n", False),
        (FILE.replace("const b = 2;\n", "const b = 20;\nconst b2 = 2;\n"), False),
    ],
)
def test_a_patch_gives_the_wanted_text_and_leaves_the_rest(
    bent_case: Bend, lane: Leave, after: str, passes: bool
) -> None:
    case = bent_case({"kind": "patch_applies", "path": "src/abc.ts", "contains": ["b = 20;"], "lacks": ["b2"]})
    assert check(case, lane("Recorded.", patch_effect(after))).passed is passes


def test_a_patch_may_have_to_give_one_exact_text(bent_case: Bend, lane: Leave) -> None:
    wanted = FILE.replace("a = 1", "a = 10").replace("c = 3", "c = 30")
    case = bent_case({"kind": "patch_applies", "path": "src/abc.ts", "equals": wanted, "lines": 2})
    assert check(case, lane("Recorded.", patch_effect(wanted))).passed
    assert not check(case, lane("Recorded.", patch_effect(wanted + "//\n"))).passed


@pytest.mark.parametrize(
    ("effects", "got"),
    [
        ((), "no patch for this file"),
        ((patch_effect(FILE + "x\n", path="src/other.ts"),), "no patch for this file"),
        ((Effect("create", "proposals", "P-1", {"path": "src/abc.ts", "patch": "b = 20"}),), "file head"),
    ],
)
def test_a_patch_that_does_not_apply_says_why(
    bent_case: Bend, lane: Leave, effects: tuple[Effect, ...], got: str
) -> None:
    case = bent_case({"kind": "patch_applies", "path": "src/abc.ts", "contains": ["b = 20;"]})
    item = check(case, lane("Recorded.", *effects)).items[-1]
    assert not item.passed
    assert got in item.got


@pytest.mark.parametrize(
    ("table", "effects", "passes"),
    [
        ({"collection": "tickets", "op": "created", "fields": {"priority": "High"}}, (ticket(),), True),
        ({"collection": "tickets", "op": "created", "fields": {"priority": "low"}}, (ticket(),), False),
        ({"collection": "tickets", "op": "created", "fields": {"colour": ""}}, (ticket(),), False),
        ({"collection": "tickets", "op": "created", "holds": {"body": ["LL-1", "broken"]}}, (ticket(),), True),
        ({"collection": "tickets", "op": "created", "holds": {"body": "LL-2"}}, (ticket(),), False),
        ({"collection": "tickets", "op": "created"}, (ticket(), ticket("T-2")), False),
        ({"collection": "tickets", "op": "created"}, (), False),
        ({"collection": "orders", "op": "updated", "id": "LL-1", "fields": {"state": "cancelled"}}, (CANCELLED,), True),
        ({"collection": "orders", "op": "updated", "id": "LL-2"}, (CANCELLED,), False),
        ({"collection": "orders", "op": "updated", "id": "LL-1"}, (PAID,), False),
        ({"collection": "orders", "op": "deleted", "id": "LL-2"}, (GONE,), True),
        ({"collection": "tickets", "op": "created", "count": 2}, (ticket(), ticket("T-2")), True),
        ({"collection": "tickets", "op": "created", "count": 2}, (ticket(),), False),
        (
            {"collection": "tickets", "op": "created", "count": 2, "fields": {"priority": "high"}},
            (ticket(), ticket("T-2", priority="low")),
            False,
        ),
    ],
)
def test_one_record_was_changed_as_wanted(
    bent_case: Bend, lane: Leave, table: dict[str, Any], effects: tuple[Effect, ...], passes: bool
) -> None:
    assert check(bent_case({"kind": "record", **table}), lane("Done.", *effects)).passed is passes


@pytest.mark.parametrize(
    ("allow", "effects", "passes"),
    [
        ([], (), True),
        ([], (CANCELLED, PAID), True),
        ([], (CANCELLED,), False),
        (["orders"], (CANCELLED, GONE), True),
        (["orders/LL-1"], (CANCELLED,), True),
        (["orders/LL-1"], (CANCELLED, GONE), False),
        (["orders/LL-1", "tickets"], (CANCELLED, ticket()), True),
    ],
)
def test_nothing_else_was_changed(
    bent_case: Bend, lane: Leave, allow: list[str], effects: tuple[Effect, ...], passes: bool
) -> None:
    assert check(bent_case({"kind": "unchanged", "allow": allow}), lane("Done.", *effects)).passed is passes


@pytest.mark.parametrize(
    ("question", "passes"),
    [
        ("Do you mean LL-1 or LL-2?", True),
        ("Do you mean LL-1?", False),
        ("It is LL-1 or LL-2.", False),
    ],
)
def test_a_question_names_the_candidates(bent_case: Bend, lane: Leave, question: str, passes: bool) -> None:
    case = bent_case({"kind": "asked", "values": ["LL-1", "LL-2", "LL-3"], "least": 2}, ending="question")
    assert check(case, lane(question, ending=LaneEnding.ASKED)).passed is passes


def test_changes_are_listed_by_place_with_their_operation(lane: Leave) -> None:
    evidence = lane("", ticket(), CANCELLED, GONE)
    found = [(change.place, change.op) for change in changes(evidence.world_before, evidence.world_after)]
    assert found == [("orders/LL-1", "updated"), ("orders/LL-2", "deleted"), ("tickets/T-1", "created")]


def test_evidence_leaves_the_first_world_alone(lane: Leave) -> None:
    evidence = lane("", CANCELLED, calls=(CALL, REFUSED))
    assert (evidence.world_before.find("orders", "LL-1") or {})["state"] == "paid"
    assert (evidence.world_after.find("orders", "LL-1") or {})["state"] == "cancelled"
    assert evidence.tools_called == ("get_order",)
