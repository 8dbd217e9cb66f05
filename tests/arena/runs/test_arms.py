"""Two to four lanes of any arms: what each sees, and what a control does where there is no selection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from arena.errors import Invalid
from arena.library import library
from arena.models import Arm, Lane, LaneState, Run, RunState
from arena.runs import history, menus, start
from arena.runs.setup import Setup
from policy.judges import ranking
from policy.judges.ranking import NoRanking
from policy.people.models import User

Compare = Callable[..., Run]
ALL = [arm.value for arm in Arm]


def seen(lane: Lane) -> set[str]:
    return {entry["id"] for entry in lane.menu or []}


def by_arm(run: Run) -> dict[str, Lane]:
    return {lane.arm: lane for lane in run.lanes.all()}


def test_four_lanes_with_controls_as_large_as_the_selected_menu(compare: Compare) -> None:
    lanes = by_arm(compare("patch", arms=["full", "selected", "bm25", "random"], menu_size=40))
    assert {lane.state for lane in lanes.values()} == {LaneState.COMPLETED}
    size = len(seen(lanes["selected"]))
    assert 0 < size == len(seen(lanes["bm25"])) == len(seen(lanes["random"])) < len(seen(lanes["full"]))


def test_a_control_needs_no_selected_lane_beside_it(compare: Compare) -> None:
    run = compare("patch", arms=["full", "random"], menu_size=40)
    assert (run.state, run.outcome) == (RunState.COMPLETE, "selected")
    assert 0 < len(seen(by_arm(run)["random"])) < 40


def test_the_oracle_asks_no_judge(compare: Compare) -> None:
    run = compare("patch", arms=["full", "oracle"], menu_size=40)
    assert run.outcome == ""
    assert run.selection is None
    assert seen(by_arm(run)["oracle"]) == {"propose_patch", "read_file"}
    assert by_arm(run)["oracle"].passed


def test_an_oracle_without_a_tool_lets_the_agent_say_so(compare: Compare) -> None:
    case = next(each for each in library().cases if each.ending == "decline")
    oracle = by_arm(compare(case.id, arms=["full", "oracle"]))["oracle"]
    assert (oracle.state, oracle.menu, oracle.ending) == (LaneState.COMPLETED, [], "declined")


def test_controls_are_withheld_unchecked_where_nothing_was_selected(compare: Compare) -> None:
    run = compare("ambiguous", arms=["full", "selected", "bm25", "oracle"])
    lanes = by_arm(run)
    assert (run.state, run.outcome) == (RunState.COMPLETE, "needs_clarification")
    assert (lanes["selected"].state, lanes["selected"].passed) == (LaneState.WITHHELD, True)
    control = lanes["bm25"]
    assert (control.state, control.passed, control.message) == (LaneState.WITHHELD, None, menus.NO_SIZE)
    assert lanes["oracle"].state == LaneState.COMPLETED


def test_a_forbidden_tool_is_in_no_menu_but_the_full_one(compare: Compare) -> None:
    case = next(each for each in library().cases if each.forbids and each.acceptable)
    run = compare(case.id, arms=["full", "selected", "random", "oracle"], menu_size=8)
    lanes = by_arm(run)
    assert seen(lanes["full"]) & set(case.forbids)
    for arm in ("selected", "random", "oracle"):
        assert not seen(lanes[arm]) & set(case.forbids)


def test_without_sentence_vectors_that_control_is_withheld_with_the_reason(
    compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: Any, **__: Any) -> list[float]:
        raise NoRanking("the processor has no AVX2")

    monkeypatch.setattr(ranking, "by_vectors", none)
    run = compare("patch", arms=["full", "embedding"])
    control = by_arm(run)["embedding"]
    assert (control.state, control.passed) == (LaneState.WITHHELD, None)
    assert control.message == "There are no sentence vectors to rank by: the processor has no AVX2."


def test_five_lanes_are_too_many_and_every_arm_has_a_name(owner: User) -> None:
    with pytest.raises(Invalid, match="Name one to 4 different arms"):
        start.start("patch", by=owner, origin="api", arms=ALL[:5])


def test_run_again_carries_the_whole_setup(owner: User, unpublished: list[tuple[str, int]]) -> None:
    old = start.start("patch", by=owner, origin="page", arms=["oracle", "random"], menu_size=20, seed=7, pause_s=0.5)
    new = start.again(old, by=owner, origin="page")
    assert Setup.from_json(new.setup) == Setup.from_json(old.setup)
    assert (new.setup_digest, new.retry_of) == (old.setup_digest, old)


def test_run_again_on_the_page_carries_the_whole_setup(
    client: Client, owner: User, unpublished: list[tuple[str, int]]
) -> None:
    old = start.start("patch", by=owner, origin="page", arms=["bm25"], menu_size=20, seed=7, pause_s=0.5)
    address = client.post(f"/runs/{old.public_id}/again")["Location"]
    assert history.find(address.split("/")[2]).setup == old.setup


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_settled_page_shows_every_lane(client: Client, compare: Compare, count: int) -> None:
    arms = ["full", "selected", "bm25", "oracle"][:count]
    run = compare("patch", arms=arms)
    page = client.get(f"/runs/{run.public_id}/").content.decode()
    listed = client.get("/runs/").content.decode()
    for lane in run.lanes.all():
        assert f'aria-label="Lane {lane.letter}"' in page
        assert f"{lane.letter} {'passed' if lane.passed else 'not passed'}" in listed
        tokens = f"{lane.metrics['measured']['input_tokens']['value']:,}"
        assert tokens in listed
        assert tokens in page


def test_a_slip_with_five_lanes_is_told_how_many_there_may_be(client: Client, owner: User) -> None:
    order = {"case": "read", "ordered": "1", "menu": "8", "arms": ALL[:5], "agent": "offline", "judge": "local"}
    response = client.post("/", order | {"seed": "3"})
    assert response.status_code == 422
    assert "5 lanes are ticked; at most 4 run in one comparison." in response.content.decode()


def test_the_slip_explains_every_arm_and_previews_four(client: Client, owner: User) -> None:
    page = client.get("/?case=patch&ordered=1&arms=full&arms=random&arms=bm25&arms=oracle").content.decode()
    for arm in Arm:
        assert f"{arm.label}" in page
    assert page.count("As many as selected, ") == 2
    assert "Just what the case needs" in page
