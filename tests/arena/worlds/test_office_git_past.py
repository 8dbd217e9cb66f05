from __future__ import annotations

import pytest

from arena.worlds import history
from arena.worlds.world import Effect
from tests.arena.worlds.office import act, fixture, fresh, refusal

TOTAL = "src/total.ts"


@pytest.mark.parametrize(
    ("path", "line", "commit"),
    [
        ("src/config.ts", 5, "c_60b1aa"),
        ("src/config.ts", 8, "c_1d07ce"),
        (TOTAL, 6, "c_d4471b"),
        # Taken out and put back in other words: the last change counts.
        ("src/tax.ts", 27, "c_8d20f1"),
        ("src/tax.ts", 9, "c_f55d3f"),
        ("src/stats.ts", 7, "c_a41f9e"),
    ],
)
def test_a_line_is_blamed_on_the_commit_that_worded_it(path: str, line: int, commit: str) -> None:
    assert act(fresh(), "blame_line", path=path, line=line)["commit"]["id"] == commit


def test_a_line_past_the_end_is_refused() -> None:
    assert "line is 8, but src/total.ts has 7 lines" in refusal(fresh(), "blame_line", path=TOTAL, line=8)
    assert "did you mean src/total.ts" in refusal(fresh(), "blame_line", path="total.ts", line=1)


def test_a_file_is_read_as_it_was() -> None:
    longer = act(fresh(), "file_at_commit", path=TOTAL, commit="c_c2907d")["content"]
    between = act(fresh(), "file_at_commit", path=TOTAL, commit="c_3fd2b6")["content"]
    shorter = act(fresh(), "file_at_commit", path=TOTAL, commit="c_1b96d5")["content"]
    assert "return running + price;\n  }, 0);" in longer == between
    assert shorter == act(fresh(), "read_file", path=TOTAL)["content"]


def test_the_newest_version_is_the_file_itself() -> None:
    for record in fixture().all("files"):
        assert history.versions(fixture(), record["path"])[-1].text == record["content"]


def test_a_file_before_its_first_commit_is_refused() -> None:
    sentence = refusal(fresh(), "file_at_commit", path=TOTAL, commit="c_20ab58")
    assert sentence == "At c_20ab58 there was no src/total.ts yet; it came with c_c2907d on 2024-09-03."
    assert "names no commit" in refusal(fresh(), "file_at_commit", path=TOTAL, commit="c_zz")


def test_a_file_without_commits_has_no_past() -> None:
    world = fresh()
    world.apply([Effect("create", "files", "src/new.ts", {"path": "src/new.ts", "content": "a\n"})])
    assert "No commit has touched src/new.ts" in refusal(world, "blame_line", path="src/new.ts", line=1)


@pytest.mark.parametrize(
    ("path", "rule", "first_bad", "last_good"),
    [
        (TOTAL, "reduce-without-start", "c_d4471b", "c_c2907d"),
        ("src/mail/mailer.ts", "silent-catch", "c_b89e31", "c_e07f12"),
        ("src/stats.ts", "past-the-end", "c_a41f9e", None),
    ],
)
def test_the_commit_that_brought_a_defect_is_caught(path: str, rule: str, first_bad: str, last_good: str) -> None:
    found = act(fresh(), "bisect_regression", path=path, rule=rule)
    assert (found["first_bad"]["id"], found["last_good"]) == (first_bad, last_good)


def test_a_good_commit_shortens_the_search() -> None:
    found = act(fresh(), "bisect_regression", path=TOTAL, rule="reduce-without-start", good="c_20ab58")
    assert len(found["tested"]) <= 1
    assert found["first_bad"]["id"] == "c_d4471b"


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (
            {"path": "src/stats.ts", "rule": "silent-catch"},
            "has no silent-catch, so there is nothing to search for; it has",
        ),
        ({"path": "src/sum.ts", "rule": "silent-catch"}, "no rule finds anything in it"),
        ({"path": TOTAL, "rule": "reduce-without-start", "good": "c_b89e31"}, "good is not good"),
        ({"path": TOTAL, "rule": "typo"}, "send one of reduce-without-start"),
    ],
)
def test_a_search_without_a_defect_is_refused(arguments: dict[str, str], cause: str) -> None:
    assert cause in refusal(fresh(), "bisect_regression", **arguments)
