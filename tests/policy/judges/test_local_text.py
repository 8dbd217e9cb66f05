"""Words, stems, clauses, and what of a state is asked."""

from __future__ import annotations

import pytest

from policy.judges.local.bm25 import bm25, letter_overlap, overlap
from policy.judges.local.text import MAX_UNITS, asked, clauses, plain, stem, stems, words


def test_words_are_taken_apart_and_folded() -> None:
    assert words("readFile list_all GRÖSSE Straße") == ["read", "file", "list", "all", "grosse", "strasse"]


@pytest.mark.parametrize(
    ("one", "other"),
    [("file", "files"), ("orders", "order"), ("reading", "reads"), ("stopped", "stop"), ("Kunden", "Kunde")],
)
def test_forms_of_a_word_share_a_stem(one: str, other: str) -> None:
    assert stem(one.lower()) == stem(other.lower())


def test_words_that_name_nothing_are_left_out_in_both_languages() -> None:
    assert stems("Please show me the parcel") == ["show", "parcel"]
    assert stems("Bitte zeig mir das Paket") == ["zeig", "paket"]


def test_a_task_is_cut_at_and_then_comma_and_their_german_kin() -> None:
    found = clauses(
        ("Open src/a.py and count its lines, then mail the number. Lies den Text und dann fass ihn zusammen",)
    )
    assert found[:3] == ("Open src/a.py", "count its lines", "mail the number")
    assert found[3:] == ("Lies den Text", "fass ihn zusammen")


def test_a_single_clause_is_not_repeated() -> None:
    assert clauses(("Count the lines.",)) == ()


def test_the_longest_clauses_are_kept_in_order() -> None:
    whole = ", ".join(f"step {'x' * number} of it" for number in range(20))
    found = clauses((whole,))
    assert len(found) == MAX_UNITS - 1
    assert [len(clause) for clause in found] == sorted(len(clause) for clause in found)


def test_names_of_things_become_plain_words() -> None:
    said = 'Mail ann@example.org that src/a.py calls roundUp for T-118 and says "done".'
    assert plain(said) == "Mail address that file calls function for item and says text."


def test_task_and_step_are_asked_and_the_rest_of_the_state_is_not() -> None:
    assert asked({"notice": "untrusted", "task": "Count.", "step": "Open it."}) == ("Count.", "Open it.")
    assert asked({"ticket": {"title": "Late", "tags": ["parcel"]}}) == ("Late parcel",)


def test_a_rare_word_weighs_more_than_one_that_all_texts_hold() -> None:
    texts = [["count", "line"], ["count", "page"], ["count", "word"]]
    scores = bm25(["count", "page"], texts)
    assert scores[1] > scores[0] == scores[2] > 0


def test_overlaps_are_shares_of_what_was_said() -> None:
    assert overlap(["count", "page"], ["page"]) == 0.5
    assert overlap([], ["page"]) == letter_overlap("", "page") == letter_overlap("page", "") == 0
    assert letter_overlap("Rechnungsnummer", "rechnung") > letter_overlap("Rechnungsnummer", "lieferung")
