from __future__ import annotations

from typing import Any

import pytest

from tests.arena.worlds.office import act, fresh, ids, refusal

LEAVE = {"person": "Nadia", "kind": "holiday", "first_day": "2026-03-16", "last_day": "2026-03-18"}


def test_a_colleague_is_found_by_job_and_by_team() -> None:
    assert ids(act(fresh(), "find_colleague", query="support agent")["people"]) == ["p_02", "p_11"]
    [head] = act(fresh(), "find_colleague", query="head", team="finance")["people"]
    assert (head["name"], head["manager"]) == ("Rafael Dorn", "p_09 Hanne Vester")


def test_a_name_that_nobody_bears_gives_the_nearest() -> None:
    assert "Rafael Dorn" in act(fresh(), "find_colleague", query="Raphael Dorn")["hint"]


def test_the_person_on_call_now_comes_with_telephone_and_successor() -> None:
    [row] = act(fresh(), "who_is_on_call", duty="engineering")["on_call"]
    assert (row["name"], row["phone"], row["away"]) == ("Priya Nair", "+49 431 555 02 03", [])
    assert row["next"] == {"shift": "oc_03", "name": "Jonas Feld", "start": "2026-03-16T08:00:00Z"}


def test_a_hole_in_the_rota_is_told() -> None:
    rows = act(fresh(), "who_is_on_call", at="2026-03-24")["on_call"]
    assert {row["name"]: row["away"] for row in rows} == {
        "Ketil Brandvold": [],
        "Tomasz Wrona": ["a_15"],
        "Bartosz Lis": [],
    }


def test_the_line_of_superiors_ends_at_the_director() -> None:
    assert ids(act(fresh(), "org_chain", person="Ketil")["chain"]) == ["p_06", "p_13", "p_09"]
    assert ids(act(fresh(), "org_chain", person="Aurelie")["reports"]) == ["p_03", "p_04", "p_06"]


def test_experts_who_are_present_come_first() -> None:
    found = act(fresh(), "find_expert", subject="databases", on="2026-03-19")
    assert [(each["id"], each["away_until"]) for each in found["experts"]] == [
        ("p_03", None),
        ("p_10", None),
        ("p_04", "2026-03-20"),
    ]


def test_who_is_away_today_comes_with_the_stand_in() -> None:
    found = act(fresh(), "who_is_away")["away"]
    assert [(each["person"], each["stand_in"]) for each in found] == [
        ("p_12 Bartosz Lis", None),
        ("p_05 Marguerite Oduya", "p_10 Liam Okafor"),
    ]


def test_absences_are_narrowed_by_days_and_team() -> None:
    assert ids(act(fresh(), "who_is_away", since="2026-03-20", until="2026-03-26", team="support")["away"]) == ["a_15"]


def test_an_entered_absence_warns_of_duty_and_meetings() -> None:
    world = fresh()
    entered = act(world, "record_absence", **LEAVE, stand_in="Tomasz")
    assert (entered["absence"]["id"], entered["on_call"]) == ("a_19", ["oc_09"])
    assert entered["meetings"] == ["e_222", "e_227", "e_229", "e_231", "e_234"]
    assert (world.find("absences", "a_19") or {})["stand_in"] == "p_02"


def test_two_shifts_change_hands() -> None:
    world = fresh()
    act(world, "swap_on_call", first_shift="oc_03", second_shift="oc_04")
    assert [(world.find("rota", key) or {})["person"] for key in ("oc_03", "oc_04")] == ["p_06", "p_04"]


@pytest.mark.parametrize(
    ("tool_id", "arguments", "cause"),
    [
        ("find_colleague", {}, "Neither query nor team"),
        ("find_colleague", {"team": "sales"}, "send one of support"),
        (
            "who_is_on_call",
            {"at": "2026-07-01"},
            "The rota has nobody at 2026-07-01T00:00:00Z; it runs from 2026-03-02",
        ),
        ("who_is_on_call", {"duty": "plumbing"}, "send one of engineering"),
        ("org_chain", {"person": "Smith"}, "person names nobody"),
        ("org_chain", {"person": "an"}, "person names several people"),
        ("find_expert", {"subject": "beekeeping"}, "Nobody of the staff is known for 'beekeeping'"),
        ("who_is_away", {"since": "2026-03-20", "until": "2026-03-10"}, "since lies after until"),
        ("record_absence", {**LEAVE, "person": "Tomasz", "last_day": "2026-03-24"}, "is away already, a_15"),
        ("record_absence", {**LEAVE, "last_day": "2026-03-10"}, "first_day lies after last_day"),
        ("record_absence", {**LEAVE, "stand_in": "Nadia"}, "name somebody else"),
        ("record_absence", {**LEAVE, "stand_in": "Jonas"}, "who is away then as well"),
        ("swap_on_call", {"first_shift": "oc_02", "second_shift": "oc_03"}, "oc_02 began at"),
        ("swap_on_call", {"first_shift": "oc_03", "second_shift": "oc_09"}, "are of engineering and support"),
        ("swap_on_call", {"first_shift": "oc_03", "second_shift": "oc_06"}, "Both shifts are Jonas Feld's"),
        (
            "swap_on_call",
            {"first_shift": "oc_11", "second_shift": "oc_12"},
            "Ines Albrecht is away during oc_12 (a_17)",
        ),
    ],
)
def test_what_the_staff_list_cannot_do_is_refused(tool_id: str, arguments: dict[str, Any], cause: str) -> None:
    assert cause in refusal(fresh(), tool_id, **arguments)
