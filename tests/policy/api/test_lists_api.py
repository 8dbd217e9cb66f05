"""`GET /api/policy/judges` and `profiles`: what the other addresses take."""

from __future__ import annotations

from typing import Any

from django.test import Client

from policy.engine.profile import Profile
from policy.judges import registry
from tests.policy.api.conftest import Post
from tests.policy.api.test_select_tools_api import BODY


def read(client: Client, path: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get(f"/api/policy/{path}").json()[path]
    return found


def test_every_judge_says_whether_anything_leaves_the_machine(client: Client, db: None) -> None:
    told = read(client, "judges")
    assert [each["name"] for each in told] == [info.name for info in registry.available()]
    assert {each["name"]: each["leaves_machine"] for each in told}["local"] is False


def test_a_listed_profile_can_be_sent_back_as_it_is(client: Client, post: Post) -> None:
    for listed in read(client, "profiles"):
        assert Profile.from_json(listed["profile"]).digest == listed["digest"]
        answer = post("select-tools", {**BODY, "judge": listed["judge"], "profile": listed["profile"], "mode": "off"})
        assert answer.json()["profile"]["digest"] == listed["digest"]


def test_a_foreign_page_reads_nothing(client: Client, db: None) -> None:
    assert client.get("/api/policy/judges", headers={"origin": "http://evil.example"}).status_code == 403
