"""Bytes as JSON: what two readers could understand differently is refused, and its place is named."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.judges.http.replies import NotJson, parsed
from tests.policy.judges.http.asking import ask, replies, target

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_what_json_can_say_is_read_as_it_is(value: Any) -> None:
    assert parsed(json.dumps(value).encode()) == value
    assert parsed(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")) == value


@pytest.mark.parametrize(
    ("raw", "path", "says"),
    [
        (b"", "body", "is empty"),
        (b" \n ", "body", "is empty"),
        (b"\xff\xfe{}", "body", "is not UTF-8 at byte 0"),
        (b"<!DOCTYPE html><html>", "body", "at character 0: it looks like a web page"),
        (b"data: {}\n\n", "body", "at character 0: it looks like a stream of events"),
        (b")]}'\n{}", "body", "at character 0: it begins with a guard against scripts"),
        (b'{"a": 1', "body", "it ends too early"),
        (b"{'a': 1}", "body", "is not JSON at character 1"),
        (b'{"a": NaN}', "a", "NaN is no number in JSON"),
        (b'{"answers": {"go": {"noul": [1, -Infinity]}}}', "answers.go.noul[1]", "-Infinity is no number in JSON"),
        (b'{"a": 1e999}', "a", "a number is too large to be kept"),
        (b'{"a": {"x": 1, "x": 2}}', "a.x", "the name comes twice in one object"),
        (b'{"a": "\\ud800"}', "a", "half of a character"),
        (b'{"\\ud800": 1}', "", "a name has half of a character"),
        (b'{"a": ' + b"9" * 5000 + b"}", "body", "an integer of thousands of digits"),
        (b"[" * 100 + b"]" * 100, "[0]" * 65, "nested more than 64 levels"),
        (b"[" * 200_000, "body", "nested more than 64 levels"),
    ],
)
def test_anything_else_is_refused_with_its_place(raw: bytes, path: str, says: str) -> None:
    with pytest.raises(NotJson) as refused:
        parsed(raw)
    (violation,) = refused.value.violations[:1]
    assert (violation.path, says in violation.message) == (path, True), violation


@given(st.binary(max_size=60))
def test_no_bytes_break_the_reader(raw: bytes) -> None:
    told = ask(target(), handler=replies(raw))
    assert told.code == "INVALID_RESPONSE"
    assert told.failure is not None
    assert told.failure.violations


def test_a_byte_order_mark_is_no_fault() -> None:
    assert parsed(b"\xef\xbb\xbf{}") == {}


def test_many_faults_are_listed_up_to_eight() -> None:
    with pytest.raises(NotJson) as refused:
        parsed(b"[" + b",".join([b"NaN"] * 20) + b"]")
    assert len(refused.value.violations) == 8


def test_a_packed_reply_is_not_unpacked(awaited: bool) -> None:
    told = ask(target(), handler=replies(b"\x1f\x8b", Content_Encoding="gzip"), awaited=awaited)
    assert told.code == "INVALID_RESPONSE"
    assert "is compressed, which was not asked for" in told.message


def test_the_type_of_the_content_is_not_trusted_and_not_needed() -> None:
    told = ask(target(), handler=replies(b'{"model": "m", "answers": {}}', Content_Type="text/plain"))
    assert told.reply is not None
