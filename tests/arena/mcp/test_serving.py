"""A menu over MCP with the official client: socket and bridge, HTTP on the loopback, bounds, and what is left."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import mcp_types as types
import pytest
from anyio.from_thread import BlockingPortal
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from arena.agents.agent import CallOutcome
from arena.catalogs.tool import Tool
from arena.library import library
from arena.mcp import bridge, serving
from arena.mcp.bounds import MAX_ARGUMENT_BYTES, MAX_CALLS, MAX_LINE_CHARS
from arena.mcp.own_world import OwnWorld
from arena.mcp.server import server_of

KEY = "key-of-this-lane"
FINDER = Tool("find_tool", "meta", "Search.", {"type": "object", "properties": {}, "required": []}, "observe")


@pytest.fixture
def portal() -> Iterator[BlockingPortal]:
    with serving.loop() as portal:
        yield portal


class Searching:
    """Joins `read_file` to its menu by the first call, and notes what it was asked."""

    def __init__(self) -> None:
        self.tools: tuple[Tool, ...] = (FINDER,)
        self.asked: list[str] = []
        self.turned_away: list[str] = []

    async def call(self, tool_id: str, arguments: Mapping[str, Any]) -> CallOutcome:
        self.asked.append(tool_id)
        joined = (library().catalog.tool("read_file"),)
        self.tools = (*self.tools, *joined)
        return CallOutcome(True, content=["read_file"], joined=joined)

    async def refused(self, tool_id: str, arguments: Mapping[str, Any], error: str) -> None:
        self.turned_away.append(error)


def shop() -> OwnWorld:
    shelf = library()
    case = shelf.case("read")
    return OwnWorld((shelf.catalog.tool("read_file"), shelf.catalog.tool("propose_patch")), shelf.worlds[case.world])


def parameters(command: tuple[str, ...], key: str = KEY) -> StdioServerParameters:
    return StdioServerParameters(command=command[0], args=list(command[1:]), env={bridge.KEY: key})


def said(result: types.CallToolResult) -> Any:
    [block] = result.content
    assert isinstance(block, types.TextContent)
    return json.loads(block.text) if not result.is_error else block.text


async def test_the_bridge_serves_exactly_the_menu(portal: BlockingPortal, tmp_path: Path) -> None:
    with serving.over_socket(portal, server_of(shop()), tmp_path / "s", key=KEY) as command:
        async with Client(stdio_client(parameters(command))) as client:
            listed = await client.list_tools()
            read = await client.call_tool("read_file", {"path": "src/sum.ts"})
            unknown = await client.call_tool("delete_branch", {})
            wrong = await client.call_tool("read_file", {"way": "src/sum.ts"})
    assert [tool.name for tool in listed.tools] == ["read_file", "propose_patch"]
    assert said(read)["path"] == "src/sum.ts"
    assert unknown.is_error
    assert "no tool 'delete_branch'" in said(unknown)
    assert wrong.is_error
    assert "way" in said(wrong)


def talk(command: tuple[str, ...], text: str, key: str = KEY) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, input=text, env={bridge.KEY: key}, capture_output=True, text=True, timeout=60)


def test_who_does_not_know_the_key_gets_nothing(portal: BlockingPortal, tmp_path: Path) -> None:
    ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    with serving.over_socket(portal, server_of(shop()), tmp_path / "s", key=KEY) as command:
        assert talk(command, ping).stdout == '{"jsonrpc":"2.0","id":1,"result":{}}\n'
        assert talk(command, ping, key="another").stdout == ""
        assert (tmp_path / "s").stat().st_mode & 0o777 == 0o600
        assert KEY not in " ".join(command)


def test_the_bridge_says_that_the_lane_is_gone(tmp_path: Path, portal: BlockingPortal) -> None:
    with serving.over_socket(portal, server_of(shop()), tmp_path / "s", key=KEY) as command:
        pass
    done = talk(command, "")
    assert done.returncode == 1
    assert "The lane behind this tool server is gone" in done.stderr


def test_the_bridge_ends_when_the_lane_does(portal: BlockingPortal, tmp_path: Path) -> None:
    with serving.over_socket(portal, server_of(shop()), tmp_path / "s", key=KEY) as command:
        peer = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={bridge.KEY: KEY})
        assert peer.stdin is not None
        assert peer.stdout is not None
        peer.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        peer.stdin.flush()
        peer.stdout.readline()
    assert peer.wait(timeout=60) == 0
    peer.stdin.close()
    peer.stdout.close()


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_tool_that_joined_is_listed_and_announced(portal: BlockingPortal, tmp_path: Path, mode: str) -> None:
    heard: list[str] = []

    async def hear(message: object) -> None:
        heard.append(type(message).__name__)

    with serving.over_socket(portal, server_of(Searching()), tmp_path / "s", key=KEY) as command:
        async with Client(stdio_client(parameters(command)), mode=mode, message_handler=hear) as client:
            before = await client.list_tools()
            if mode == "auto":
                async with client.listen(tools_list_changed=True) as changes:
                    await client.call_tool("find_tool", {})
                    with anyio.fail_after(60):
                        await anext(aiter(changes))
                    heard.append("ToolListChangedNotification")
            else:
                await client.call_tool("find_tool", {})
            after = await client.list_tools()
    assert "ToolListChangedNotification" in heard
    assert [tool.name for tool in before.tools] == ["find_tool"]
    assert [tool.name for tool in after.tools] == ["find_tool", "read_file"]


async def test_a_line_that_is_too_long_is_refused_and_the_next_one_served(
    portal: BlockingPortal, tmp_path: Path
) -> None:
    offer = Searching()
    long = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "x" * MAX_LINE_CHARS}}
    ping = {"jsonrpc": "2.0", "id": 8, "method": "ping"}
    with serving.over_socket(portal, server_of(offer), tmp_path / "s", key=KEY) as command:
        lines = talk(command, f"{json.dumps(long)}\n{json.dumps(ping)}\n").stdout.splitlines()
    replies = {reply["id"]: reply for reply in map(json.loads, lines)}
    assert str(MAX_LINE_CHARS) in replies[7]["error"]["message"]
    assert replies[8]["result"] == {}
    assert offer.asked == []


async def test_calls_and_arguments_are_bounded(portal: BlockingPortal, tmp_path: Path) -> None:
    offer = Searching()
    most = {"text": "x" * 50_000}
    with serving.over_socket(portal, server_of(offer), tmp_path / "s", key=KEY) as command:
        async with Client(stdio_client(parameters(command))) as client:
            results = [await client.call_tool("find_tool", most) for _ in range(6)]
            more = [await client.call_tool("find_tool", {}) for _ in range(MAX_CALLS)]
    assert [result.is_error for result in results] == [False] * 5 + [True]
    assert str(MAX_ARGUMENT_BYTES) in said(results[5])
    assert len(offer.asked) == MAX_CALLS - 1
    assert said(more[-1]).startswith(f"The {MAX_CALLS} calls")
    assert len(offer.turned_away) == 7


@asynccontextmanager
async def at_http(url: str, token: str) -> AsyncIterator[Client]:
    http = httpx2.AsyncClient(headers={"authorization": f"Bearer {token}"})
    async with http, Client(streamable_http_client(url, http_client=http)) as client:
        yield client


async def test_http_serves_the_menu_to_who_bears_the_token(portal: BlockingPortal) -> None:
    with serving.over_http(portal, server_of(shop()), token=KEY) as url:
        async with at_http(url, KEY) as client:
            read = await client.call_tool("read_file", {"path": "src/sum.ts"})
    assert said(read)["path"] == "src/sum.ts"


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer another"}, {"authorization": KEY}])
def test_http_refuses_everybody_else(portal: BlockingPortal, headers: dict[str, str]) -> None:
    with serving.over_http(portal, server_of(shop()), token=KEY) as url:
        request = urllib.request.Request(url, data=b"{}", headers=headers)
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request)
    with refused.value:
        assert refused.value.code == 401


def test_http_refuses_a_foreign_host_and_leaves_no_port(portal: BlockingPortal) -> None:
    with serving.over_http(portal, server_of(shop()), token=KEY) as url:
        headers = {"authorization": f"Bearer {KEY}", "host": "evil.example", "content-type": "application/json"}
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(urllib.request.Request(url, data=b"{}", headers=headers))
        with refused.value:
            assert refused.value.code == 421
    port = int(url.rsplit(":", 1)[1].split("/")[0])
    until(lambda: not _listens(port))


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def until(holds: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "this never came true"
        time.sleep(0.05)


def test_a_world_of_its_own_stays_as_it_was(tmp_path: Path) -> None:
    shelf = library()
    world = shelf.worlds[shelf.case("read").world]
    before = world.to_json()
    mine = OwnWorld(shelf.catalog.tools, world)
    arguments = {"path": "src/sum.ts", "patch": "--- a\n+++ b\n", "rationale": "none"}
    anyio.run(mine.call, "propose_patch", arguments)
    assert world.to_json() == before
    assert os.listdir(tmp_path) == []
