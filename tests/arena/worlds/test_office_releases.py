from __future__ import annotations

from typing import Any

import pytest

from arena.worlds.world import Effect
from tests.arena.worlds.office import act, fresh, ids, refusal

DRAIN = {"service": "payments", "environment": "production", "minutes": 30, "reason": "new key"}


def test_a_build_of_staging_goes_live_and_replaces_what_ran() -> None:
    world = fresh()
    answer = act(world, "promote_build", deployment_id="d_120", note="vouchers")
    live = act(world, "list_deployments", service="checkout", environment="production", state="live")["deployments"]
    assert (ids(live), live[0]["version"], live[0]["commit"]) == (["d_122"], "2.14.1", "c_9e85a9")
    assert (answer["superseded"], answer["hours_on_staging"]) == (["d_118"], 17.2)


def test_a_promoted_build_can_be_rolled_back() -> None:
    world = fresh()
    act(world, "promote_build", deployment_id="d_119")
    assert act(world, "rollback_deployment", deployment_id="d_122", reason="errors")["live"]["version"] == "1.18.1"


@pytest.mark.parametrize(
    ("deployment_id", "cause"),
    [
        ("d_118", "d_118 went to production; name the deployment on staging"),
        ("d_117", "d_117 is superseded; only what runs on staging now"),
        ("d_113", "5.2.0 of storefront runs in production already"),
        ("d_19", "deployment_id names no deployment"),
    ],
)
def test_a_build_that_is_not_on_staging_is_not_promoted(deployment_id: str, cause: str) -> None:
    assert cause in refusal(fresh(), "promote_build", deployment_id=deployment_id)


def test_a_drain_is_recorded_with_its_end() -> None:
    world = fresh()
    act(world, "drain_service", **DRAIN)
    drain = world.find("drains", "dr_1") or {}
    assert (drain["version"], drain["since"], drain["until"]) == ("1.18.1", world.now, "2026-03-12T10:00:00Z")


def test_a_second_drain_waits_for_the_first() -> None:
    world = fresh()
    act(world, "drain_service", **DRAIN)
    assert "payments is cut off until 2026-03-12T10:00:00Z already" in refusal(world, "drain_service", **DRAIN)
    world.apply([Effect("update", "drains", "dr_1", {"until": "2026-03-12T09:00:00Z"})])
    assert act(world, "drain_service", **DRAIN)["id"] == "dr_2"


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"service": "mailer", "environment": "staging"}, "Nothing of mailer runs in staging"),
        ({"minutes": 121}, "minutes is 121; send at most 120"),
        ({"reason": "  "}, "reason is blank; say in a few words"),
    ],
)
def test_a_drain_of_nothing_or_for_no_reason_is_refused(change: dict[str, Any], cause: str) -> None:
    assert cause in refusal(fresh(), "drain_service", **{**DRAIN, **change})


def test_two_versions_differ_by_the_commits_between_them() -> None:
    found = act(fresh(), "compare_releases", service="checkout", from_version="2.13.2", to_version="2.14.0")
    touched = {row["path"]: (row["additions"], row["deletions"]) for row in found["files"]}
    assert ids(found["commits"]) == ["c_0539f2", "c_e33e07", "c_8d20f1", "c_7a30fe", "c_91a448"]
    assert found["authors"] == ["Jonas Feld", "Ketil Brandvold", "Liam Okafor"]
    assert (touched["src/checkout.ts"], touched["src/tax.ts"]) == ((8, 3), (10, 10))


@pytest.mark.parametrize(
    ("older", "newer", "cause"),
    [
        ("2.14.0", "2.13.2", "2.14.0 of checkout is not older than 2.13.2; exchange the two"),
        ("2.14.0", "2.14.0", "is not older than 2.14.0"),
        (
            "2.13",
            "2.14.0",
            "from_version names no version of checkout: '2.13'; use one of 2.13.1, 2.13.2, 2.14.0, 2.14.1",
        ),
    ],
)
def test_versions_that_cannot_be_compared_are_refused(older: str, newer: str, cause: str) -> None:
    wanted = {"service": "checkout", "from_version": older, "to_version": newer}
    assert cause in refusal(fresh(), "compare_releases", **wanted)


def test_the_release_right_before_the_trouble_is_suspected() -> None:
    found = act(fresh(), "find_suspect_release", at="2026-03-10T16:00:00Z")
    assert [(row["id"], row["minutes_before"]) for row in found["suspects"]] == [("d_118", 115)]


def test_failed_starts_and_staging_count_where_wanted() -> None:
    at = "2026-03-11T18:00:00Z"
    assert ids(act(fresh(), "find_suspect_release", at=at)["suspects"]) == ["d_121"]
    wide = act(fresh(), "find_suspect_release", at=at, hours=30, include_staging=True)
    assert ids(wide["suspects"]) == ["d_121", "d_120", "d_119", "d_118"]
    assert ids(act(fresh(), "find_suspect_release", at=at, hours=30, service="checkout")["suspects"]) == ["d_118"]


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        ({"at": "2026-03-12T09:30:01Z"}, "at lies in the future"),
        ({"at": "yesterday"}, "at is no date"),
        ({"at": "2026-03-11", "hours": 169}, "send at most 168"),
    ],
)
def test_trouble_that_has_no_time_has_no_suspect(arguments: dict[str, Any], cause: str) -> None:
    assert cause in refusal(fresh(), "find_suspect_release", **arguments)
