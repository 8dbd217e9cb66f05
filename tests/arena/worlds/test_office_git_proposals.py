from __future__ import annotations

import pytest

from arena.worlds.patches import apply_patch
from arena.worlds.world import Effect
from tests.arena.worlds.office import act, fixture, fresh, refusal


def content(path: str) -> str:
    return str((fixture().find("files", path) or {})["content"])


def test_a_revert_is_recorded_and_changes_no_file() -> None:
    world = fresh()
    answer = act(world, "revert_commit_proposal", commit="c_d4471b", reason="An empty cart crashes.")
    record = world.find("proposals", answer["id"]) or {}
    assert (record["kind"], record["commit"], record["applied"]) == ("revert", "c_d4471b", False)
    assert "}, 0);" in apply_patch(content("src/total.ts"), record["edits"][0]["patch"])
    assert world.all("files") == fixture().all("files")


def test_a_revert_of_a_new_file_takes_it_out() -> None:
    answer = act(fresh(), "revert_commit_proposal", commit="c_a41f9e", reason="Nobody uses it.")
    assert answer["applies"]
    assert apply_patch(content("src/stats.ts"), answer["edits"][0]["patch"]) == ""


def test_a_revert_says_where_it_no_longer_fits() -> None:
    world = fresh()
    taken_back = act(world, "revert_commit_proposal", commit="c_e33e07", reason="Bulbs.")
    start = act(world, "revert_commit_proposal", commit="c_1d07ce", reason="All over again.")
    problems = {edit["path"]: edit["problem"] for edit in start["edits"]}
    assert (taken_back["applies"], start["applies"]) == (False, False)
    assert problems["src/config.ts"] == "the file was changed since, last by c_60b1aa"
    assert problems["src/sum.ts"] is None


def test_a_revert_of_a_file_that_is_gone_says_so() -> None:
    world = fresh()
    world.apply([Effect("delete", "files", "src/total.ts", {})])
    answer = act(world, "revert_commit_proposal", commit="c_d4471b", reason="An empty cart crashes.")
    assert answer["edits"][0]["problem"] == "the file is gone already"


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        ({"commit": "c_d4471b", "reason": " "}, "reason is blank"),
        ({"commit": "c_d4471c", "reason": "No."}, "the nearest are c_d4471b"),
        ({"commit": "c_d4471b"}, "argument reason is missing"),
    ],
)
def test_a_revert_of_nothing_is_refused(arguments: dict[str, str], cause: str) -> None:
    assert cause in refusal(fresh(), "revert_commit_proposal", **arguments)


def test_a_hotfix_is_tried_on_what_production_has() -> None:
    answer = act(fresh(), "cherry_pick_proposal", commit="c_9e85a9", service="checkout", reason="Vouchers.")
    assert (answer["version"], answer["base"], answer["applies"]) == ("2.14.0", "c_91a448", True)
    assert len(answer["edits"]) == 4


def test_a_hotfix_that_builds_on_other_commits_does_not_fit() -> None:
    answer = act(fresh(), "cherry_pick_proposal", commit="c_91a448", service="shipping", reason="Addresses.")
    problems = {edit["path"]: edit["problem"] for edit in answer["edits"]}
    assert not answer["applies"]
    assert problems["src/address.ts"] is None
    assert "hunk 1" in str(problems["CHANGELOG.md"])


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"commit": "c_ab40ca"}, "holds c_ab40ca already; name a commit after c_91a448"),
        ({"service": "kitchen"}, "send one of checkout"),
        ({"reason": " "}, "reason is blank"),
    ],
)
def test_a_hotfix_that_is_none_is_refused(change: dict[str, str], cause: str) -> None:
    wanted = {"commit": "c_9e85a9", "service": "checkout", "reason": "Vouchers."}
    assert cause in refusal(fresh(), "cherry_pick_proposal", **{**wanted, **change})


def test_a_service_outside_production_gets_no_hotfix() -> None:
    world = fresh()
    world.apply([Effect("update", "deployments", "d_118", {"state": "failed"})])
    wanted = {"commit": "c_9e85a9", "service": "checkout", "reason": "Vouchers."}
    assert "checkout does not run in production" in refusal(world, "cherry_pick_proposal", **wanted)
