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
    assert [each["name"] for each in told] == [info.name for info in [*registry.available(), *registry.remote()]]
    assert {each["name"]: each["leaves_machine"] for each in told} == {
        **{info.name: False for info in registry.available()},
        **{info.name: True for info in registry.remote()},
    }


def test_a_judge_that_cannot_be_asked_says_what_is_missing(client: Client, db: None) -> None:
    told = {each["name"]: each["trouble"] for each in read(client, "judges")}
    assert told["local"] == ""
    assert told["typesafe"] == "TypeSafe needs a key: enter one on Settings."
    assert "account" in told["cloudflare"]
    assert "address" in told["compatible"]


def test_a_listed_profile_can_be_sent_back_as_it_is(client: Client, post: Post) -> None:
    remote = {info.name for info in registry.remote()}
    for listed in read(client, "profiles"):
        assert Profile.from_json(listed["profile"]).digest == listed["digest"]
        judge = "local" if listed["judge"] in remote else listed["judge"]
        answer = post("select-tools", {**BODY, "judge": judge, "profile": listed["profile"], "mode": "off"})
        assert answer.json()["profile"]["digest"] == listed["digest"]


def test_a_foreign_page_reads_nothing(client: Client, db: None) -> None:
    assert client.get("/api/policy/judges", headers={"origin": "http://evil.example"}).status_code == 403
