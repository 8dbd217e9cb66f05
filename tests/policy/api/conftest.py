"""A caller of the API and a scripted judge to answer it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from policy.engine.failures import Failure
from policy.judges import registry
from policy.judges.scripted import Script, ScriptedJudge

Post = Callable[..., Any]


@pytest.fixture
def post(client: Client, db: None) -> Post:
    """`post("select-tools", body)` from a program on this machine; keywords are headers."""

    def send(path: str, body: Any, **headers: str) -> Any:
        return client.post(f"/api/policy/{path}", body, content_type="application/json", headers=headers)

    return send


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch, settings: LazySettings) -> Callable[..., ScriptedJudge]:
    """Gives the scripted judge of this process a script for one test."""
    judge = registry.get("scripted", cache_dir=settings.VECTORS_DIR)
    assert isinstance(judge, ScriptedJudge)

    def plays(answers: Mapping[str, Mapping[str, Any]] | None = None, *, error: Failure | None = None) -> ScriptedJudge:
        monkeypatch.setattr(judge, "script", Script(answers or {}, error=error))
        monkeypatch.setattr(judge, "requests", [])
        return judge

    return plays
