"""Canonical JSON and digests."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from policy.engine.canonical import MAX_DEPTH, canonical_json, digest, json_safe

TEXT = st.text(st.characters(codec=None))
ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
)


@given(st.dictionaries(st.text(), st.integers()))
def test_equal_objects_have_equal_digests_in_any_order(value: dict[str, int]) -> None:
    assert digest(dict(reversed(value.items()))) == digest(value)


def test_canonical_json_is_sorted_compact_ascii() -> None:
    assert canonical_json({"b": "ä", "a": [1, 0.5]}) == '{"a":[1,0.5],"b":"\\u00e4"}'


def test_numbers_that_json_lacks_are_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json(float("nan"))


@settings(max_examples=40)
@given(ANYTHING)
def test_a_safe_copy_is_json_and_stays_as_it_is(value: Any) -> None:
    safe = json_safe(value)
    assert json_safe(json.loads(canonical_json(safe))) == safe
    canonical_json(safe).encode("ascii")


def test_a_safe_copy_ends_at_a_depth() -> None:
    deep: Any = 1
    for _ in range(MAX_DEPTH + 5):
        deep = [deep]
    assert "[depth limit]" in canonical_json(json_safe(deep))
