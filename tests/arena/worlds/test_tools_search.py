from __future__ import annotations

import json

import pytest

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


def test_names_of_files_match_a_wildcard() -> None:
    answer = act(fresh(), "find_by_name", pattern="*.test.ts")
    assert answer["paths"] == ["tests/discount.test.ts", "tests/money.test.ts", "tests/sum.test.ts"]


def test_a_wildcard_with_a_slash_is_for_the_whole_path() -> None:
    assert act(fresh(), "find_by_name", pattern="src/*/*.csv")["paths"] == ["src/suppliers/prices.csv"]
    assert act(fresh(), "find_by_name", pattern="*.ts", directory="src/mail")["of"] == 2


def test_no_name_that_matches_is_a_result_and_no_wildcard_is_not() -> None:
    assert act(fresh(), "find_by_name", pattern="*.go") == {"pattern": "*.go", "of": 0, "paths": []}
    assert "pattern is blank" in refusal(fresh(), "find_by_name", pattern=" ")


def test_two_terms_are_found_where_they_are_near() -> None:
    world = with_file("notes.txt", "Key\na\nb\nlock\nc\nd\ne\nf\nlock\n")
    near = act(world, "search_nearby", first="key", second="LOCK", directory=".")
    assert [(pair["path"], pair["first_line"], pair["second_line"]) for pair in near["pairs"]] == [("notes.txt", 1, 4)]
    assert act(world, "search_nearby", first="key", second="lock", distance=2)["of"] == 0


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        ({"first": "key", "second": "KEY"}, "first and second are the same"),
        ({"first": "key", "second": " "}, "second is blank"),
        ({"first": "key", "second": "lock", "directory": "source"}, "names no directory"),
        ({"first": "key", "second": "lock", "distance": 21}, "send at most 20"),
    ],
)
def test_a_wrong_pair_of_terms_is_named(arguments: dict[str, object], cause: str) -> None:
    assert cause in refusal(fresh(), "search_nearby", **arguments)
