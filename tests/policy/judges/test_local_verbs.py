"""What a clause wants done and what a tool does."""

from __future__ import annotations

import pytest

from policy.judges.local.verbs import Deed, agreement, all_of, of_clause, of_offer, same_deed


@pytest.mark.parametrize(
    ("clause", "deed"),
    [
        ("Show me the orders", Deed.OBSERVE),
        ("Which of them is late?", Deed.OBSERVE),
        ("Lösche den Entwurf", Deed.REMOVE),
        ("Please rename the column", Deed.CHANGE),
        ("Schick ihr den Plan", Deed.SEND),
    ],
)
def test_the_first_known_verb_says_what_a_clause_wants(clause: str, deed: Deed) -> None:
    assert of_clause(clause) == {deed}


def test_a_tool_is_read_by_its_id_before_its_description() -> None:
    assert of_offer("drop_table Show nothing, erase everything.") == {Deed.REMOVE}
    assert of_offer("water_plants Garden.") == frozenset()


def test_every_deed_of_a_text_is_found() -> None:
    assert all_of("Do not delete or forward the list") == {Deed.REMOVE, Deed.SEND, Deed.OBSERVE}


def test_looking_and_doing_agree_with_their_own_kind_only() -> None:
    looks, removes, sends = frozenset({Deed.OBSERVE}), frozenset({Deed.REMOVE}), frozenset({Deed.SEND})
    assert agreement([looks], looks) == agreement([looks, removes], sends) == 1
    assert agreement([looks], removes) == agreement([removes], looks) == -1


def test_a_deed_is_the_same_only_within_its_class() -> None:
    makes, removes = frozenset({Deed.MAKE}), frozenset({Deed.REMOVE})
    assert same_deed([removes, makes], makes) == 1
    assert same_deed([removes], makes) == -1
    assert same_deed([frozenset()], makes) == same_deed([makes], frozenset()) == 0


def test_an_unknown_verb_speaks_neither_for_nor_against() -> None:
    assert agreement([frozenset()], frozenset({Deed.SEND})) == agreement([frozenset({Deed.SEND})], frozenset()) == 0
