from __future__ import annotations

import json

from arena.worlds.world import Effect, World
from tests.arena.worlds.office import act, fresh, refusal


def with_file(path: str, content: str) -> World:
    world = fresh()
    world.apply([Effect("create", "files", path, {"path": path, "content": content})])
    return world


def test_a_search_lists_every_line_in_path_order() -> None:
    matches = act(fresh(), "search_text", query="requestTimeoutMs")["matches"]
    assert [(match["path"], match["line"]) for match in matches] == [
        ("src/client.ts", 4),
        ("src/client.ts", 9),
        ("src/config.ts", 5),
    ]


def test_a_search_is_literal_and_minds_the_case() -> None:
    assert act(fresh(), "search_text", query="REQUESTTIMEOUTMS")["matches"] == []
    assert act(fresh(), "search_text", query="reduce.*")["matches"] == []


def test_a_search_stops_at_a_hundred_matches() -> None:
    answer = act(with_file("big.txt", "needle\n" * 101), "search_text", query="needle")
    assert (len(answer["matches"]), answer["truncated"]) == (100, True)
    exact = act(with_file("big.txt", "needle\n" * 100), "search_text", query="needle")
    assert (len(exact["matches"]), exact["truncated"]) == (100, False)


def test_a_search_stops_at_its_size() -> None:
    answer = act(with_file("big.txt", ("needle" + "x" * 3000 + "\n") * 50), "search_text", query="needle")
    assert answer["truncated"]
    assert len(json.dumps(answer["matches"]).encode()) <= 64_000


def test_a_search_needs_one_line_of_text() -> None:
    assert "0 characters" in refusal(fresh(), "search_text", query="")
    assert "line break" in refusal(fresh(), "search_text", query="a\nb")


def test_todos_are_found_with_their_lines() -> None:
    answer = act(fresh(), "todo_scan", directory="src/payments")
    assert answer["todos"] == [
        {
            "path": "src/payments/refunds.ts",
            "line": 22,
            "text": "fill in the currency of the order when the caller leaves it out",
        }
    ]


def test_the_word_outside_a_comment_is_no_todo() -> None:
    world = with_file("lib/a.ts", 'const TODO = "TODO: no"; // TODO yes\n/* TODO: also */\n')
    assert [todo["text"] for todo in act(world, "todo_scan", directory="lib")["todos"]] == ["yes", "also"]


def test_a_scan_of_an_unknown_directory_is_refused() -> None:
    assert "names no directory" in refusal(fresh(), "todo_scan", directory="source")
