"""A caller of the gateway, and the site on a port of this machine as its programs meet it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
import uvicorn
from django.conf import LazySettings
from django.core.asgi import get_asgi_application
from django.test import Client

from policy.engine.failures import Failure
from policy.judges import registry
from policy.judges.scripted import Script, ScriptedJudge
from policy.people import tokens
from policy.people.models import User

Post = Callable[..., Any]
Plays = Callable[..., ScriptedJudge]
NOUL: dict[str, Any] = {"type": "noul", "instructions": "Is the customer asking for money back?"}
CHOICE: dict[str, Any] = {
    "type": "choice",
    "instructions": "Which team?",
    "criteria": {"Billing": "Payments and refunds", "Sales": None},
}
SCORE: dict[str, Any] = {"type": "score", "instructions": "How angry?", "criteria": ["Calm", "Cross", "Furious"]}


def body(**changes: Any) -> dict[str, Any]:
    """A valid body for the scripted judge, with some fields changed; `...` leaves one out."""
    whole = {"model": "scripted", "state": "I was charged twice.", "questions": {"refund": NOUL}, **changes}
    return {name: value for name, value in whole.items() if value is not ...}


@pytest.fixture
def post(client: Client, db: None) -> Post:
    """`post(body)` from a program on this machine; bytes go as they are, keywords are headers."""

    def send(given: Any, *, content_type: str = "application/json", **headers: str) -> Any:
        raw = given if isinstance(given, bytes) else json.dumps(given).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return client.post("/v1/systemone", raw, content_type=content_type, headers=named)

    return send


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch, settings: LazySettings) -> Plays:
    """Gives the scripted judge of this process a script for one test."""
    judge = registry.get("scripted", cache_dir=settings.VECTORS_DIR)
    assert isinstance(judge, ScriptedJudge)

    def plays(answers: Mapping[str, Mapping[str, Any]] | None = None, *, error: Failure | None = None) -> ScriptedJudge:
        monkeypatch.setattr(judge, "script", Script(answers or {}, error=error))
        monkeypatch.setattr(judge, "requests", [])
        return judge

    return plays


@pytest.fixture
def token(owner: User) -> str:
    return tokens.make(name="test", scopes=["judge"], days=1, by=owner).secret.reveal()


@pytest.fixture
def locked(settings: LazySettings) -> None:
    """A site with logins: nobody is let in but by a token."""
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if not each.endswith("LocalUserMiddleware")]


@pytest.fixture
def site(transactional_db: None) -> Iterator[str]:
    """The address of the site under the ASGI server that runs it for people, on a free port of this machine."""
    config = uvicorn.Config(
        get_asgi_application(), host="127.0.0.1", port=0, lifespan="off", ws="none", log_level="critical"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the site did not start"
            time.sleep(0.01)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=30)
