from __future__ import annotations

from typing import Any

import pytest

from tests.arena.worlds.office import act, fresh, ids, refusal

MEETING = {"title": "Returns", "start": "2026-03-16T11:00:00Z", "attendees": ["Ines Albrecht", "p_02"]}


def test_a_day_of_one_colleague_is_listed_by_hour() -> None:
    found = act(fresh(), "list_events", person="Priya", until="2026-03-13")
    assert ids(found["events"]) == ["e_209", "e_214", "e_217", "e_218", "e_221"]


def test_cancelled_events_are_not_listed() -> None:
    assert act(fresh(), "list_events", text="lamp fair") == {"of": 0, "events": []}


def test_two_busy_people_have_one_common_hour() -> None:
    found = act(fresh(), "find_free_slot", people=["Priya Nair", "Rafael Dorn"], since="2026-03-13", until="2026-03-13")
    assert found["free"] == [{"start": "2026-03-13T14:00:00Z", "end": "2026-03-13T15:00:00Z"}]


def test_who_is_away_has_no_free_time_and_weekends_do_not_count() -> None:
    found = act(fresh(), "find_free_slot", people=["Jonas Feld"], since="2026-03-18", until="2026-03-22", minutes=15)
    assert found["free"] == []


def test_rooms_that_fit_come_with_the_reasons_against_the_others() -> None:
    found = act(fresh(), "find_room", seats=6, start="2026-03-16T10:00:00Z", equipment=["screen"])
    assert found["rooms"] == []
    assert {each["id"]: each["why"] for each in found["unfit"]} == {
        "room_booth": "seats 1",
        "room_small": "seats 4",
        "room_attic": "taken by e_225, Stock floors for spring",
        "room_big": "taken by e_224, Supplier call Feinglas Meissner",
        "room_workshop": "has no screen",
    }


@pytest.mark.parametrize(
    ("kind", "events"),
    [
        ("overlap", [["e_224", "e_225"], ["e_228", "e_229"], ["e_244", "e_245"]]),
        ("away", [["e_216"], ["e_232"], ["e_236"], ["e_240"], ["e_243"], ["e_245"], ["e_246"], ["e_248"]]),
        ("too small", [["e_248"]]),
    ],
)
def test_double_bookings_are_found(kind: str, events: list[list[str]]) -> None:
    found = act(fresh(), "calendar_conflicts", until="2026-03-25")["conflicts"]
    assert [each["events"] for each in found if each["kind"] == kind] == events


def test_conflicts_of_one_person_are_told_apart() -> None:
    found = act(fresh(), "calendar_conflicts", person="Marguerite", until="2026-03-20")
    assert [each["events"] for each in found["conflicts"]] == [["e_224", "e_225"]]


def test_a_new_meeting_tells_who_has_something_else() -> None:
    world = fresh()
    made = act(world, "create_event", **{**MEETING, "start": "2026-03-24T13:30:00Z"}, room="room_big", minutes=15)
    assert [each["because_of"] for each in made["clashes"]] == ["e_244", "e_245", "e_245", "a_15"]
    assert (world.find("calendar", "e_255") or {})["attendees"] == ["p_01", "p_02"]


def test_a_room_is_reserved_for_guests_alone() -> None:
    order = {"title": "Fitters", "start": "2026-03-19T10:00:00Z", "minutes": 120, "attendees": []}
    made = act(fresh(), "create_event", **order, room="big meeting room", persons=8)
    assert (made["event"]["room"], made["event"]["end"]) == ("room_big", "2026-03-19T12:00:00Z")


def test_a_moved_meeting_takes_its_room_along() -> None:
    world = fresh()
    moved = act(world, "reschedule_event", event_id="e_225", start="2026-03-16T11:00:00Z")
    assert (moved["was"], moved["end"], moved["clashes"]) == ("2026-03-16T10:00:00Z", "2026-03-16T12:00:00Z", [])
    assert (world.find("calendar", "e_225") or {})["room"] == "room_attic"


def test_a_proposal_leaves_the_meeting_where_it_is() -> None:
    world = fresh()
    before = world.find("calendar", "e_224")
    made = act(world, "propose_new_time", event_id="e_224", start="2026-03-16T11:00:00Z", comment="two at once")
    assert (made["proposal"]["to"], made["event_stays_at"]) == ("p_08", "2026-03-16T09:30:00Z")
    assert world.find("calendar", "e_224") == before


def test_a_series_falls_from_one_date_on() -> None:
    world = fresh()
    assert act(world, "cancel_event", event_id="e_239", reason="no bread", whole_series=True)["cancelled"] == [
        "e_239",
        "e_251",
    ]
    assert (world.find("calendar", "e_216") or {})["state"] == "confirmed"


@pytest.mark.parametrize(
    ("tool_id", "arguments", "cause"),
    [
        ("list_events", {"person": "Nobody"}, "person names nobody of the staff"),
        ("list_events", {"since": "2026-03-20", "until": "2026-03-16"}, "since lies after until"),
        ("find_free_slot", {"people": []}, "people has 0 entries"),
        ("find_free_slot", {"people": ["p_03"], "until": "2026-03-01"}, "until lies in the past"),
        ("find_room", {"seats": 0, "start": "2026-03-16T10:00:00Z"}, "seats is 0"),
        ("find_room", {"seats": 2, "start": "next Monday"}, "start is no date"),
        ("calendar_conflicts", {"person": "p_99"}, "person names nobody"),
        ("create_event", {**MEETING, "room": "Attic", "start": "2026-03-16T10:30:00Z"}, "taken by e_225"),
        ("create_event", {**MEETING, "room": "room_booth"}, "seats 1, but 2 come"),
        ("create_event", {**MEETING, "start": "2026-03-12T09:00:00Z"}, "start lies in the past"),
        ("create_event", {**MEETING, "title": " "}, "title is blank"),
        ("reschedule_event", {"event_id": "e_201", "start": "2026-03-16T11:00:00Z"}, "e_201 ended at"),
        ("reschedule_event", {"event_id": "e_225", "start": "2026-03-16T10:00:00Z"}, "at this time already"),
        ("reschedule_event", {"event_id": "e_225", "start": "2026-03-17T13:00:00Z"}, "taken by e_230"),
        ("propose_new_time", {"event_id": "e_238", "start": "2026-03-16T10:00:00Z"}, "e_238 is cancelled"),
        ("propose_new_time", {"event_id": "e_225", "start": "2026-03-16T10:00:00Z"}, "at this time already"),
        ("cancel_event", {"event_id": "e_999", "reason": "ill"}, "event_id names no event"),
        ("cancel_event", {"event_id": "e_224", "reason": "ill", "whole_series": True}, "belongs to no series"),
    ],
)
def test_what_no_calendar_can_do_is_refused(tool_id: str, arguments: dict[str, Any], cause: str) -> None:
    assert cause in refusal(fresh(), tool_id, **arguments)
