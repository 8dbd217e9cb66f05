"""Bounded calls: what is cut is marked and on record, and equal calls stay equal."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine.bounded_call import CUT, LossKind, bound_call, bound_texts, bound_value
from policy.engine.call_key import call_key, compact
from policy.engine.profile import InvalidConfig, Limits

BOUNDS: dict[str, Any] = {"max_chars": 10, "max_items": 3, "max_depth": 2}
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=14) | st.binary(max_size=2)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3), inner, max_size=5)
)
ARGUMENTS = st.dictionaries(st.text(max_size=4), VALUES, max_size=5)


def kinds(value: Any, **changed: Any) -> list[tuple[str, LossKind]]:
    return [(loss.path, loss.kind) for loss in bound_value(value, **{**BOUNDS, **changed}).losses]


def within(value: Any, depth: int) -> bool:
    """Each bound, and the marker that stands behind a cut."""
    if isinstance(value, str):
        return len(value) <= 10 + len(CUT)
    if isinstance(value, list):
        return depth > 0 and len(value) <= 4 and all(within(item, depth - 1) for item in value)
    if isinstance(value, dict):
        return depth > 0 and len(value) <= 5 and all(within(k, 1) and within(v, depth - 1) for k, v in value.items())
    return value is None or isinstance(value, int | float)


def shuffled(value: Any, dice: random.Random) -> Any:
    """The same value with the keys of every object in another order."""
    if isinstance(value, dict):
        entries = [(key, shuffled(item, dice)) for key, item in value.items()]
        return dict(dice.sample(entries, len(entries)))
    return [shuffled(item, dice) for item in value] if isinstance(value, list) else value


@given(VALUES)
def test_a_bounded_value_is_within_its_bounds_and_json(value: Any) -> None:
    bounded = bound_value(value, **BOUNDS, max_keys=4)
    assert within(bounded.value, 2)
    assert json.loads(json.dumps(bounded.value, allow_nan=False)) == bounded.value


@given(VALUES)
def test_a_complete_value_is_bounded_to_itself(value: Any) -> None:
    once = bound_value(value, max_chars=20, max_items=5, max_depth=4)
    if not once.losses:
        again = bound_value(once.value, max_chars=20, max_items=5, max_depth=4)
        assert (again.value, again.losses) == (once.value, ())


@given(ARGUMENTS, st.randoms(use_true_random=False))
def test_the_order_of_keys_never_matters(arguments: dict[str, Any], dice: random.Random) -> None:
    first = bound_call(tool="t", arguments=arguments, limits=Limits())
    assert bound_call(tool="t", arguments=shuffled(arguments, dice), limits=Limits()) == first


FLAT = st.dictionaries(
    st.sampled_from(["to", "api key", "pass.word", "n", "körper"]) | st.text(max_size=3),
    SCALARS
    | st.sampled_from([1.0, -0.0, 2**70, 10**18, "a" * 1300, "pwd=x", "http://u:p@h", "\ud800", "use Bearer x", "1.0"])
    | st.lists(SCALARS, max_size=3)
    | st.dictionaries(st.text(max_size=2) | st.integers(0, 3), SCALARS, max_size=2),
    max_size=5,
)


@given(FLAT)
def test_a_call_is_bounded_and_signed_the_same_at_first_sight_and_at_a_closer_look(arguments: dict[str, Any]) -> None:
    limits = Limits()
    call = bound_call(tool="t", arguments=arguments, limits=limits)
    closer = bound_value(
        arguments,
        max_chars=limits.max_argument_chars,
        max_items=limits.max_array_items,
        max_depth=limits.max_depth,
    )
    assert call.arguments == compact(closer.value)
    assert len(call.losses) == len(closer.losses)
    assert call.signature == call_key("t", arguments)[:16]


@pytest.mark.parametrize(
    ("value", "path", "kind"),
    [
        ({"to": {"cc": "x" * 11}}, "to.cc", LossKind.LENGTH),
        ({"to": [1, 2, 3, 4]}, "to", LossKind.ITEMS),
        ([[1, {"a": 1}]], "[0][1]", LossKind.DEPTH),
        ({"a": {1, 2}}, "a", LossKind.TYPE),
        ({"a": "x\0y"}, "a", LossKind.CHARACTERS),
        ({1: "a", "1": "b"}, "", LossKind.KEYS),
        ({"n": 10**20}, "n", LossKind.LENGTH),
        ({"n": 10**9999}, "n", LossKind.LENGTH),
        ({"password: x;reboot": 1}, "password: [redacted]", LossKind.HIDDEN),
    ],
)
def test_every_loss_has_its_place_and_kind(value: Any, path: str, kind: LossKind) -> None:
    assert (path, kind) in kinds(value)


def test_a_marker_that_a_caller_wrote_is_no_loss() -> None:
    assert kinds({"a": "[2 more]", "b": ["[depth]"], "c": "…[trunca"}) == []


def test_what_contains_itself_is_circular_and_what_is_shared_is_not() -> None:
    ring: list[Any] = [1]
    ring.append(ring)
    shared = [1]
    assert bound_value(ring, **BOUNDS).value == [1, "[circular]"]
    assert bound_value([shared, shared], **BOUNDS).value == [[1], [1]]
    assert kinds([shared, shared]) == []


def test_lengths_are_code_points() -> None:
    assert kinds("😀" * 10) == []
    assert kinds("😀" * 11) == [("", LossKind.LENGTH)]


def test_keys_are_sorted_before_they_are_capped() -> None:
    keys = [f"k{number:02}" for number in range(70)]
    bounded = bound_value(dict.fromkeys(reversed(keys), 1), **BOUNDS)
    assert list(bounded.value) == [*keys[:64], "[truncated]"]
    assert bounded.losses[0].kind is LossKind.KEYS


def test_a_secret_is_no_loss_and_changes_the_signature_only() -> None:
    calls = [bound_call(tool="t", arguments={"api-key": key}, limits=Limits()) for key in ("a", "b" * 5_000)]
    assert [call.arguments for call in calls] == ['{"api-key":"[redacted]"}'] * 2
    assert [call.losses for call in calls] == [(), ()]
    assert calls[0].signature != calls[1].signature


def test_a_call_is_bounded_as_a_whole() -> None:
    fits = {f"p{number}": "x" * 990 for number in range(4)}
    assert bound_call(tool="t", arguments=fits, limits=Limits()).losses == ()
    over = bound_call(tool="t", arguments={**fits, "q": "x" * 990}, limits=Limits())
    assert [str(loss) for loss in over.losses] == ["call: longer than the bound"]
    assert len(over.arguments) <= 4_000 + len(CUT)


@pytest.mark.parametrize(
    ("tool", "kind"),
    [
        ("x" * 1_201, LossKind.LENGTH),
        ("a\x00", LossKind.CHARACTERS),
        ("curl -H 'Authorization: Bearer hunter2'", LossKind.MASKED),
    ],
)
def test_a_name_of_a_tool_that_cannot_be_sent_says_why(tool: str, kind: LossKind) -> None:
    bounded = bound_call(tool=tool, arguments={}, limits=Limits())
    assert [loss.kind for loss in bounded.losses] == [kind]
    assert "hunter2" not in bounded.tool


@pytest.mark.parametrize("tool", ["", "  ", "x" * 1_201])
def test_a_call_needs_the_name_of_a_tool(tool: str) -> None:
    assert bound_call(tool=tool, arguments={}, limits=Limits()).losses[0].path == "tool"


def test_texts_are_bounded_each_and_together_and_never_lose_words_to_a_mask() -> None:
    def losses(*texts: str) -> list[str]:
        return [str(loss) for loss in bound_texts(texts, name="rules", max_chars=20, max_total=45).losses]

    assert losses("no mail", "x" * 20) == []
    assert losses("no mail", "x" * 21) == ["rules[1]: longer than the bound"]
    assert losses(*["x" * 20] * 3) == ["rules: longer than the bound"]
    assert losses("no pwd=abcdefg") == ["rules[0]: words that look like a credential"]


def test_unusable_redaction_keys_are_refused_by_name() -> None:
    with pytest.raises(InvalidConfig, match="redactKeys"):
        bound_call(tool="t", arguments={}, limits=Limits(), redact_keys=["-"])
