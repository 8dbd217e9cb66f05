"""The arena's cases as examples of the policy lab."""

from __future__ import annotations

import pytest

from arena.examples import Cases
from arena.library import library
from policy.lab import examples, functions


def test_every_case_is_an_example_and_those_with_a_restriction_come_first() -> None:
    listed = examples.titles()
    assert {each.id for each in listed} == {case.id for case in library().cases}
    restricted = [bool(library().case(each.id).restrictions) for each in listed]
    assert restricted == sorted(restricted, reverse=True)


def test_an_example_has_the_menu_and_the_call_that_would_be_wrong() -> None:
    found = examples.find("nothing-goes-yet")
    assert found is not None
    assert found.call is not None
    assert found.call.tool == "purge_logs"
    assert next(each for each in found.candidates if each.id == "purge_logs").restricted
    assert {category for each in found.candidates for category in each.categories} == {c.id for c in found.categories}


@pytest.mark.django_db
@pytest.mark.parametrize("function", functions.FUNCTIONS, ids=lambda function: function.key)
def test_every_example_fills_a_form_that_can_be_sent(function: functions.Function) -> None:
    for title in examples.titles(with_call=function.key == "call"):
        found = examples.find(title.id)
        assert found is not None
        form = function.form(function.filled(found))
        assert form.is_valid(), (title.id, form.errors)


def test_the_first_examples_exist() -> None:
    assert all(examples.find(examples.first(function.key)) for function in functions.FUNCTIONS)


def test_a_case_that_is_not_there_is_no_example() -> None:
    assert examples.find("gone") is None


def test_the_same_source_is_offered_once() -> None:
    before = len(examples.titles())
    source = Cases()
    examples.register(source)
    examples.register(source)
    try:
        assert len(examples.titles()) == 2 * before
    finally:
        examples._sources.remove(source)
