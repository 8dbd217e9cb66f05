from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.evidence.wording import names, same


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("It is 5.", "5"),
        ("sum([2, 3]) = **5**", "5"),
        ("3,000 ms", "3000"),
        ("3.000ms", "3000"),
        ('{"timeout":3000}', "3000"),
        ("89,90 €", "89.90"),
        ("EUR 1 289,90", "1289.9"),
        ("-5 Grad", "-5"),
        ("12 345 items", "12"),
        ("see SRC/sum.ts: there", "src/sum.ts"),
        ("wohnt in der\nMusterstraße", "der MUSTERSTRASSE"),
        ("order LL-1042.", "LL-1042"),
    ],
)
def test_a_value_is_found_as_people_write_it(text: str, value: str) -> None:
    assert names(text, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("15 of 50", "5"),
        ("2.5 or 5/2", "5"),
        ("A-5 and v5", "5"),
        ("2026-05-05 at 10:05", "5"),
        ("1,500", "500"),
        ("30000", "3000"),
        ("src/sum.tsx", "src/sum.ts"),
        ("LL-1042", "LL-104"),
        ("", "5"),
        ("anything", " "),
    ],
)
def test_a_part_of_a_longer_value_does_not_count(text: str, value: str) -> None:
    assert not names(text, value)


@given(st.decimals(min_value=0, max_value=10**9, places=2, allow_nan=False))
def test_every_amount_is_found_in_english_and_german_spelling(amount: Decimal) -> None:
    english = f"{amount:,.2f}"
    german = english.translate(str.maketrans(",.", ".,"))
    assert names(f"It costs {english} today.", str(amount))
    assert names(f"Es kostet {german} heute.", str(amount))


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_plain_number_is_only_itself(written: int, wanted: int) -> None:
    assert names(f"It is {written}.", str(wanted)) is (written == wanted)


@pytest.mark.parametrize(
    ("found", "wanted", "equal"),
    [
        ("129.00", 129, True),
        ("High ", "high", True),
        (True, True, True),
        (1, True, False),
        (["A", 2], ["a", "2.0"], True),
        (["a"], ["a", "b"], False),
        (None, "", False),
        ("a b", "a  B", True),
    ],
)
def test_fields_agree_as_people_read_them(found: object, wanted: object, equal: bool) -> None:
    assert same(found, wanted) is equal
