"""Snapshots: what an agent's task is, and a version that never comes back."""

from __future__ import annotations

import pytest

from policy.services.gate.snapshots import Snapshots


def test_the_task_is_what_the_user_said_last() -> None:
    snapshots = Snapshots()
    taken = snapshots.step("a", ["sweep the yard", "no, the roof"], "older")
    assert taken is not None
    assert (taken.task, taken.turn, taken.label) == ("no, the roof", 1, "step 1")


def test_without_news_the_given_task_counts_and_then_the_one_before() -> None:
    snapshots = Snapshots()
    tasks = [snapshots.step("a", [], task) for task in ("sweep", None, "mow", " ")]
    assert [taken and taken.task for taken in tasks] == ["sweep", "sweep", "mow", "mow"]
    assert [taken and taken.label for taken in tasks] == ["step 1", "step 2", "step 3", "step 4"]


@pytest.mark.parametrize("said", [[], [""], ["  "]])
def test_an_agent_without_a_task_has_no_snapshot(said: list[str]) -> None:
    snapshots = Snapshots()
    assert snapshots.step("a", said, None) is None
    assert snapshots.of("a") is None


def test_no_two_snapshots_are_equal_whatever_happens() -> None:
    snapshots = Snapshots()
    seen = [snapshots.step("a", ["sweep"], None)]
    snapshots.catalog_changed("a")
    seen.append(snapshots.of("a"))
    snapshots.forget("a")
    seen.append(snapshots.step("a", ["sweep"], None))
    assert len(set(seen)) == 3
