"""A key that was entered on Settings is found nowhere: tables, files, pages, JSON, frames, logs, errors."""

from __future__ import annotations

import base64
import io
import json
import logging
import re
import shlex
import sys
import urllib.parse
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NoReturn

import pytest
from asgiref.sync import async_to_sync
from django.apps import apps
from django.conf import LazySettings
from django.db import connection
from django.template import Context, Template
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from arena.live.routing import websocket_urlpatterns
from arena.models import Run
from arena.own_cases import services as own_cases
from arena.own_cases.models import OwnCase
from arena.servers.models import OwnCatalog
from jevsite.logs import JsonLines
from policy.judges import registry
from policy.models import LedgerEntry
from policy.people import provider_keys
from policy.people.models import Health, ProviderKey, Role, User
from policy.people.services import local_user
from policy.services import agents, health, judges
from tests.arena.live.sockets import Socket
from tests.policy.judges.http.far_side import FarSide, far_side, repeats_the_key

CANARY = "sk-or-canary-7f3a9c51e2b84d60"
TASK = {"task": "Show the log", "candidates": [{"id": "read", "description": "Reads."}], "exchanges": True}
OF_THE_SERVER = {"title": "Tell", "task": "Tell me.", "catalog": "telltale", "acceptable": [["telltale__tell"]]}
HERE = {"host": "127.0.0.1:8000"}

pytestmark = pytest.mark.django_db(transaction=True)


def spellings() -> list[bytes]:
    """The key as it is, without its known prefix, and as encodings would write it."""
    core = CANARY.removeprefix("sk-or-")
    shifted = [base64.b64encode(b"x" * at + CANARY.encode())[4:-4] for at in range(3)]
    return [core.encode(), core.encode().hex().encode(), core.encode("utf-16-le"), core[::-1].encode(), *shifted]


SPELLINGS = spellings()


def shown_in(text: str | bytes) -> bool:
    raw = text.encode("utf-8", "replace") if isinstance(text, str) else text
    return any(spelling in raw for spelling in SPELLINGS) or CANARY in urllib.parse.unquote(
        raw.decode("utf-8", "replace")
    )


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Everything that any logger says at DEBUG, as this site writes it."""
    told = io.StringIO()
    handler = logging.StreamHandler(told)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    levels = [(logger, logger.level) for logger in map(logging.getLogger, (None, "jev", "django", "asyncio"))]
    for logger, _ in levels:
        logger.setLevel(logging.DEBUG)
    root.addHandler(handler)
    # What JEV_DEBUG would add: the text and the values of every query.
    connection.force_debug_cursor = True
    yield told
    connection.force_debug_cursor = False
    root.removeHandler(handler)
    for logger, level in levels:
        logger.setLevel(level)


@pytest.fixture
def side(settings: LazySettings) -> Iterator[FarSide]:
    """A far side of every provider that repeats the key it was sent wherever it can, first as an error."""
    health.forget_news()
    with ExitStack() as stack:
        side = stack.enter_context(far_side(*map(repeats_the_key, (401, 402, 429, 200))))
        settings.JUDGE_ADDRESSES = {info.name: side.url for info in registry.remote()}
        settings.CLOUDFLARE_ACCOUNT_ID = "account"
        yield side
    judges.close_all()


@pytest.fixture
def used(side: FarSide, log: io.StringIO, compare: Callable[..., Run], client: Client, tmp_path: Path) -> Run:
    """A site on which the key was entered for every provider, checked, used, refused and mistyped, and for a server."""
    run = compare("patch", menu_size=8)
    for info in registry.remote():
        assert client.post(f"/settings/keys/{info.name}/", {"key": CANARY}).status_code == 302
        client.post(f"/settings/check/{info.name}/")
        told = client.post("/api/policy/select-tools", {**TASK, "judge": info.name}, content_type="application/json")
        assert told.status_code == 200, told.content
        assert not shown_in(told.content)
    for house in agents.HOUSES:
        where = f"/settings/agents/{house}"
        assert client.post(f"{where}/where/", {"base_url": side.url}).status_code == 302
        assert client.post(f"{where}/key/", {"key": CANARY}).status_code == 302
        assert not shown_in(client.post(f"{where}/check/", follow=True).content)
    connect_a_server_that_repeats_the_key(client, tmp_path)
    refused = client.post("/settings/keys/typesafe/", {"key": f"Bearer {CANARY}"})
    assert refused.status_code == 422
    assert not shown_in(refused.content)
    sent = [visit for visit in side.visits if CANARY in visit.headers.get("authorization", "")]
    assert len(sent) >= 2 * len(registry.remote()), "the key was not used: the test shows nothing"
    return run


def connect_a_server_that_repeats_the_key(client: Client, folder: Path) -> None:
    """Its name, descriptions and last words hold what it was given; it is approved, and then it breaks."""
    command = shlex.join([sys.executable, str(Path(__file__).parent / "telltale_server.py"), str(folder)])
    sent = {"name": "telltale", "command": command, "secrets": f"TELLTALE={CANARY}"}
    led = client.post("/catalogs/", sent)
    assert led.status_code == 302, led.content
    row = OwnCatalog.objects.get()
    assert "[redacted]" in json.dumps(row.listing)
    assert client.post(f"{led['Location']}marks", {"digest": row.listing_digest, "do": "approve"}).status_code == 302
    own_cases.make({**OF_THE_SERVER, "checks": [{"kind": "called", "tools": ["telltale__tell"]}]}, by=local_user())
    (folder / "broken").touch()
    client.post(f"{led['Location']}again")
    row.refresh_from_db()
    assert "[redacted]" in row.trouble
    told = client.post("/catalogs/", {**sent, "name": "telltale2"})
    assert told.status_code == 422
    assert not shown_in(told.content)


def addresses(run: Run) -> dict[str, str]:
    """Every address of the site by its route, each blank filled in; `public_id` is a run's, or what the route names."""
    catalog = OwnCatalog.objects.get()
    filled = {
        "provider": "typesafe",
        "judge": "typesafe",
        "house": "compatible",
        "prefix": "jev_none",
        "name": "everyday",
        "reference": "strict@1",
        "id": "1",
        "profile": "strict@1",
        "measurement": "1",
        "key": "call",
        "public_id": run.public_id,
        "run_id": run.public_id,
        "approval_id": "apr_none",
        "number": "1",
        "pk": str(LedgerEntry.objects.latest("id").pk),
        "seq": "1",
        "catalog_id": catalog.public_id,
        "case_id": OwnCase.objects.get().public_id,
    }

    rooms = {"catalogs/": catalog.public_id, "cases/": OwnCase.objects.get().public_id}

    def blank(found: re.Match[str]) -> str:
        name = found[1].rpartition(":")[2]
        if name == "public_id" and (own := rooms.get(found.string[: found.start()])):
            return own
        assert name in filled, f"give the blank {name!r} a value, so that its page is looked at, too"
        return filled[name]

    return {route: "/" + re.sub(r"<([^>]+)>", blank, route) for route in _routes(get_resolver())}


def _routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    for each in resolver.url_patterns:
        route = before + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from _routes(each, route)
        elif isinstance(each, URLPattern):
            yield route


def test_no_table_and_no_file_has_the_key(used: Run, tmp_path: Path) -> None:
    found, columns = [], 0
    for model in apps.get_models(include_auto_created=True):
        columns += len(model._meta.concrete_fields)
        for row in model._base_manager.values():
            found += [f"{model.__name__}.{name}" for name, value in row.items() if shown_in(_written(value))]
    assert columns > 100
    assert found == []
    said = " ".join(Health.objects.values_list("failure_message", flat=True))
    kept = " ".join(f"{row.raw_reply} {row.failure_message}" for row in LedgerEntry.objects.exclude(origin="run"))
    assert "[redacted]" in said
    assert "[redacted]" in kept
    assert {row.last_four for row in ProviderKey.objects.all()} == {CANARY[-4:]}
    if connection.vendor == "sqlite":
        name = connection.settings_dict["NAME"]
        files = [Path(f"{name}{end}") for end in ("", "-wal", "-shm")]
        assert [file.name for file in files if file.exists() and shown_in(file.read_bytes())] == []
    in_var = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert (tmp_path / "master-key") in in_var
    assert [file.name for file in in_var if shown_in(file.read_bytes())] == []


def _written(value: Any) -> str | bytes:
    if isinstance(value, memoryview | bytes):
        return bytes(value)
    return value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)


def test_no_page_no_document_and_no_log_line_has_the_key(used: Run, client: Client, log: io.StringIO) -> None:
    found, looked = [], 0
    for role in Role:
        User.objects.filter(pk=local_user().pk).update(role=role)
        for route, address in addresses(used).items():
            response = client.get(address)
            assert response.status_code in {200, 301, 302, 401, 403, 404, 405, 422}, (address, response.status_code)
            body = b"".join(response) if response.streaming else response.content
            looked += response.status_code == 200
            if shown_in(body) or shown_in(str(response.headers)) or shown_in(response.cookies.output()):
                found.append((role, route))
    assert looked > 3 * 10
    assert found == []
    assert '"level": "debug"' in log.getvalue()
    assert not shown_in(log.getvalue())


def test_a_new_token_is_on_its_page_once_and_nowhere_else(client: Client, owner: User, log: io.StringIO) -> None:
    client.post("/settings/tokens/", {"name": "nightly", "scopes": "read", "days": "30"})
    secret = re.search(r"jev_[a-z2-7]{8}_([\w-]{40,})", client.get("/settings/tokens/").content.decode())
    assert secret
    rows = [_written(list(row.values())) for model in apps.get_models() for row in model._base_manager.values()]
    assert rows
    assert not [row for row in [*rows, log.getvalue()] if secret[1] in str(row)]


def test_no_form_gives_the_key_back(used: Run, client: Client) -> None:
    known = dict.fromkeys(("key", "base_url", "account", "name", "api-judge", "task"), "")
    for address in addresses(used).values():
        for body in ({}, {**known, "key": f"{CANARY} and more"}):
            answer = client.post(address, body)
            sent = answer.content if not answer.streaming else b"".join(answer)
            assert not shown_in(sent), address
            assert not shown_in(str(answer.headers) + answer.cookies.output()), address


def test_no_frame_has_the_key(used: Run) -> None:
    opened = 0

    async def frames(path: str) -> list[str]:
        wire = Socket(path)
        if await wire.connect() is not None:
            return []
        told = [json.dumps(await wire.frame())]
        await wire.drop()
        return told

    for pattern in websocket_urlpatterns:
        path = str(pattern.pattern).replace("<str:public_id>", used.public_id)
        assert "<" not in path, f"give the blank of {path} a value, so that its frames are looked at, too"
        told = async_to_sync(frames)(f"/{path}?after=0")
        opened += len(told)
        assert not any(map(shown_in, told))
    assert opened


@pytest.mark.parametrize("debug", [False, True])
def test_no_error_page_has_the_key(
    debug: bool, log: io.StringIO, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*, provider: str, key: Any, by: User) -> NoReturn:
        revealed = key.reveal()
        raise RuntimeError(f"broken while a key of {len(revealed)} characters was at hand")

    settings.DEBUG = debug
    monkeypatch.setattr(provider_keys, "save", breaks)
    broken = Client(headers=HERE, raise_request_exception=False).post("/settings/keys/typesafe/", {"key": CANARY})
    assert broken.status_code == 500
    assert ("RuntimeError" in broken.content.decode()) == debug
    assert not shown_in(broken.content)
    assert "RuntimeError" in log.getvalue()
    assert not shown_in(log.getvalue())


def test_the_variables_of_a_page_are_not_logged(log: io.StringIO) -> None:
    page = Template("{{ missing }}").render(Context({"kept": CANARY}))
    assert page == ""
    assert not shown_in(log.getvalue())


def test_the_test_would_notice(tmp_path: Path, owner: User) -> None:
    for text in (CANARY, f"Bearer {CANARY}", urllib.parse.quote(CANARY), base64.b64encode(CANARY.encode()).decode()):
        assert shown_in(f"before {text} after")
    owner.first_name = CANARY[:150]
    owner.save()
    leaks = [row for row in User._base_manager.values() if shown_in(_written(row))]
    assert len(leaks) == 1
