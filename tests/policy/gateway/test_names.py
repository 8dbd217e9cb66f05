"""Model names: which judge each means, what is listed, and that a name never leads off this machine by itself."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from policy.gateway.names import Named, listed, named
from policy.gateway.refusals import Refusal
from policy.judges import registry
from policy.people.models import Purpose, User
from policy.services import judges


@pytest.fixture
def compatible(owner: User) -> None:
    """A judge behind HTTP that needs no key, set for the API."""
    judges.connect(provider="compatible", base="http://127.0.0.1:9", by=owner)
    judges.choose(purpose=Purpose.API, judge="compatible", model="house-1", by=owner)


@pytest.mark.parametrize(
    ("model", "judge"),
    [
        ("jev-latest", Named("local")),
        ("local", Named("local")),
        ("scripted", Named("scripted")),
        ("typesafe", Named("typesafe")),
        ("typesafe/jev-1.13.0", Named("typesafe", "jev-1.13.0")),
        ("openrouter/typesafe/jev-1.13", Named("openrouter", "typesafe/jev-1.13")),
    ],
)
def test_a_name_means_a_judge(model: str, judge: Named, owner: User) -> None:
    assert named(model, by=owner) == judge


@pytest.mark.parametrize(
    "model", ["", "jev-1.13.0", "jev-preview", "local/2", "typesafe/", "Local", "toString", "/", "x" * 500]
)
def test_no_other_name_is_understood_while_the_judge_of_the_api_is_on_this_machine(model: str, owner: User) -> None:
    with pytest.raises(Refusal) as refused:
        named(model, by=owner)
    assert refused.value.status == 400
    assert len(refused.value.body["detail"]["message"]) < 500


def test_the_version_that_answers_can_be_pinned(owner: User) -> None:
    version = registry.get("local").model  # type: ignore[attr-defined]
    assert named(version, by=owner) == Named("local")
    with pytest.raises(Refusal, match="Unknown model"):
        named(f"{version}0", by=owner)


def test_a_judge_behind_http_that_was_chosen_gets_every_other_name(compatible: None, owner: User) -> None:
    assert named("jev-latest", by=owner) == Named("compatible")
    assert named("jev-1.13.0", by=owner) == Named("compatible", "jev-1.13.0")
    assert named("local", by=owner) == Named("local")
    assert judges.model_for("compatible", by=owner, purpose=Purpose.API) == "house-1"


def test_the_list_has_the_alias_and_every_judge_that_can_be_asked_now(owner: User) -> None:
    assert [entry["name"] for entry in listed(by=owner)] == ["jev-latest", "local", "scripted"]
    judges.connect(provider="compatible", base="http://127.0.0.1:9", by=owner)
    assert [entry["name"] for entry in listed(by=owner)] == ["jev-latest", "local", "scripted", "compatible"]


def test_the_list_has_the_vendors_shape(client: Client, db: None) -> None:
    answer = client.get("/v1/models")
    assert answer["x-typesafe-request-id"].startswith("req_")
    assert answer.json().keys() == {"models"}
    for entry in answer.json()["models"]:
        assert entry.keys() == {"name", "description", "release_date"}
        assert date.fromisoformat(entry["release_date"])


def test_the_list_says_whom_the_alias_means(compatible: None, owner: User) -> None:
    assert listed(by=owner)[0]["description"].endswith("now The compatible server.")
