"""Short copies of what a judge sent."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from policy.engine.canonical import canonical_json
from policy.engine.shorten import shorten
from tests.policy.engine.test_canonical import ANYTHING


@pytest.mark.parametrize(
    ("value", "short"),
    [
        ("x" * 130, "x" * 120 + "…"),
        ([1, 2, 3], "[array length 3]"),
        (float("nan"), "nan"),
        (10**20, "[integer of 67 bits]"),
        ({"a": {"b": 1}, "c": [0]}, {"a": "[object with 1 keys]", "c": "[array length 1]"}),
        (0.25, 0.25),
    ],
)
def test_values_are_shown_by_kind_and_size(value: Any, short: Any) -> None:
    assert shorten(value) == short


def test_an_object_shows_eight_keys_and_how_many_more() -> None:
    short = shorten({f"k{number}": number for number in range(11)})
    assert len(short) == 9
    assert short["…"] == "3 more"


@settings(max_examples=40)
@given(ANYTHING)
def test_a_short_copy_is_small_json(value: Any) -> None:
    assert len(canonical_json(shorten(value))) < 30_000
