from __future__ import annotations

from typing import Any

import pytest

from tests.arena.worlds.office import act, fresh, ids, refusal

HINT = {
    "document_id": "doc_onboarding",
    "passage": "at least two weeks ahead",
    "replacement": "at least three weeks ahead",
    "reason": "The rota is made three weeks ahead.",
}


def test_two_papers_show_shared_and_own_figures() -> None:
    figures = act(fresh(), "compare_documents", first_id="doc_refund_policy", second_id="doc_warranty")["figures"]
    assert figures["in_both"] == ["two years"]
    assert figures["only_in_doc_refund_policy"] == ["150.00 EUR", "15.00 EUR", "30 days"]


def test_sentences_on_the_same_matter_stand_side_by_side() -> None:
    found = act(
        fresh(), "compare_documents", first_id="doc_refund_policy", second_id="doc_warranty", subject="warranty"
    )
    assert "money is not paid out" in found["alike"][0]["second"]


def test_the_last_revision_shows_old_beside_new() -> None:
    found = act(fresh(), "document_changes", document_id="doc_refund_policy")
    assert found["compared_with"]["id"] == "ver_refund_2"
    assert [("100.00 EUR" in each["was"], "150.00 EUR" in each["now"]) for each in found["changes"]] == [
        (True, True)
    ] * 2


@pytest.mark.parametrize(("since", "version", "count"), [("2025-01-01", "ver_refund_1", 4), ("2026-02-01", None, 0)])
def test_the_wording_of_a_day_is_compared(since: str, version: str | None, count: int) -> None:
    found = act(fresh(), "document_changes", document_id="doc_refund_policy", since=since)
    assert ((found["compared_with"] or {}).get("id"), len(found["changes"])) == (version, count)


def test_dates_and_periods_of_a_contract_are_gathered() -> None:
    found = act(fresh(), "extract_deadlines", document_id="doc_supplier_glass")["deadlines"]
    assert [each["day"] for each in found if each["kind"] == "date"] == ["2026-12-31", "2027-05-31"]
    assert [each["words"] for each in found if each["kind"] == "period"][:3] == ["one year", "six months", "21 days"]


def test_a_date_without_a_year_is_the_one_near_the_writing() -> None:
    found = act(fresh(), "extract_deadlines", document_id="doc_security_round", kind="date")
    assert [each["day"] for each in found["deadlines"]] == ["2026-02-18", "2026-03-13", "2026-05-18"]
    ahead = act(fresh(), "extract_deadlines", document_id="doc_security_round", kind="date", ahead_only=True)
    assert ahead["of"] == 2


def test_german_periods_are_read() -> None:
    found = act(fresh(), "extract_deadlines", document_id="doc_returns_de", kind="period")["deadlines"]
    assert [each["words"] for each in found] == ["14 Tagen", "14 Tagen", "fünf Werktagen"]


def test_papers_without_a_revision_come_oldest_first() -> None:
    found = act(fresh(), "stale_documents", months=6)["documents"]
    assert ids(found) == ["doc_supplier_glass", "doc_warranty", "doc_privacy_requests"]
    assert ids(act(fresh(), "stale_documents", months=6, owner="Ines")["documents"]) == ["doc_warranty"]


def test_a_suggestion_goes_to_the_owner_and_leaves_the_paper() -> None:
    world = fresh()
    before = world.find("documents", "doc_onboarding")
    made = act(world, "suggest_document_change", **HINT)
    assert (made["decides"], made["suggestion"]["state"]) == ("Ines Albrecht", "open")
    assert world.find("documents", "doc_onboarding") == before


@pytest.mark.parametrize(
    ("tool_id", "arguments", "cause"),
    [
        ("compare_documents", {"first_id": "doc_warranty", "second_id": "doc_warranty"}, "are both doc_warranty"),
        ("compare_documents", {"first_id": "doc_warranty", "second_id": "warranty"}, "second_id names no document"),
        (
            "compare_documents",
            {"first_id": "doc_warranty", "second_id": "doc_onboarding", "subject": "sailing"},
            "Neither paper says anything on the subject 'sailing'",
        ),
        ("document_changes", {"document_id": "doc_warranty"}, "No earlier wording of doc_warranty is kept"),
        ("document_changes", {"document_id": "doc_refund_policy", "since": "last year"}, "since has 9 characters"),
        ("extract_deadlines", {"document_id": "doc_x"}, "document_id names no document"),
        ("extract_deadlines", {"document_id": "doc_warranty", "kind": "hour"}, "send one of date, period"),
        ("stale_documents", {"months": 0}, "months is 0"),
        ("stale_documents", {"months": 3, "owner": "Nobody"}, "owner names nobody"),
        ("suggest_document_change", {**HINT, "passage": "three weeks ahead"}, "does not stand there"),
        ("suggest_document_change", {**HINT, "passage": "day"}, "times in doc_onboarding"),
        ("suggest_document_change", {**HINT, "replacement": HINT["passage"]}, "are equal"),
    ],
)
def test_what_papers_cannot_tell_is_refused(tool_id: str, arguments: dict[str, Any], cause: str) -> None:
    assert cause in refusal(fresh(), tool_id, **arguments)
