"""Literals of a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.agents import entities
from arena.agents.entities import Kind


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("Open src/cart.ts now", Kind.PATH, "src/cart.ts"),
        ("see README.md.", Kind.PATH, "README.md"),
        ("write to a.meyer@post.example, please", Kind.EMAIL, "a.meyer@post.example"),
        ("since 2026-03-11", Kind.DATE, "2026-03-11"),
        ("ticket T-1025", Kind.ID, "T-1025"),
        ("commit c_6b5178", Kind.ID, "c_6b5178"),
        ("article LMP-DSK-02", Kind.ID, "LMP-DSK-02"),
        ("order 4801", Kind.NUMBER, "4801"),
        ("45.50 euros", Kind.NUMBER, "45.50"),
        ("version 2.14.0 broke", Kind.VERSION, "2.14.0"),
        ("what does `sum([2, 3])` give", Kind.CODE, "sum([2, 3])"),
        ("say “hello there”", Kind.QUOTED, "hello there"),
        ("das Ticket „Lampe flackert“", Kind.QUOTED, "Lampe flackert"),
        ("who uses requestTimeoutMs", Kind.SYMBOL, "requestTimeoutMs"),
        ("the series orders_per_hour", Kind.SYMBOL, "orders_per_hour"),
        ("see https://a.example/b?c=1.", Kind.URL, "https://a.example/b?c=1"),
        ("what did Anna Meyer buy", Kind.NAME, "Anna Meyer"),
        ("Meyer has moved", Kind.NAME, "Meyer"),
    ],
)
def test_a_literal_is_found_with_its_kind(text: str, kind: Kind, value: str) -> None:
    assert (kind, value) in [(entity.kind, entity.value) for entity in entities.find(text)]


def test_plain_words_are_no_literals() -> None:
    assert entities.find("Please make this a little better, and soon.") == ()


def test_literals_are_taken_out_so_that_their_words_choose_no_tool() -> None:
    assert "order" not in entities.blanked("Read docs/order.md, then answer.")


def test_a_literal_is_held_as_a_whole_only() -> None:
    assert entities.holds("order 12, then", "12")
    assert not entities.holds("G-12", "12")
    assert not entities.holds("4812", "12")


@given(st.text(max_size=60))
def test_literals_never_overlap_and_stay_inside_the_text(text: str) -> None:
    found = entities.find(text)
    edges = [edge for entity in found for edge in (entity.start, entity.end)]
    assert edges == sorted(edges)
    assert all(entity.value in text for entity in found)
