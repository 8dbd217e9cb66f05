"""How words choose among the tools of a menu."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.agents import clauses, ranking, words
from arena.agents.lexical import Menu
from arena.agents.ranking import Situation
from arena.catalogs.tool import Tool
from tests.arena.agents.desk import BOOK, FIND, OPEN, TOOLS, tool


def best(task: str, tools: tuple[Tool, ...] = TOOLS) -> str:
    return Menu(tools).rank(words.concepts(task))[0][0].id


def names(task: str, tools: tuple[Tool, ...] = TOOLS, *, begun: bool = False) -> list[str]:
    situation = Situation(Menu(tools), german=words.is_german(task), begun=begun)
    (clause,) = clauses.read(task).steps
    return [each.id for each in ranking.candidates(ranking.ranking(clause, situation), clause, situation)]


def test_name_description_and_arguments_all_count() -> None:
    assert best("a stay") == "book_stay"
    assert best("the hotel room") == "book_stay"
    assert best("so many nights") == "book_stay"


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    many = (*TOOLS, *(tool(f"page_{n}", "Do something to a page of the notebook.") for n in range(9)))
    assert best("notebook page guests", many) == "find_guest"


def test_joined_words_meet_what_a_tool_writes_as_one() -> None:
    rollback = tool("rollback_release", "Bring the former release in again.")
    shown = tool("show_release", "Show the release that is live.")
    assert best("roll back the release", (shown, rollback)) == "rollback_release"


def test_more_tools_bring_more_doubt() -> None:
    rivals = tuple(tool(f"reserve_{thing}", f"Reserve a {thing} for a guest.") for thing in ("room", "table", "car"))
    alone, among = Menu((BOOK,)), Menu((BOOK, *rivals))
    concepts = words.concepts("Reserve a table for the evening")
    assert alone.rank(concepts)[0][0] is BOOK
    assert among.rank(concepts)[0][0].id == "reserve_table"


def test_a_literal_draws_to_the_tools_that_can_take_it() -> None:
    card = tool("read_card", "Give the card.", required={"guest_id": "Id of the guest, like G-12."})
    assert names("Give me G-11.", (OPEN, FIND, card))[0] == "read_card"


def test_a_question_is_rather_served_by_looking() -> None:
    tools = (
        tool("reserve_room", "Reserve a hotel room.", effect="modify"),
        tool("room_facts", "Facts about a hotel room."),
    )
    assert names("Which hotel room has a bath?", tools)[0] == "room_facts"


def test_too_weak_a_match_gives_no_tool() -> None:
    assert names("Paint the ceiling blue.") == []


def test_a_short_menu_needs_less() -> None:
    spare = tuple(tool(f"spare_{number}", "Turn wheels.") for number in range(30))
    task = "Put the tall quiet bearded visitor with eleven suitcases into some hotel."
    assert names(task, (BOOK,)) == ["book_stay"]
    assert names(task, (BOOK, *spare)) == []


def test_later_clauses_without_a_literal_need_more() -> None:
    task = "Take good care of that hotel matter."
    assert names(task, (BOOK, *TOOLS)) != []
    assert names(task, (BOOK, *TOOLS), begun=True) == []


@given(st.lists(st.sampled_from(["page", "guest", "hotel", "text", "moon"]), max_size=6).map(" ".join))
def test_scores_are_shares_in_descending_order(task: str) -> None:
    scores = [score for _, score in Menu(TOOLS).rank(words.concepts(task))]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score < 1.7 for score in scores)
