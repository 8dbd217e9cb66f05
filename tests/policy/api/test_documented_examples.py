"""The examples of docs/api.md and of the OpenAPI page are run as they stand there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from policy.measurements import inline, jobs
from policy.services.judgments import Judgment

pytestmark = pytest.mark.django_db

DOCUMENT = (Path(settings.BASE_DIR) / "docs" / "api.md").read_text(encoding="utf-8")
CURL = re.compile(
    r"^\$ curl -s http://127\.0\.0\.1:8000(/\S+) -H 'Content-Type: application/json' -d '(.*?)'$", re.M | re.S
)
CALIBRATION = "/api/policy/calibration/"
ALL = [(path, json.loads(body)) for path, body in CURL.findall(DOCUMENT)]
# Those of calibrating build on each other: they are a walk of their own below.
ARENA = [(path, body) for path, body in ALL if path.startswith("/api/arena/")]
EXAMPLES = [(path, body) for path, body in ALL if not path.startswith((CALIBRATION, "/api/arena/"))]
WALK = [(path, body) for path, body in ALL if path.startswith(CALIBRATION)]
PLACEHOLDER = "meas_aaaaaaaaaaaa"


def described(client: Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/openapi.json").json()
    return found


def posts(client: Client) -> dict[str, dict[str, Any]]:
    """The schema of the body of every `POST /api/policy/…` that takes one."""
    found = described(client)
    schemas = found["components"]["schemas"]
    return {
        path: schemas[item["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]]
        for path, item in found["paths"].items()
        if path.startswith("/api/policy/") and "requestBody" in item.get("post", {})
    }


def test_every_address_has_an_example_in_the_document_and_on_the_page(client: Client) -> None:
    bodies = posts(client)
    assert {path for path, _ in ALL if path.startswith("/api/policy/")} == set(bodies)
    assert [path for path, schema in bodies.items() if not schema.get("examples")] == []
    assert DOCUMENT.count("$ curl") == len(ALL)


def test_the_walk_of_calibrating_is_answered_as_it_stands(client: Client, transactional_db: None) -> None:
    shown = {path: schema["examples"] for path, schema in posts(client).items() if path.startswith(CALIBRATION)}
    assert {path: [body] for path, body in WALK} == shown
    measurement = PLACEHOLDER
    with inline.quietly():
        for path, body in WALK:
            sent = json.loads(json.dumps(body).replace(PLACEHOLDER, measurement))
            answer = client.post(path, sent, content_type="application/json")
            assert answer.status_code == 200, (path, answer.content.decode())
            if path.endswith("/measurements"):
                measurement = answer.json()["id"]
            if path.endswith("/resume"):
                assert inline.finish(jobs.find(measurement)).state == "complete"
    assert client.get(f"{CALIBRATION}profiles/log-gate@1").json()["passport"]["kinds"]["assessment"]["cases"] == 2


@pytest.mark.parametrize(("path", "body"), ARENA, ids=[path for path, _ in ARENA])
def test_an_example_of_the_arena_makes_what_it_says(path: str, body: dict[str, Any], client: Client) -> None:
    answer = client.post(path, body, content_type="application/json")
    assert answer.status_code == 201, answer.content.decode()
    assert client.get(f"{path.removesuffix('/import')}/{answer.json()['id']}").status_code == 200


@pytest.mark.parametrize(("path", "body"), EXAMPLES, ids=[f"{n}-{path}" for n, (path, _) in enumerate(EXAMPLES)])
def test_an_example_of_the_document_is_answered(path: str, body: dict[str, Any], client: Client) -> None:
    answer = client.post(path, body, content_type="application/json")
    assert answer.status_code == 200, answer.content.decode()
    assert answer.json().get("result", {}).get("failure") is None


@pytest.mark.parametrize(("path", "body"), EXAMPLES, ids=[f"{n}-{path}" for n, (path, _) in enumerate(EXAMPLES)])
def test_an_answer_leaves_out_nothing_that_the_engine_says(
    path: str, body: dict[str, Any], client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[Any] = []
    whole = Judgment.to_json

    def recorded(judgment: Judgment[Any], **options: bool) -> dict[str, Any]:
        said.append(whole(judgment, **options))
        return said[-1]  # type: ignore[no-any-return]

    monkeypatch.setattr(Judgment, "to_json", recorded)
    answer = client.post(path, body, content_type="application/json").json()
    assert said == ([answer] if "result" in answer else [])


def test_the_examples_of_the_page_are_answered(client: Client) -> None:
    for path, schema in posts(client).items():
        if path.startswith(CALIBRATION):
            continue
        for body in schema["examples"]:
            answer = client.post(path, body, content_type="application/json")
            assert answer.status_code == 200, (path, answer.content.decode())


def test_every_field_of_a_body_says_what_it_may_be(client: Client) -> None:
    """A bound on every text and list, so that no caller has to find the limits by trying."""
    open_ended = [
        f"{path}: {name}"
        for path, schema in posts(client).items()
        for name, field in schema["properties"].items()
        for part in field.get("anyOf", [field])
        if (part.get("type") == "string" and not {"enum", "maxLength"} & part.keys())
        or (part.get("type") == "array" and "maxItems" not in part)
    ]
    assert open_ended == []


@pytest.mark.parametrize("path", ["/api/docs", "/api/openapi.json"])
def test_the_description_is_served_from_here(path: str, client: Client) -> None:
    page = client.get(path)
    assert page.status_code == 200
    assert not re.search(r'(src|href)="https?://', page.content.decode())
