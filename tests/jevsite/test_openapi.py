"""The checked-in description of the API is the one that the site gives; a change of it is seen in a review."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from jevsite.env import PROJECT

SNAPSHOT = PROJECT / "docs" / "openapi.json"
RENEW = "manage.py export_openapi_schema --sorted --indent 1 --output docs/openapi.json"


@pytest.fixture
def described(tmp_path: Path) -> Any:
    file = tmp_path / "openapi.json"
    call_command("export_openapi_schema", "--sorted", "--indent", "1", "--output", str(file))
    return json.loads(file.read_text(encoding="utf-8"))


def test_the_snapshot_is_what_the_site_describes(described: Any) -> None:
    kept = json.loads(SNAPSHOT.read_text(encoding="utf-8"))
    assert described == kept, f"The API changed. Look at the change, then renew its description: {RENEW}"


def test_no_body_takes_an_unknown_field(described: Any) -> None:
    schemas = described["components"]["schemas"]
    taken = {
        operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        for path in described["paths"].values()
        for operation in path.values()
        if "requestBody" in operation
    }
    assert {"SelectTools", "RouteModel", "RouteSkill", "StartRun"} <= taken
    assert [name for name in taken if schemas[name].get("additionalProperties") is not False] == []
