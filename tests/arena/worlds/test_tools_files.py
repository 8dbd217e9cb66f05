from __future__ import annotations

import pytest

from arena.worlds.patches import apply_patch
from tests.arena.worlds.office import act, fresh, refusal


def test_a_file_is_read_as_it_is() -> None:
    answer = act(fresh(), "read_file", path="src/sum.ts")
    assert answer["content"].endswith("(total, value) => total + value, 0);\n}\n")
    assert (answer["path"], answer["source"]) == ("src/sum.ts", "world lamplight")


def test_a_wrong_path_names_the_near_ones() -> None:
    assert "did you mean src/sum.ts" in refusal(fresh(), "read_file", path="sum.ts")
    assert "README.md" in refusal(fresh(), "read_file", path="nothing/like/it")


def test_a_directory_shows_direct_members_only() -> None:
    answer = act(fresh(), "list_directory", directory="src/")
    assert answer["directories"] == ["mail", "payments", "styles", "suppliers"]
    assert "sum.ts" in answer["files"]
    assert "mailer.ts" not in answer["files"]


def test_the_root_is_a_dot() -> None:
    answer = act(fresh(), "list_directory", directory=".")
    assert answer["directories"] == ["config", "docs", "scripts", "src", "tests"]
    assert "package.json" in answer["files"]


def test_an_unknown_directory_names_the_known_ones() -> None:
    assert "src/payments" in refusal(fresh(), "list_directory", directory="lib")


def test_file_stats_count_lines_and_bytes() -> None:
    world = fresh()
    record = world.find("files", "src/helper.ts")
    assert record is not None
    answer = act(world, "file_stats", path="src/helper.ts")
    assert (answer["lines"], answer["blank_lines"], answer["longest_line"]) == (3, 0, 46)
    assert answer["bytes"] == answer["characters"] == len(record["content"])


def test_file_stats_refuse_an_unknown_path() -> None:
    assert "'src/gone.ts'" in refusal(fresh(), "file_stats", path="src/gone.ts")


def test_two_configurations_differ_in_three_values() -> None:
    answer = act(fresh(), "compare_files", left="config/staging.json", right="config/production.json")
    assert (answer["identical"], answer["only_left"], answer["only_right"]) == (False, 3, 3)
    assert '-  "mailGroupSize": 5,' in answer["diff"]
    assert '+  "mailGroupSize": 40,' in answer["diff"]


def test_a_comparison_is_a_patch_from_left_to_right() -> None:
    world = fresh()
    left, right = (act(world, "read_file", path=f"config/{name}.json")["content"] for name in ("staging", "production"))
    diff = act(world, "compare_files", left="config/staging.json", right="config/production.json")["diff"]
    assert apply_patch(left, diff.replace("config/production.json", "config/staging.json")) == right


def test_a_file_equals_itself() -> None:
    answer = act(fresh(), "compare_files", left="src/sum.ts", right="src/sum.ts")
    assert (answer["identical"], answer["diff"]) == (True, "")


def test_the_wrong_side_of_a_comparison_is_named() -> None:
    assert "argument right" in refusal(fresh(), "compare_files", left="src/sum.ts", right="src/gone.ts")


def test_an_excerpt_is_numbered_and_stops_at_the_end() -> None:
    answer = act(fresh(), "read_lines", path="src/sum.ts", first=6, last=9)
    assert answer["of"] == 7
    assert answer["lines"] == [
        {"line": 6, "text": "  return values.reduce((total, value) => total + value, 0);"},
        {"line": 7, "text": "}"},
    ]


@pytest.mark.parametrize(
    ("first", "last", "cause"),
    [
        (8, 9, "first is 8, but src/sum.ts has 7 lines; send at most 7"),
        (3, 2, "last is 2 and lies before first, 3"),
        (1, 201, "has 201 lines; ask for at most 200"),
        (0, 2, "first is 0; send at least 1"),
    ],
)
def test_an_excerpt_that_cannot_be_is_refused(first: int, last: int, cause: str) -> None:
    assert cause in refusal(fresh(), "read_lines", path="src/sum.ts", first=first, last=last)
