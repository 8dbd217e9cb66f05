from __future__ import annotations

import pytest

from tests.arena.worlds.office import act, fresh, ids, refusal


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("refund limit photo of the damage", "doc_refund_policy"),
        ("price per Halo pendant in the contract with Feinglas", "doc_supplier_glass"),
        ("how long are debug logs kept", "doc_log_retention"),
        ("Widerruf Rücksendung Kosten", "doc_returns_de"),
    ],
)
def test_the_paper_on_the_subject_comes_first(query: str, best: str) -> None:
    assert ids(act(fresh(), "search_documents", query=query)["documents"])[0] == best


def test_a_hit_shows_the_passage_that_fits_best() -> None:
    found = act(fresh(), "search_documents", query="debug lines deleted after days", limit=1)
    assert found["documents"][0]["passage"].startswith("Debug lines may be deleted after seven days")
    assert found["of"] > 1


def test_papers_are_filtered_by_kind() -> None:
    found = act(fresh(), "search_documents", query="delivery", kind="contract")
    assert ids(found["documents"]) == ["doc_supplier_glass"]


def test_a_query_without_a_subject_is_refused() -> None:
    assert "query holds no word of three letters" in refusal(fresh(), "search_documents", query="?? a")


def test_a_paper_is_read_in_full() -> None:
    assert "up to 150.00 EUR" in act(fresh(), "read_document", document_id="doc_refund_policy")["body"]


def test_an_unknown_paper_names_the_nearest() -> None:
    assert "the nearest are doc_refund_policy" in refusal(fresh(), "read_document", document_id="refund_policy")
