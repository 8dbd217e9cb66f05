from __future__ import annotations

import pytest

from arena.worlds.world import Effect
from tests.arena.worlds.office import act, fresh, ids, refusal


def test_a_commit_shows_what_it_changed() -> None:
    commit = act(fresh(), "show_commit", commit="c_60b1aa")
    assert commit["message"] == "Give up on a request after three seconds"
    assert [touched["path"] for touched in commit["files"]] == ["src/config.ts"]
    assert "+export const requestTimeoutMs = 3000;" in commit["files"][0]["diff"]


def test_the_start_of_an_id_is_enough() -> None:
    assert act(fresh(), "show_commit", commit="c_91")["id"] == "c_91a448"


@pytest.mark.parametrize(
    ("commit", "cause"),
    [
        ("c_1", "commit fits 3 commits: 'c_1'; add letters: c_1d07ce, c_19c7e4, c_1b96d5"),
        ("c_91a449", "names no commit: 'c_91a449'; the nearest are c_91a448"),
        (" ", "names no commit"),
    ],
)
def test_an_id_that_fits_none_or_several_is_refused(commit: str, cause: str) -> None:
    assert cause in refusal(fresh(), "show_commit", commit=commit)


def test_the_past_of_a_file_comes_newest_first() -> None:
    history = act(fresh(), "file_history", path="src/tax.ts")
    assert history["of"] == 4
    assert ids(history["commits"]) == ["c_8d20f1", "c_e33e07", "c_f55d3f", "c_20ab58"]


def test_a_long_past_is_cut_and_counted() -> None:
    history = act(fresh(), "file_history", path="src/tax.ts", limit=1)
    assert (history["of"], ids(history["commits"])) == (4, ["c_8d20f1"])


def test_a_file_that_is_gone_keeps_its_past() -> None:
    world = fresh()
    world.apply([Effect("delete", "files", "src/tax.ts", {})])
    assert act(world, "file_history", path="src/tax.ts")["of"] == 4


def test_a_file_without_commits_has_an_empty_past() -> None:
    world = fresh()
    world.apply([Effect("create", "files", "src/new.ts", {"path": "src/new.ts", "content": ""})])
    assert act(world, "file_history", path="src/new.ts") == {"path": "src/new.ts", "of": 0, "commits": []}


def test_a_path_that_never_existed_names_near_ones() -> None:
    assert "did you mean src/tax.ts" in refusal(fresh(), "file_history", path="src/taxes.ts")


def test_commits_are_found_by_word_author_and_time() -> None:
    found = act(fresh(), "find_commits", author="Priya", since="2026-02-01", until="2026-02-28", text="refunds")
    assert ids(found["commits"]) == ["c_f3f89c"]


def test_commits_come_newest_first_and_are_counted() -> None:
    found = act(fresh(), "find_commits", text="voucher", limit=2)
    assert (found["of"], ids(found["commits"])) == (3, ["c_9e85a9", "c_dda6c2"])


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        ({"author": "Zed"}, "author names nobody"),
        ({"since": "spring"}, "since is no date"),
        ({"limit": 51}, "at most 50"),
    ],
)
def test_a_wrong_filter_of_commits_is_named(arguments: dict[str, object], cause: str) -> None:
    assert cause in refusal(fresh(), "find_commits", **arguments)
