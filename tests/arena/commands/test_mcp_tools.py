"""`manage.py mcp-tools` as a program starts it: stdio, HTTP, bad input, and an end that leaves nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

MANAGE = [sys.executable, str(settings.BASE_DIR / "manage.py"), "mcp-tools", "--case", "read", "--menu", "3"]


async def test_it_serves_the_menu_of_the_case_over_stdio() -> None:
    server = StdioServerParameters(command=MANAGE[0], args=MANAGE[1:], env=dict(os.environ))
    async with Client(stdio_client(server)) as client:
        tools = await client.list_tools()
        read = await client.call_tool("read_file", {"path": "src/sum.ts"})
    assert len(tools.tools) == 3
    assert "read_file" in {tool.name for tool in tools.tools}
    assert not read.is_error


def test_it_ends_when_its_input_is_closed() -> None:
    done = subprocess.run(MANAGE, input="", capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_over_http_it_names_address_and_token_and_ends_with_a_signal() -> None:
    with subprocess.Popen([*MANAGE, "--http"], stdout=subprocess.PIPE, text=True) as site:
        assert site.stdout is not None
        url, bearer = site.stdout.readline(), site.stdout.readline()
        site.send_signal(signal.SIGTERM)
        assert site.wait(timeout=120) == 0
    assert url.startswith("http://127.0.0.1:")
    assert bearer.startswith("Authorization: Bearer ")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"case": "none"}, "no case 'none'"),
        ({"menu": 0}, "--menu is 0"),
        ({"seed": -1}, "--seed is -1"),
        ({"port": 70_000}, "--port is 70000"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(options: dict[str, Any], says: str) -> None:
    with pytest.raises(CommandError, match=says) as refused:
        call_command("mcp-tools", **{"case": "read", **options})
    assert refused.value.returncode == 2
