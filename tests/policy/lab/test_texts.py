"""What people type, read and written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine.model_routing import Route, Target
from policy.engine.selection import Candidate, Category
from policy.engine.skill_routing import Skill
from policy.lab import texts

NAMES = st.from_regex(r"[a-z_]{1,8}", fullmatch=True)
ABOUT = st.none() | st.from_regex(r"[A-Z][a-z:/ ]{0,12}[a-z.]", fullmatch=True).map(lambda text: " ".join(text.split()))


def test_a_tool_stands_on_a_line_with_its_category() -> None:
    assert texts.read_tools("mail / send_mail: Sends a mail: now.\n\nping") == [
        Candidate("send_mail", ("mail",), "Sends a mail: now."),
        Candidate("ping", ()),
    ]
    assert texts.read_tools("net, web / mcp:io/ping") == [Candidate("mcp:io/ping", ("net", "web"))]


def test_a_restricted_id_marks_its_tool() -> None:
    assert [tool.restricted for tool in texts.read_tools("a\nb", restricted=["b"])] == [False, True]


@given(st.lists(st.builds(Candidate, NAMES, st.lists(NAMES, max_size=2).map(tuple), ABOUT), max_size=4))
def test_tools_that_are_written_are_read_again(tools: list[Candidate]) -> None:
    assert texts.read_tools(texts.write_tools(tools)) == tools


@given(st.lists(st.builds(Category, NAMES, ABOUT), max_size=4))
def test_categories_that_are_written_are_read_again(categories: list[Category]) -> None:
    assert texts.read_categories(texts.write_categories(categories)) == categories


def test_tools_may_be_a_json_list() -> None:
    text = '[{"id": "a", "categories": ["x"], "priority": 2, "restricted": true}, {"name": "b", "description": "B"}]'
    assert texts.read_tools(text) == [Candidate("a", ("x",), None, True, 2), Candidate("b", (), "B")]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (": no name", "Line 1 names no tool"),
        ("/ tool", "Line 1 names no tool"),
        ('[{"categories": []}]', 'Entry 1 of the list has no "id"'),
        ('[{"id": "a", "categories": "x"}]', '"categories" of entry 1'),
        ('[{"id": "a", "priority": true}]', '"priority" of entry 1'),
        ("[1", "not JSON"),
        ('[{"id": "a", "description": 5}]', '"description" of entry 1'),
        ('[{"id": "a", "restricted": "true"}]', '"restricted" of entry 1'),
        ("[" * 100_000, "nested too deeply"),
        ("[" * 101 + "]" * 101, "nested too deeply"),
        ('[{"id": "\\ud800"}]', "half of a character"),
        ('[{"id": "a", "id": "b"}]', 'field "id" stands twice'),
        (f'[{{"id": "a", "priority": {"9" * 5000}}}]', "too many digits"),
        ("a\n" * 2001, "2,001 lines are too many"),
    ],
)
def test_an_unreadable_list_of_tools_says_where_and_why(text: str, says: str) -> None:
    with pytest.raises(texts.Unreadable, match=says):
        texts.read_tools(text)


def test_an_object_is_read_and_nothing_else() -> None:
    assert texts.parsed_object(" ") == {}
    assert texts.parsed_object('{"a": 1}') == {"a": 1}
    with pytest.raises(texts.Unreadable, match="line 1, column 2"):
        texts.parsed_object("{a: 1}")
    with pytest.raises(texts.Unreadable, match="not a JSON object"):
        texts.parsed_object("[1]")


def test_a_route_names_its_model_and_what_it_is_good_for() -> None:
    routes = texts.read_routes("fast = acme/s/2:free: Short answers.\nreasoning =")
    assert routes == {"fast": Route(Target("acme", "s/2:free"), "Short answers."), "reasoning": None}
    with pytest.raises(texts.Unreadable, match="Line 1 begins with none of fast"):
        texts.read_routes("slow = a/b")
    with pytest.raises(texts.Unreadable, match="names no model"):
        texts.read_routes("fast = acme")
    with pytest.raises(texts.Unreadable, match="Line 2 gives fast a second time"):
        texts.read_routes("fast = acme/s\nfast = acme/l")


def test_a_skill_has_a_description_and_a_time_for_it() -> None:
    assert texts.read_skills("a: B | c\nd: | e\nf") == [Skill("a", "B", "c"), Skill("d", None, "e"), Skill("f")]
    with pytest.raises(texts.Unreadable, match="Line 1 has no name"):
        texts.read_skills(": x")
