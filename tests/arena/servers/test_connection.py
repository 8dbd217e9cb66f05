"""A live connection to a stranger's server: bounded in time and size, its words scrubbed, its processes gone after."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.servers import results
from arena.servers.connection import Connection
from arena.servers.target import REDACTED, Target, of_address, of_command
from arena.servers.trouble import ServerTrouble
from policy.engine.profile import InvalidConfig
from tests.arena.servers.conftest import command

SECRET = "Bearer sk-notes-93451"
Opens = Callable[..., Target]


@pytest.fixture
def notes(folder: Path) -> Target:
    (folder / "odd").touch()
    return of_command("notes", command(folder), folder="", secrets={"NOTES_TOKEN": SECRET})


def running(text: str) -> list[int]:
    """Processes of this machine whose command line holds the text."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                line = (entry / "cmdline").read_bytes().decode("utf-8", "replace")
            except OSError:
                continue
            if text in line:
                found.append(int(entry.name))
    return found


def eventually(holds: Callable[[], bool]) -> bool:
    for _ in range(100):
        if holds():
            return True
        time.sleep(0.1)
    return False


def test_lists_and_calls_a_command(notes: Target) -> None:
    with Connection(notes) as server:
        listing = {each.name: each for each in server.tools()}
        result = server.call("read_note", {"name": "plan"})
    assert server.title == "notes"
    assert {"list_notes", "read_note", "add_note", "erase_note"} <= listing.keys()
    assert [listing[name].proposal[0] for name in ("list_notes", "add_note", "erase_note", "draw")] == [
        "observe",
        "modify",
        "destructive",
        "destructive",
    ]
    assert results.content(result) == {"text": "The plan: ship on Monday, 14:30."}


def test_lists_and_calls_an_address(address: str) -> None:
    target = of_address("notes", address, private=False, secrets={"Authorization": SECRET})
    with Connection(target) as server:
        assert "read_note" in {each.name for each in server.tools()}
        refused = server.call("read_note", {"name": "nothing"})
    assert refused.is_error
    assert "There is no note nothing." in results.words(refused)


def test_pictures_are_named_and_long_texts_cut(notes: Target) -> None:
    with Connection(notes) as server:
        picture, much = server.call("draw", {}), server.call("flood", {})
    drawn = results.content(picture)
    assert "image/png" in drawn["left_out"][0]
    assert "iVBOR" not in str(drawn["text"])
    told = results.content(much)
    assert len(told["text"]) == results.MAX_CHARS
    assert "500,000" in told["cut"]


def test_what_the_server_was_given_is_erased_from_its_words(notes: Target) -> None:
    with Connection(notes) as server:
        told = notes.scrubbed(results.content(server.call("tell", {})))
    assert REDACTED in str(told)
    assert "sk-notes-93451" not in str(told)


def test_a_command_gets_none_of_our_variables(notes: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JEV_MASTER_KEY", "of-the-house")
    monkeypatch.setenv("OPENAI_API_KEY", "of-the-operator")
    with Connection(notes) as server:
        told = str(results.content(server.call("tell", {})))
    assert "of-the-house" not in told
    assert "of-the-operator" not in told


def test_a_call_that_hangs_ends_in_time_and_leaves_no_process(notes: Target, folder: Path) -> None:
    with Connection(notes) as server:
        with pytest.raises(ServerTrouble, match="did not answer within 2 s"):
            server.call("hang", {}, time_s=2)
        assert eventually((folder / "hanging").exists)
    assert eventually(lambda: not running(str(folder)))


def test_a_stop_ends_a_call(notes: Target) -> None:
    with Connection(notes) as server, pytest.raises(ServerTrouble, match="stopped"):
        server.call("hang", {}, time_s=60, cancelled=lambda: True)


def test_a_server_that_dies_in_a_call_is_trouble_with_a_cause(notes: Target) -> None:
    with Connection(notes) as server:
        with pytest.raises(ServerTrouble, match="the connection ended"):
            server.call("die", {})
        with pytest.raises(ServerTrouble):
            server.call("list_notes", {})


@pytest.mark.parametrize(
    ("extra", "cause"),
    [("--endless", "more than is allowed"), ("--silent", "did not answer"), ("--broken", "no such configuration")],
)
def test_a_server_that_does_not_open_says_why(extra: str, cause: str, folder: Path) -> None:
    target = of_command("notes", command(folder, extra), folder="", secrets={"NOTES_TOKEN": SECRET})
    with (
        pytest.raises(ServerTrouble, match=cause) as trouble,
        Connection(target, connect_s=2 if extra == "--silent" else 30),
    ):
        pass
    assert "sk-notes" not in str(trouble.value)
    assert eventually(lambda: not running(str(folder)))


@pytest.mark.parametrize("program", ["/nowhere/to/be/found", sys.executable + "x"])
def test_a_program_that_is_not_there_is_named(program: str) -> None:
    target = of_command("notes", [program], folder="", secrets={})
    with pytest.raises(ServerTrouble, match="cannot be started"), Connection(target):
        pass


def test_nothing_listens() -> None:
    target = of_address("notes", "http://127.0.0.1:9/mcp", private=False, secrets={})
    with pytest.raises(ServerTrouble, match="nothing listens"), Connection(target):
        pass


@pytest.mark.parametrize(
    ("url", "cause"),
    [
        ("http://10.0.0.1/mcp", "https"),
        ("https://169.254.169.254/mcp", "no address of a server"),
        ("https://user:pw@example.com/mcp", "user name or password"),
        ("ftp://example.com", "neither https"),
    ],
)
def test_addresses_are_guarded_like_those_of_judges(url: str, cause: str) -> None:
    with pytest.raises(InvalidConfig, match=cause):
        of_address("notes", url, private=False, secrets={})


def test_a_name_that_leads_inside_is_refused_when_it_is_used(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    port = int(address.split(":")[2].split("/")[0])
    target = of_address("notes", f"https://tools.example.com:{port}/mcp", private=False, secrets={})

    async def found(*_: object, **__: object) -> list[tuple[object, ...]]:
        return [(0, 0, 0, "", ("127.0.0.1", port))]

    monkeypatch.setattr("policy.judges.http.guarded.anyio.getaddrinfo", found)
    with pytest.raises(ServerTrouble, match="private network"), Connection(target):
        pass


@pytest.mark.parametrize("secrets", [{"Bad Header": "x"}, {"Host": "x"}, {"X-Token": "two\nlines"}])
def test_headers_that_cannot_be_sent_are_refused(secrets: dict[str, str]) -> None:
    with pytest.raises(InvalidConfig):
        of_address("notes", "https://example.com/mcp", private=False, secrets=secrets)


@pytest.mark.parametrize(
    ("parts", "folder"), [([], ""), (["a\x00"], ""), (["true"], "relative"), (["true"], "/no/such")]
)
def test_commands_that_cannot_be_run_are_refused(parts: list[str], folder: str) -> None:
    with pytest.raises(InvalidConfig):
        of_command("notes", parts, folder=folder, secrets={})
