from __future__ import annotations

from datetime import date

import pytest

from arena.worlds import prose


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two? Three!", ["One.", "Two?", "Three!"]),
        ("Ich ziehe am 20. März um. Danke.", ["Ich ziehe am 20. März um.", "Danke."]),
        ("Order 4819. What now?", ["Order 4819.", "What now?"]),
        ("It costs 129.00 EUR. Fine.", ["It costs 129.00 EUR.", "Fine."]),
    ],
)
def test_sentences_end_where_a_reader_stops(text: str, parts: list[str]) -> None:
    assert prose.sentences(text) == parts


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("due on 18 May", [date(2026, 5, 18)]),
        ("renewed on 18 December", [date(2025, 12, 18)]),
        ("until 31 May 2027 or 2026-04-01", [date(2027, 5, 31), date(2026, 4, 1)]),
        ("am 3. März 2026", [date(2026, 3, 3)]),
        ("30 February 2026, 2026-02-30", []),
    ],
)
def test_dates_are_read_in_both_languages(text: str, days: list[date]) -> None:
    assert [day for _, day in prose.dates(text, date(2026, 2, 27))] == days


def test_figures_and_periods_are_taken_as_written() -> None:
    text = "Up to 150.00 EUR within 30 days; five percent after two working days, 14 Tage Frist."
    assert prose.figures(text) == ["150.00 EUR", "five percent", "30 days", "two working days", "14 Tage"]


def test_words_meet_by_their_stems() -> None:
    assert prose.stems("Refunds, of deliveries") & prose.stems("refund delivery") == {"refund", "delive"}
