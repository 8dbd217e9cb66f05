"""Starting: everything is checked before anything is written."""

from __future__ import annotations

import pytest

from arena.errors import Invalid, Unknown
from arena.models import LaneState, Run, RunState, Snapshot
from arena.runs import start
from policy.people.models import User
from policy.people.services import NotAllowed

Published = list[tuple[str, int]]


@pytest.mark.django_db(transaction=True)
def test_a_started_run_is_queued_with_waiting_lanes_and_wakes_a_worker(owner: User, unpublished: Published) -> None:
    run = start.start("patch", by=owner, origin="api", arms=["full", "selected", "shadow"])
    assert run.state == RunState.QUEUED
    assert [(lane.letter, lane.arm, lane.state) for lane in run.lanes.all()] == [
        ("A", "full", LaneState.WAITING),
        ("B", "selected", LaneState.WAITING),
        ("C", "shadow", LaneState.WAITING),
    ]
    assert unpublished == [("route", run.pk)]


@pytest.mark.django_db(transaction=True)
def test_inputs_are_kept_once_for_runs_that_share_them(owner: User, unpublished: Published) -> None:
    first = start.start("patch", by=owner, origin="api")
    second = start.start("patch", by=owner, origin="api", seed=7)
    assert first.setup_digest == second.setup_digest
    assert Snapshot.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_another_menu_size_is_another_setup(owner: User, unpublished: Published) -> None:
    first = start.start("patch", by=owner, origin="api", menu_size=20)
    second = start.start("patch", by=owner, origin="api", menu_size=40)
    assert first.setup_digest != second.setup_digest


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (
            {"arms": ["fool"]},
            "There is no arm 'fool'. Allowed: bm25, embedding, full, oracle, random, selected, shadow.",
        ),
        (
            {"judge": "jav"},
            "There is no judge 'jav'. Allowed: cloudflare, compatible, gguf, local, openrouter, scripted, typesafe.",
        ),
        ({"agent": "gpt"}, "There is no agent 'gpt'. Allowed: codex, gguf, llm, offline."),
        ({"arms": []}, "Name one to 4 different arms, such as full,selected."),
        ({"arms": ["full", "full"]}, "Name one to 4 different arms, such as full,selected."),
        ({"menu_size": 0}, "The menu size is 0; it must be from 1 to 1000."),
        ({"seed": -1}, "The seed is -1; it must be from 0 to 2147483647."),
    ],
)
def test_a_wrong_name_is_answered_with_the_allowed_ones(wrong: dict[str, object], says: str, owner: User) -> None:
    with pytest.raises(Invalid) as refused:
        start.start("patch", by=owner, origin="api", **wrong)  # type: ignore[arg-type]
    assert refused.value.message == says
    assert not Run.objects.exists()


def test_an_unknown_case_names_the_known_ones(owner: User) -> None:
    with pytest.raises(Unknown, match=r"There is no case 'nope'\. Allowed: .*patch.*read"):
        start.start("nope", by=owner, origin="api")


def test_a_reader_starts_nothing(reader: User) -> None:
    with pytest.raises(NotAllowed, match="needs the role member; reader is reader"):
        start.start("patch", by=reader, origin="api")
