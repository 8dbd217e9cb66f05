"""A server of the tests that speaks the Responses API to Codex CLI, with a model that knows the four cards.

Every request is checked and kept; a reply is streamed in pieces of random size, one byte included.
"""

from __future__ import annotations

import json
import random
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-loopback-31c9"
NAMESPACE = "mcp__lane"
USAGE = {
    "input_tokens": 1000,
    "input_tokens_details": {"cached_tokens": 400},
    "output_tokens": 50,
    "output_tokens_details": {"reasoning_tokens": 10},
    "total_tokens": 1050,
}


@dataclass
class Side:
    """What came; `hang` holds the replies after so many tool results, until `let_go` is set."""

    url: str = ""
    hang: int | None = None
    hung: threading.Event = field(default_factory=threading.Event)
    let_go: threading.Event = field(default_factory=threading.Event)
    requests: list[dict[str, Any]] = field(default_factory=list)
    times: list[tuple[str, float]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def menu(request: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The tools of ours that a request carries."""
    spaces = [tool for tool in request["tools"] if tool.get("name") == NAMESPACE]
    return {tool["name"]: tool for space in spaces for tool in space["tools"]}


def foreign(request: dict[str, Any]) -> set[str]:
    """The tools that a request carries and that are not ours."""
    return {tool.get("name", tool["type"]) for tool in request["tools"]} - {NAMESPACE}


def thread(request: dict[str, Any]) -> str:
    """Which lane asks: Codex CLI gives each of its sessions a key for the cache."""
    return str(request["prompt_cache_key"])


def said_to(request: dict[str, Any]) -> str:
    """The whole text that the model is given."""
    return json.dumps(request["input"], ensure_ascii=False)


@contextmanager
def responses() -> Iterator[Side]:
    side = Side()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            body = b'{"object": "list", "data": []}'
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            side.requests.append(request)
            side.times.append((thread(request), time.monotonic()))
            side.wrong += _faults(self.path, self.headers.get("authorization", ""), request)
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("connection", "close")
            self.close_connection = True
            self.end_headers()
            results = [item for item in request["input"] if item.get("type") == "function_call_output"]
            try:
                self._send("response.created", response={"id": "resp_1"})
                if side.hang is not None and len(results) >= side.hang:
                    side.hung.set()
                    side.let_go.wait(600)
                    return
                self._send("response.output_item.done", output_index=0, item=_reply(request, len(results)))
                self._send("response.completed", response={"id": "resp_1", "usage": USAGE})
            except OSError:
                pass

        def _send(self, kind: str, **fields: Any) -> None:
            text = f"event: {kind}\ndata: {json.dumps({'type': kind, **fields}, ensure_ascii=False)}\n\n".encode()
            while text:
                size = random.choice((1, 1, 7, 100, 4000))
                self.wfile.write(text[:size])
                self.wfile.flush()
                text = text[size:]

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        side.url = f"http://127.0.0.1:{server.server_port}/v1"
        serving = threading.Thread(target=server.serve_forever, daemon=True)
        serving.start()
        try:
            yield side
        finally:
            side.let_go.set()
            server.shutdown()
            serving.join()


def _faults(path: str, bearer: str, request: dict[str, Any]) -> Iterator[str]:
    if path != "/v1/responses":
        yield f"asked at {path}"
    if bearer != f"Bearer {KEY}":
        yield "another key than the person's"
    if request.get("stream") is not True or request.get("store") is not False:
        yield "not streamed, or to be stored"
    for tool in menu(request).values():
        if tool["type"] != "function" or tool["parameters"]["type"] != "object" or not tool["description"]:
            yield f"the tool {tool['name']} is not whole"
    known = {item["call_id"] for item in request["input"] if item.get("type") == "function_call"}
    for item in request["input"]:
        if item.get("type") == "function_call_output" and item["call_id"] not in known:
            yield "a result without its call"


def _reply(request: dict[str, Any], results: int) -> dict[str, Any]:
    """What the model does next: the calls of a card one by one, then its last words."""
    text = said_to(request)
    plan, words = _card(text, menu(request))
    if results < len(plan):
        name, arguments = plan[results]
        call = {"type": "function_call", "id": f"fc_{results}", "call_id": f"call_{results}", "namespace": NAMESPACE}
        return {**call, "name": name, "arguments": json.dumps(arguments)}
    return {"type": "message", "id": "m", "role": "assistant", "content": [{"type": "output_text", "text": words}]}


def _card(text: str, tools: dict[str, Any]) -> tuple[list[tuple[str, dict[str, Any]]], str]:
    def look(path: str) -> tuple[str, dict[str, Any]]:
        if "read_file" in tools:
            return "read_file", {"path": path}
        return "inspect_agent", {"path": path, "task": f"What does {path} say?"}

    if "src/sum.ts" in text:
        return [look("src/sum.ts")], "An empty list gives 0; src/sum.ts says so."
    if "src/total.ts" in text:
        facts = dict(re.findall(r'- (rationale|patch): ("(?:[^"\\]|\\.)*")', json.loads(f'"{_task(text)}"')))
        arguments = {"path": "src/total.ts", **{name: json.loads(value) for name, value in facts.items()}}
        return [look("src/total.ts"), ("propose_patch", arguments)], "A patch for src/total.ts waits for review."
    if "src/config.ts" in text:
        inspect = ("inspect_agent", {"path": "src/config.ts", "task": "Which timeout ends a request?"})
        first = inspect if "inspect_agent" in tools else look("src/config.ts")
        return [first], "requestTimeoutMs in src/config.ts ends a single request, after 3000 ms."
    return [], "What should become better, and by which measure?"


def _task(text: str) -> str:
    """The JSON text that holds the facts, as it stands in the request."""
    return next(str(part) for part in re.findall(r'"text": "((?:[^"\\]|\\.)*)"', text) if "Known facts" in part)
