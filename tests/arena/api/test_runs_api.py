"""`/api/arena/runs`: the plain success first, then every refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from arena.models import Run
from arena.runs import start
from policy.people.models import User
from policy.services import agents

RUNS = "/api/arena/runs"


@pytest.fixture
def run(owner: User, unpublished: list[tuple[str, int]]) -> Run:
    return start.start("patch", by=owner, origin="api")


def post(client: Client, body: Any, path: str = RUNS, **headers: str) -> Any:
    return client.post(path, body, content_type="application/json", headers=headers)


@pytest.mark.django_db(transaction=True)
def test_a_run_is_started_and_can_be_read(client: Client, unpublished: list[tuple[str, int]]) -> None:
    created = post(client, {"case": "patch", "menu": 20})
    assert created.status_code == 201
    read = client.get(f"{RUNS}/{created.json()['id']}").json()
    assert (read["state"], read["setup"]["menu_size"], [lane["arm"] for lane in read["lanes"]]) == (
        "queued",
        20,
        ["full", "selected"],
    )


@pytest.mark.django_db(transaction=True)
def test_a_run_names_its_selector_and_the_limits_of_it(client: Client, unpublished: list[tuple[str, int]]) -> None:
    limits = {
        "topK": 2,
        "confidenceFloor": 0.5,
        "probabilityFloor": 0.1,
        "relevanceWindow": 0.2,
        "maxCostUnits": 6,
    }
    created = post(client, {"case": "patch", "selector": "top-k", "routing": limits})
    assert (created.status_code, created.json()["setup"]["routing"]) == (201, limits)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({"case": "nope"}, 404, "There is no case 'nope'. Allowed: "),
        ({"case": "patch", "arms": ["fool"]}, 422, "There is no arm 'fool'."),
        (
            {"case": "patch", "judge": "jav"},
            422,
            "There is no judge 'jav'. Allowed: cloudflare, compatible, gguf, local, openrouter, scripted, typesafe.",
        ),
        ({"case": "patch", "selector": "bm25"}, 422, "There is no selector 'bm25'. Allowed: top-k, two-stage."),
        ({"case": "patch", "selector": "top-k", "routing": {"topK": 1}}, 422, "exactly the keys topK, confidenceFloor"),
        ({"case": "patch", "menu": "20"}, 422, "menu: "),
        ({"case": "patch", "manu": 20}, 422, "manu: "),
        ({"case": "patch", "profile": {"thresholds": {"relevanz": 0.5}}}, 422, "relevanz"),
        ({}, 422, "case: "),
        ("{", 400, ""),
    ],
)
def test_a_bad_start_is_a_problem_document(body: Any, status: int, says: str, client: Client) -> None:
    refused = post(client, body)
    assert (refused.status_code, refused["Content-Type"]) == (status, "application/problem+json")
    assert says in refused.json()["detail"]
    assert not Run.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_events_are_read_after_a_number(run: Run, client: Client) -> None:
    told = client.get(f"{RUNS}/{run.public_id}/events?after=1").json()
    assert [event["kind"] for event in told["events"]] == ["run.state"]
    assert (told["last"], told["final"]) == (2, False)


@pytest.mark.django_db(transaction=True)
def test_a_run_is_stopped_and_a_second_stop_says_that_it_is(run: Run, client: Client) -> None:
    assert post(client, {}, f"{RUNS}/{run.public_id}/stop").json()["state"] == "stopped"
    again = post(client, {}, f"{RUNS}/{run.public_id}/stop")
    assert (again.status_code, again.json()["code"]) == (409, "conflict")


@pytest.mark.django_db(transaction=True)
def test_the_list_is_paged_by_a_cursor(owner: User, unpublished: list[tuple[str, int]], client: Client) -> None:
    started = [start.start("patch", by=owner, origin="api").public_id for _ in range(3)]
    first = client.get(f"{RUNS}?limit=2").json()
    second = client.get(f"{RUNS}?limit=2&before={first['before']}").json()
    assert [run["id"] for run in [*first["runs"], *second["runs"]]] == started[::-1]
    assert second["before"] is None


@pytest.mark.parametrize("query", ["limit=0", "limit=201", "before=-1", "state=asleep", "limit=x"])
def test_a_bad_list_query_is_a_problem_document(query: str, client: Client, db: None) -> None:
    refused = client.get(f"{RUNS}?{query}")
    assert (refused.status_code, refused["Content-Type"]) == (422, "application/problem+json")


@pytest.mark.parametrize("path", ["run_aaaaaaaaaaaa", "run_aaaaaaaaaaaa/events", "run_aaaaaaaaaaaa/export"])
def test_an_unknown_run_is_404_in_one_sentence(path: str, client: Client, db: None) -> None:
    missing = client.get(f"{RUNS}/{path}")
    assert (missing.status_code, missing.json()["detail"][:19]) == (404, "There is no run 'ru")


def test_the_export_carries_all_events_and_its_inputs(compare: Callable[..., Run], client: Client) -> None:
    run = compare("patch")
    response = client.get(f"{RUNS}/{run.public_id}/export")
    document = response.json()
    assert response["Content-Disposition"] == f'attachment; filename="jev-arena-{run.public_id}.json"'
    assert [event["seq"] for event in document["events"]] == list(range(1, run.seq + 1))
    assert document["inputs"]["case"]["id"] == "patch"
    assert document["ledger"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "headers",
    [{"host": "evil.example"}, {"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}],
)
def test_a_foreign_page_starts_nothing(headers: dict[str, str], client: Client) -> None:
    assert post(client, {"case": "patch"}, **headers).status_code == 403
    assert not Run.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_run_names_the_model_of_its_agent(client: Client, owner: User, unpublished: list[tuple[str, int]]) -> None:
    agents.connect("compatible", base="http://127.0.0.1:9/v1", by=owner)
    body = {"case": "patch", "agent": "llm", "agent_model": "compatible:qwen3", "agent_effort": "low", "max_steps": 5}
    setup = post(client, body).json()["setup"]
    assert (setup["agent_model"], setup["agent_effort"], setup["max_steps"]) == ("compatible:qwen3", "low", 5)
    assert setup["agent_address"] == "http://127.0.0.1:9/v1"


def test_a_model_that_cannot_be_asked_is_a_refusal_with_its_mend(client: Client, owner: User) -> None:
    refused = post(client, {"case": "patch", "agent": "llm", "agent_model": "openai:gpt-5-mini"})
    assert refused.status_code == 422
    assert "enter one on Settings, under Agents" in refused.json()["detail"]
