"""Lines of Codex CLI as what they mean, and the versions and settings that it is started with."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.agents.agent import Usage
from arena.agents.codex import said
from arena.agents.codex.flags import toml
from arena.agents.codex.program import Unusable, find, read_version
from tests.arena.agents.codex.playing import USAGE


@pytest.mark.parametrize(
    ("line", "means"),
    [
        ({"type": "turn.started"}, said.Began()),
        ({"type": "item.completed", "item": {"type": "agent_message", "text": "Five."}}, said.Message("Five.")),
        ({"type": "item.started", "item": {"type": "agent_message", "text": "Fi"}}, None),
        ({"type": "item.completed", "item": {"type": "reasoning", "text": "Hm."}}, said.Thought("Hm.")),
        ({"type": "item.started", "item": {"type": "mcp_tool_call", "tool": "read_file"}}, said.CallBegan("read_file")),
        ({"type": "item.completed", "item": {"type": "error", "message": "odd"}}, said.Trouble("odd", final=False)),
        ({"type": "turn.failed", "error": {"message": "no"}}, said.Trouble("no", final=True)),
        ({"type": "turn.completed", "usage": USAGE}, said.Done(Usage(900, 40, 300, 0, 8))),
        ({"type": "turn.completed"}, said.Done(Usage())),
        ({"type": "thread.started"}, None),
        ({"type": "item.completed", "item": None}, None),
        ([], None),
    ],
)
def test_a_line_means(line: Any, means: said.Said | None) -> None:
    assert said.read(json.dumps(line).encode()) == means


@given(st.binary(max_size=200))
def test_no_line_breaks_the_reader(line: bytes) -> None:
    said.read(line)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*USAGE, "type", "item"]), inner),
    max_leaves=8,
)


@given(json_values, st.sampled_from(["item.completed", "item.started", "turn.completed", "turn.failed", "error"]))
def test_no_shape_breaks_the_reader_or_invents_a_count(value: Any, kind: str) -> None:
    read = said.read(json.dumps({"type": kind, "item": value, "usage": value, "error": value}).encode())
    if isinstance(read, said.Done):
        counts = value if isinstance(value, dict) else {}
        assert read.usage.input_tokens in (None, counts.get("input_tokens"))


@pytest.mark.parametrize(
    ("counts", "usage"),
    [
        ({"input_tokens": 5, "cached_input_tokens": 6}, Usage(input_tokens=5)),
        ({"input_tokens": -1, "output_tokens": True}, Usage()),
        ({"input_tokens": 0, "output_tokens": 0}, Usage(0, 0)),
        ({"output_tokens": 2, "reasoning_output_tokens": 3}, Usage(output_tokens=2)),
        ("none", Usage()),
    ],
)
def test_counts_that_cannot_be_are_unknown(counts: object, usage: Usage) -> None:
    assert said.usage(counts) == usage


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_is_a_text_of_toml(text: str) -> None:
    assert tomllib.loads(f"x = {toml({text: [text, True, 3]})}")["x"] == {text: [text, True, 3]}


@pytest.mark.parametrize(
    ("words", "version"),
    [("codex-cli 0.171.0\n", "0.171.0"), ("codex-cli 1.0.0-alpha.2", "1.0.0"), ("codex 0.155.0", "0.155.0")],
)
def test_a_version_is_read(words: str, version: str) -> None:
    assert read_version(words, "/bin/codex") == version


@pytest.mark.parametrize(
    ("words", "says"),
    [("codex-cli 0.154.9", "too old"), ("v22.1.0", "does not say that it is Codex CLI"), ("", "does not say")],
)
def test_a_wrong_version_is_refused(words: str, says: str) -> None:
    with pytest.raises(Unusable, match=says):
        read_version(words, "/bin/codex")


def test_a_missing_program_says_how_to_install_it() -> None:
    with pytest.raises(Unusable, match=r"npm install --global @openai/codex.*CODEX_BIN"):
        find("/nowhere/codex")
