"""What the agent says at the end."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.agents import facts
from arena.agents.answers import MAX_CHARS, Phrases, joined
from arena.agents.arguments import Ambiguity
from arena.agents.facts import Focus
from arena.agents.memory import Record, Step
from tests.arena.agents.desk import BOOK, GUESTS, OPEN

FILE = "\n".join([f"const spare{number} = {number};" for number in range(20)] + ["const requestTimeoutMs = 3000;"])


def focus(text: str) -> Focus:
    return Focus.of(text, german=False)


def test_of_a_long_text_only_the_lines_that_bear_on_the_task_are_told() -> None:
    told = facts.statements({"path": "a.ts", "content": FILE}, focus("Which timeout ends a request?"))
    assert told == ["path: a.ts", "const requestTimeoutMs = 3000;"]


def test_a_short_text_is_told_whole() -> None:
    assert facts.statements("one\ntwo", focus("What does it say?")) == ["one", "two"]


def test_counts_at_the_top_are_always_told() -> None:
    rows = [{"id": f"l_{number}", "level": "error"} for number in range(30)]
    told = facts.statements({"of": 117, "lines": rows}, focus("How many errors?"))
    assert told[0] == "of: 117"
    assert len(told) == 1 + facts.MAX_STATEMENTS


def test_of_many_records_the_relevant_ones_are_told() -> None:
    rows = [{"id": f"G-{number}", "name": f"Guest {number}"} for number in range(40)]
    assert facts.statements({"guests": rows}, focus("Where is G-31?")) == ["G-31, Guest 31"]


def test_an_empty_list_is_told_as_such() -> None:
    assert facts.statements({"guests": []}, focus("Who?")) == ["guests: -"]


def test_results_name_their_source_and_whether_something_was_done() -> None:
    steps = [
        Step(OPEN, {"path": "notes/day.md"}, {"text": "dinner at 19"}),
        Step(BOOK, {"guest_id": "G-12", "nights": 3}, {"stay": {"id": "S-1"}}),
    ]
    found, done = Phrases(german=False).results("When is dinner?", steps)
    assert found == "Found with open page (notes/day.md): text: dinner at 19."
    assert done.startswith("Done with book stay (G-12): id: S-1")


def test_a_question_about_several_names_them() -> None:
    records = tuple(Record(frozenset({"guest"}), guest) for guest in GUESTS)
    text = Phrases(german=False).which(Ambiguity("guest_id", records))
    assert all(guest["id"] in text for guest in GUESTS)
    assert text.endswith("?")


def test_a_question_about_what_is_missing_names_argument_and_tool() -> None:
    assert Phrases(german=False).missing(BOOK, ["guest_id"]) == "Which guest id should I use for book stay?"
    assert "guest id" in Phrases(german=True).missing(BOOK, ["guest_id"])


@given(st.lists(st.text(max_size=3000), max_size=5))
def test_an_answer_stays_within_its_length(sentences: list[str]) -> None:
    assert len(joined(sentences)) <= MAX_CHARS


@given(st.recursive(st.none() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)))
def test_any_result_can_be_told(content: object) -> None:
    assert all(isinstance(each, str) for each in facts.statements(content, focus("Which guest has 3 nights?")))
