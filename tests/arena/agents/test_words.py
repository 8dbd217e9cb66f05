"""Words, stems and the two languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.agents import words


@pytest.mark.parametrize(
    ("one", "other"),
    [("files", "filing"), ("cancel", "cancelled"), ("running", "run"), ("categories", "category"), ("planned", "plan")],
)
def test_forms_of_one_word_share_a_stem(one: str, other: str) -> None:
    assert words.stem(one) == words.stem(other)


@pytest.mark.parametrize("word", ["is", "bed", "ring", "yes", "bus"])
def test_short_words_keep_their_letters(word: str) -> None:
    assert words.stem(word) == word


def test_names_of_code_are_several_words() -> None:
    assert words.raw_words("read_file requestTimeoutMs") == ["read", "file", "request", "timeout", "ms"]


def test_words_without_content_are_dropped() -> None:
    assert words.content_words("What is the total of this order?") == [words.stem("total"), words.stem("order")]


@pytest.mark.parametrize(
    ("german", "english"),
    [("bestellungen", "order"), ("storniere", "cancel"), ("kundenkonto", "account"), ("rechnungsnummer", "invoice")],
)
def test_german_words_and_compounds_have_english_ones(german: str, english: str) -> None:
    assert english in words.english(german)


def test_the_meanings_of_a_german_word_are_one_concept() -> None:
    assert words.concepts("Lösche den Eintrag", german=True) == [
        (words.stem("delete"), words.stem("remove")),
        (words.stem("entry"), words.stem("record")),
    ]


@pytest.mark.parametrize(
    ("text", "german"),
    [
        ("Storniere die Bestellung 4832.", True),
        ("Wann läuft der Vertrag aus?", True),
        ("Cancel the order of Mr Müller.", False),
        ("What was corrected in the invoice?", False),
        ("", False),
    ],
)
def test_the_language_is_told_by_its_small_words(text: str, german: bool) -> None:
    assert words.is_german(text) is german


@given(st.text(max_size=30))
def test_any_text_has_words_and_stems(text: str) -> None:
    assert all(words.content_words(text))
    assert all(concept and all(concept) for concept in words.concepts(text, german=True))
