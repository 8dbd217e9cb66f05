"""What is kept of a request: secrets of the state by name, credentials everywhere by form, ids and labels untouched."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine.redaction import REDACTED
from policy.engine.redaction.stored import stored

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("wire", "kept"),
    [
        ({"state": {"apiKey": "x", "deep": [{"pwd": {"a": 1}}]}}, {"apiKey": REDACTED, "deep": [{"pwd": REDACTED}]}),
        ({"state": "token=abcdef12345"}, f"token={REDACTED}"),
        ({"state": {"max_tokens": 5}}, {"max_tokens": 5}),
    ],
    ids=["names", "a text", "a number of tokens"],
)
def test_a_state_loses_what_its_names_and_forms_call_secret(wire: dict[str, Any], kept: Any) -> None:
    assert stored(wire).value["state"] == kept


def test_a_question_about_tokens_keeps_its_ids_and_labels() -> None:
    questions = {"rel_token": {"criteria": {"rotate_secret": "Rotates a secret.", "none": None}}}
    found = stored({"state": {}, "questions": questions})
    assert (found.value["questions"], found.changed) == (questions, False)


@given(JSON)
def test_what_was_masked_is_not_masked_again(state: Any) -> None:
    once = stored({"state": state, "questions": {}})
    assert stored(once.value).changed is False
    assert once.changed is (once.value["state"] != state)
