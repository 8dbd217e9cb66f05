"""The agent without a language model at work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.agents.agent import Brief, Ending, Limits, Progress, Thinking
from arena.agents.offline import Offline
from tests.arena.agents.desk import BOOK, FIND, GUESTS, OPEN, TOOLS, Desk, StopAfter, finish, tool, work


def test_it_says_that_no_language_model_takes_part() -> None:
    assert Offline().label == "no language model"
    assert work("Show the page notes/day.md.").model is None


def test_a_plain_task_is_one_call_and_an_answer_with_value_and_source() -> None:
    desk = Desk()
    result = work("Show the page notes/day.md and tell me when dinner is.", desk=desk)
    assert desk.calls == [("open_page", {"path": "notes/day.md"})]
    assert result.ending is Ending.ANSWERED
    assert "19" in result.text
    assert "notes/day.md" in result.text


def test_a_german_task_gets_a_german_answer() -> None:
    result = work("Zeige mir die Seite notes/day.md und sage, wann das Abendessen ist.")
    assert result.text.startswith("Gefunden")


def test_a_declared_prerequisite_is_called_first_and_gives_the_id() -> None:
    desk = Desk()
    work("Reserve a room for Grace Hill for 3 nights.", desk=desk)
    assert desk.calls == [
        ("find_guest", {"query": "Grace Hill"}),
        ("book_stay", {"guest_id": "G-13", "nights": 3}),
    ]


def test_a_prerequisite_that_is_not_on_the_menu_is_left_out() -> None:
    desk = Desk()
    work("Reserve a room for guest G-13 for 3 nights.", menu=(BOOK, OPEN), desk=desk)
    assert desk.tools == ["book_stay"]


def test_several_matches_are_a_question_that_names_them() -> None:
    desk = Desk()
    result = work("Reserve a room for Ada for 2 nights.", desk=desk)
    assert result.ending is Ending.ASKED
    assert [key for key in ("G-11", "G-12", "G-13") if key in result.text] == ["G-11", "G-12"]
    assert "book_stay" not in desk.tools


def test_what_is_said_about_a_match_picks_it() -> None:
    desk = Desk()
    work("Reserve a room for Ada from Bath for 2 nights.", desk=desk)
    assert desk.calls[-1] == ("book_stay", {"guest_id": "G-12", "nights": 2})


def test_a_missing_argument_is_a_question_that_names_it() -> None:
    result = work("Reserve a room in the hotel for guest G-12.", menu=(BOOK,))
    assert result.ending is Ending.ASKED
    assert "nights" in result.text
    assert result.text.endswith("?")


def test_a_vague_task_is_a_question_without_any_call() -> None:
    for task in ("Improve it.", "Please make this better.", "Mach das besser."):
        desk = Desk()
        assert work(task, desk=desk).ending is Ending.ASKED
        assert desk.calls == []


def test_a_task_that_no_tool_fits_is_declined() -> None:
    desk = Desk()
    result = work("Paint the ceiling blue.", desk=desk)
    assert result.ending is Ending.DECLINED
    assert desk.calls == []
    assert "Paint the ceiling blue" in result.text


def test_an_empty_menu_declines() -> None:
    assert work("Show the page notes/day.md.", menu=()).ending is Ending.DECLINED


def test_a_restriction_keeps_changing_tools_from_being_called() -> None:
    desk = Desk()
    result = work("Erase the page notes/day.md.", desk=desk, restrictions=("Nothing may be deleted.",))
    assert "erase_page" not in desk.tools
    assert result.ending is Ending.DECLINED


def test_a_prohibition_inside_the_task_counts_like_a_restriction() -> None:
    desk = Desk()
    work("Show the page notes/day.md, but do not change anything.", desk=desk)
    assert desk.tools == ["open_page"]


def _strict(arguments: Mapping[str, Any]) -> Any:
    if arguments["path"] != "notes/day.md":
        raise ValueError(f"The argument path names no page: {arguments['path']!r}; did you mean notes/day.md?")
    return {"path": arguments["path"], "text": "dinner at 19"}


def test_a_refused_call_is_tried_once_more_with_what_the_refusal_offers() -> None:
    desk = Desk(open_page=_strict)
    result = work("Show the page day.md.", desk=desk)
    assert [arguments["path"] for _, arguments in desk.calls] == ["day.md", "notes/day.md"]
    assert "19" in result.text


def _closed(arguments: Mapping[str, Any]) -> Any:
    raise ValueError("The desk is closed today.")


def test_a_call_that_stays_refused_is_said_and_not_repeated() -> None:
    desk = Desk(open_page=_closed)
    result = work("Show the page notes/day.md. Then show the page notes/day.md again.", desk=desk)
    assert desk.tools.count("open_page") == 1
    assert "The desk is closed today." in result.text
    assert result.stop_reason == "every call was refused"


def test_an_empty_search_is_widened_once() -> None:
    town = {"type": "string", "enum": ["York"]}
    narrow = tool("find_guest", FIND.description, required={"query": "Name."}, optional={"town": town})
    desk = Desk(find_guest=lambda arguments: {"guests": [] if "town" in arguments else GUESTS[:1]})
    work("Search the guests for Ada Byron from York.", menu=(narrow,), desk=desk)
    assert [sorted(arguments) for _, arguments in desk.calls] == [["query", "town"], ["query"]]


def test_a_change_whose_result_has_an_empty_list_is_not_made_twice() -> None:
    town = {"type": "string", "enum": ["York"]}
    entry = tool("find_guest", FIND.description, required={"query": "Name."}, optional={"town": town}, effect="modify")
    desk = Desk(find_guest=lambda arguments: {"clashes": []})
    work("Search the guests for Ada Byron from York.", menu=(entry,), desk=desk)
    assert len(desk.calls) <= 1


def test_a_search_is_followed_by_opening_its_hit_when_it_does_not_say_enough() -> None:
    card = tool("read_card", "Give the whole card of a guest.", required={"guest_id": "Id of the guest, like G-12."})
    desk = Desk(read_card=lambda arguments: {"id": arguments["guest_id"], "allergy": "peanuts"})
    result = work("Search for the guest Grace Hill: which allergy and diet?", menu=(FIND, card), desk=desk)
    assert desk.tools == ["find_guest", "read_card"]
    assert "peanuts" in result.text


def test_a_search_with_a_list_among_its_arguments_is_followed_too() -> None:
    names = {"type": "array", "items": {"type": "string"}, "description": "Names of guests."}
    search = tool("find_guests", FIND.description, required={"names": names})
    card = tool("read_card", "Give the whole card of a guest.", required={"guest_id": "Id of the guest, like G-12."})
    desk = Desk(find_guests=lambda arguments: {"guests": GUESTS[2:]}, read_card=lambda arguments: {"allergy": "nuts"})
    task = "Search for the guest Grace Hill: which allergy and diet?"
    work(task, menu=(search, card), desk=desk, values={"names": ["Grace Hill"]})
    assert desk.calls == [("find_guests", {"names": ["Grace Hill"]}), ("read_card", {"guest_id": "G-13"})]


def test_known_facts_fill_arguments_by_their_name() -> None:
    desk = Desk()
    work("Reserve a room in the hotel.", menu=(BOOK,), desk=desk, values={"guest_id": "G-12", "nights": 4})
    assert desk.calls == [("book_stay", {"guest_id": "G-12", "nights": 4})]


def test_the_step_limit_ends_the_work() -> None:
    result = work("Reserve a room for Grace Hill for 3 nights.", limits=Limits(max_steps=1))
    assert (result.ending, result.steps) == (Ending.LIMIT, 1)


def test_the_time_limit_ends_the_work_before_a_call() -> None:
    desk = Desk()
    result = work("Show the page notes/day.md.", desk=desk, limits=Limits(time_s=0.0))
    assert (result.ending, desk.calls) == (Ending.LIMIT, [])


def test_every_step_is_told_with_the_tools_that_were_weighed() -> None:
    _, events = finish(Brief("Show the page notes/day.md.", TOOLS))
    thoughts = [event for event in events if isinstance(event, Thinking)]
    assert thoughts[0].candidates[0][0] == "open_page"
    assert isinstance(events[-1], Progress)


def test_people_can_watch_because_every_step_waits_a_little_and_alike_for_one_seed() -> None:
    first, second, other = StopAfter(), StopAfter(), StopAfter()
    for cancel, seed in ((first, 1), (second, 1), (other, 2)):
        finish(Brief("Show the page notes/day.md.", TOOLS, pause_s=0.4, seed=seed), Desk(), cancel)
    assert first.waited == second.waited != other.waited
    assert all(0.2 <= seconds <= 0.6 for seconds in first.waited)


def test_without_a_pause_nothing_waits() -> None:
    cancel = StopAfter()
    finish(Brief("Show the page notes/day.md.", TOOLS), Desk(), cancel)
    assert cancel.waited == []
