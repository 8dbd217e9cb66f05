from __future__ import annotations

import pytest

from arena.worlds.world import Effect
from tests.arena.worlds.office import act, fresh, ids, refusal


def test_a_reopened_ticket_keeps_its_earlier_resolution_in_a_remark() -> None:
    world = fresh()
    act(world, "reopen_ticket", ticket_id="T-1031", reason="Bulbs are without tax again.")
    ticket = act(world, "get_ticket", ticket_id="T-1031")
    assert (ticket["state"], ticket["closed_at"], ticket["resolution"]) == ("open", None, None)
    assert ticket["comments"][-1]["text"].startswith(
        "Opened again: Bulbs are without tax again. Earlier resolution: Rolled"
    )


def test_an_open_ticket_is_not_opened_again() -> None:
    assert "T-1032 is open already" in refusal(fresh(), "reopen_ticket", ticket_id="T-1032", reason="It is back.")
    assert "reason is blank" in refusal(fresh(), "reopen_ticket", ticket_id="T-1031", reason="      ")


def test_a_ticket_goes_into_other_hands_with_a_note() -> None:
    world = fresh()
    answer = act(world, "reassign_ticket", ticket_id="T-1038", assignee="Jonas", note="You know the address service.")
    ticket = act(world, "get_ticket", ticket_id="T-1038")
    assert (answer["assignee_name"], answer["before"]) == ("Jonas Feld", "p_06")
    assert (ticket["assignee"], ticket["comments"][-1]["text"]) == ("p_04", "You know the address service.")


@pytest.mark.parametrize(
    ("ticket_id", "assignee", "cause"),
    [
        ("T-1038", "p_06", "in the hands of Ketil Brandvold already"),
        ("T-1031", "p_06", "T-1031 was closed on 2026-03-05; open it again first"),
        ("T-1038", "Bruno", "assignee names nobody"),
        ("T-138", "p_04", "the nearest are T-1038"),
    ],
)
def test_a_ticket_cannot_go_to_nobody(ticket_id: str, assignee: str, cause: str) -> None:
    assert cause in refusal(fresh(), "reassign_ticket", ticket_id=ticket_id, assignee=assignee)


def test_escalating_raises_the_urgency_and_alerts_the_engineer_on_duty() -> None:
    world = fresh()
    answer = act(world, "escalate_ticket", ticket_id="T-1039", priority="urgent", reason="It goes on.")
    escalation = world.find("escalations", "es_1") or {}
    assert (answer["priority"], answer["alerted"], answer["assignee"]) == ("urgent", "Priya Nair", "p_03")
    assert (escalation["ticket_id"], escalation["to"], escalation["reason"]) == ("T-1039", "p_03", "It goes on.")


def test_a_hole_in_the_rota_alerts_nobody() -> None:
    world = fresh()
    world.apply(Effect("delete", "rota", each["id"], {}) for each in world.all("rota"))
    answer = act(world, "escalate_ticket", ticket_id="T-1039", priority="urgent", reason="It goes on.")
    assert answer["alerted"] is None


@pytest.mark.parametrize(
    ("ticket_id", "priority", "cause"),
    [
        ("T-1038", "high", "T-1038 is urgent already; escalating can only raise that"),
        ("T-1039", "high", "T-1039 is high already"),
        ("T-1031", "urgent", "was closed on 2026-03-05"),
        ("T-1039", "low", "send one of high, urgent"),
    ],
)
def test_escalating_never_lowers(ticket_id: str, priority: str, cause: str) -> None:
    wanted = {"ticket_id": ticket_id, "priority": priority, "reason": "It goes on."}
    assert cause in refusal(fresh(), "escalate_ticket", **wanted)


def test_merging_joins_the_discussions_and_closes_the_duplicate() -> None:
    world = fresh()
    act(world, "merge_tickets", duplicate_id="T-1045", into_id="T-1038")
    original, duplicate = (act(world, "get_ticket", ticket_id=each) for each in ("T-1038", "T-1045"))
    times = [comment["at"] for comment in original["comments"]]
    assert (original["state"], len(times), times) == ("open", 4, sorted(times))
    assert (duplicate["state"], duplicate["resolution"]) == ("closed", "Duplicate of T-1038.")


@pytest.mark.parametrize(
    ("duplicate_id", "into_id", "cause"),
    [
        ("T-1038", "T-1038", "are both T-1038; name two tickets"),
        ("T-1034", "T-1043", "different orders, 4807 and 4820; keep both"),
        ("T-1031", "T-1038", "T-1031 was closed on 2026-03-05"),
        ("T-1045", "T-138", "into_id names no ticket"),
    ],
)
def test_two_matters_are_not_merged(duplicate_id: str, into_id: str, cause: str) -> None:
    assert cause in refusal(fresh(), "merge_tickets", duplicate_id=duplicate_id, into_id=into_id)


def test_a_remark_changes_nothing_else() -> None:
    world = fresh()
    before = act(world, "get_ticket", ticket_id="T-1031")
    act(world, "comment_on_ticket", ticket_id="T-1031", text=" Still fine. ")
    after = act(world, "get_ticket", ticket_id="T-1031")
    assert after["comments"] == [*before["comments"], {"at": world.now, "by": "agent", "text": "Still fine."}]
    assert {**after, "comments": None} == {**before, "comments": None}


def test_a_remark_needs_words_and_a_ticket() -> None:
    assert "text is blank" in refusal(fresh(), "comment_on_ticket", ticket_id="T-1025", text="  ")
    assert "names no ticket" in refusal(fresh(), "comment_on_ticket", ticket_id="T-9999", text="Seen.")


def test_the_ticket_on_the_same_trouble_is_the_most_similar() -> None:
    found = act(fresh(), "find_similar_tickets", ticket_id="T-1045", limit=3)
    scores = [row["score"] for row in found["tickets"]]
    assert ids(found["tickets"])[0] == "T-1038"
    assert scores == sorted(scores, reverse=True)
    assert "T-1045" not in ids(found["tickets"])


def test_similar_tickets_may_be_open_ones_only() -> None:
    found = act(fresh(), "find_similar_tickets", ticket_id="T-1031", state="open", limit=20)
    assert found["of"] == len(found["tickets"]) > 0
    assert {row["state"] for row in found["tickets"]} == {"open"}
    assert "the nearest are T-1031" in refusal(fresh(), "find_similar_tickets", ticket_id="T-131")
