from __future__ import annotations

import pytest

from tests.arena.worlds.office import act, fresh, ids, refusal


def test_deployments_come_newest_first() -> None:
    listed = act(fresh(), "list_deployments", service="checkout", environment="production")
    assert ids(listed["deployments"]) == ["d_118", "d_112", "d_108"]


def test_deployments_are_filtered_by_state() -> None:
    assert ids(act(fresh(), "list_deployments", state="failed")["deployments"]) == ["d_121"]


def test_an_unknown_environment_is_refused() -> None:
    assert "send one of staging, production" in refusal(fresh(), "list_deployments", environment="moon")


def test_a_rollback_deploys_the_version_before() -> None:
    world = fresh()
    live = act(world, "rollback_deployment", deployment_id="d_118", reason="latency doubled")["live"]
    assert (live["id"], live["version"], live["environment"]) == ("d_122", "2.13.2", "production")
    assert world.find("deployments", "d_122") == live
    assert live["note"] == "rollback of d_118: latency doubled"


def test_what_was_rolled_back_is_live_no_more() -> None:
    world = fresh()
    act(world, "rollback_deployment", deployment_id="d_118", reason="latency doubled")
    sentence = refusal(world, "rollback_deployment", deployment_id="d_118", reason="once more")
    assert "d_118 is rolled back" in sentence
    assert "checkout runs d_122 in production" in sentence


@pytest.mark.parametrize(
    ("deployment_id", "cause"),
    [
        ("d_112", "d_112 is superseded, only a live one can be rolled back; checkout runs d_118 in production"),
        ("d_121", "d_121 is failed"),
        ("d_116", "Before d_116 no other version of catalog ran in production"),
        ("d_118x", "names no deployment: 'd_118x'; the nearest are d_118"),
    ],
)
def test_only_what_runs_and_had_a_predecessor_is_rolled_back(deployment_id: str, cause: str) -> None:
    assert cause in refusal(fresh(), "rollback_deployment", deployment_id=deployment_id, reason="slow")


def test_a_rollback_needs_a_reason_in_words() -> None:
    assert "reason is blank" in refusal(fresh(), "rollback_deployment", deployment_id="d_118", reason=" ")
