"""A program that plays Codex CLI for tests: its command line, lines and tool server, with a plan for a model.

Its environment is as small as that of the real one, so the plan is written into the program. Steps of a plan:
`say` (a line of output), `call` (tool and arguments, over MCP through the lane's bridge; `list` notes the menu),
`note` (keeps prompt, arguments, environment, and the menu in a file), `renew` (writes a new sign-in), `session` (writes
records), `flood` (bytes), `spawn` (a process that outlives it; its id goes into a file), `sleep`, `deaf` (ignores a
polite end), `exit`, `meet` (waits for so many of its kind in a folder), `menu` (other steps by the size of the menu).
"""

from __future__ import annotations

import json
import stat
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_PROGRAM = r"""
import json, os, signal, subprocess, sys, time, tomllib
if "--version" in sys.argv:
    print(VERSION)
    sys.exit()

def say(**event):
    print(json.dumps(event), flush=True)

settings = {}
for flag, value in zip(sys.argv, sys.argv[1:]):
    if flag == "-c":
        name, _, text = value.partition("=")
        settings[name] = tomllib.loads(f"x = {text}")["x"]
prompt = sys.stdin.read()
wanted = settings["mcp_servers.lane"]
environment = {"PATH": os.environ.get("PATH", "")} | {name: os.environ[name] for name in wanted["env_vars"]}
server = subprocess.Popen(
    [wanted["command"], *wanted["args"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment,
    text=True, start_new_session=True,
)
ids = 0

def ask(method, **params):
    global ids
    ids += 1
    server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": ids, "method": method, "params": params}) + "\n")
    server.stdin.flush()
    while True:
        line = server.stdout.readline()
        if not line:
            sys.exit(7)
        reply = json.loads(line)
        if reply.get("id") == ids:
            return reply["result"]

ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "codex", "version": "0"})
server.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
menu = [tool["name"] for tool in ask("tools/list")["tools"]]
say(type="thread.started", thread_id="t")
say(type="turn.started")
home = os.environ["CODEX_HOME"]
results = []
PLAN = [step for each in PLAN for step in (each["menu"][str(len(menu))] if "menu" in each else [each])]
for step in PLAN:
    [(kind, value)] = step.items()
    if kind == "meet":
        open(os.path.join(value[0], str(os.getpid())), "w").close()
        while len(os.listdir(value[0])) < value[1]:
            time.sleep(0.02)
    elif kind == "say":
        say(**value)
    elif kind == "call":
        item = {"id": "i", "type": "mcp_tool_call", "server": "lane", "tool": value[0], "arguments": value[1]}
        say(type="item.started", item={**item, "result": None, "error": None, "status": "in_progress"})
        result = ask("tools/call", name=value[0], arguments=value[1])
        results.append(result)
        say(type="item.completed", item={**item, "result": result, "error": None, "status": "completed"})
    elif kind == "list":
        menu = [tool["name"] for tool in ask("tools/list")["tools"]]
    elif kind == "note":
        kept = {
            "prompt": prompt, "line": sys.argv[1:], "environment": dict(os.environ), "settings": settings, "menu": menu,
            "results": results, "home": oct(os.stat(home).st_mode & 0o777), "homes": sorted(os.listdir(home)),
            "work": os.listdir("."), "cwd": os.getcwd(), "server": server.pid, "pid": os.getpid(),
            "modes": {name: oct(os.stat(os.path.join(home, name)).st_mode & 0o777) for name in os.listdir(home)},
        }
        with open(value + ".part", "w") as file:
            json.dump(kept, file)
        os.replace(value + ".part", value)
    elif kind == "renew":
        with open(os.path.join(home, "auth.json"), "w") as file:
            file.write(value)
    elif kind == "session":
        os.makedirs(os.path.join(home, "sessions", "2026"))
        with open(os.path.join(home, "sessions", "2026", "rollout-x.jsonl"), "w") as file:
            file.writelines(json.dumps(record) + "\n" for record in value)
    elif kind == "flood":
        print("x" * value, flush=True)
    elif kind == "spawn":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        with open(value, "w") as file:
            file.write(str(child.pid))
    elif kind == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    elif kind == "sleep":
        time.sleep(value)
    elif kind == "exit":
        os._exit(value)
"""
USAGE = {
    "input_tokens": 900,
    "cached_input_tokens": 300,
    "cache_write_input_tokens": 0,
    "output_tokens": 40,
    "reasoning_output_tokens": 8,
}
Step = dict[str, Any]


def program(place: Path, plan: Sequence[Step], version: str = "codex-cli 0.171.0") -> str:
    """The path of a program that plays `plan`."""
    text = f"#!{sys.executable}\nimport json\nVERSION = {version!r}\nPLAN = json.loads({json.dumps(list(plan))!r})\n"
    place.write_text(text + _PROGRAM)
    place.chmod(place.stat().st_mode | stat.S_IXUSR)
    return str(place)


def says(text: str) -> Step:
    return {"say": {"type": "item.completed", "item": {"id": "m", "type": "agent_message", "text": text}}}


def thinks(text: str) -> Step:
    return {"say": {"type": "item.completed", "item": {"id": "r", "type": "reasoning", "text": text}}}


def done(**usage: Any) -> Step:
    return {"say": {"type": "turn.completed", "usage": {**USAGE, **usage}}}


def calls(tool: str, **arguments: Any) -> Step:
    return {"call": [tool, arguments]}
