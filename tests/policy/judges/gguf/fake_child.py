"""Stands in for the process that holds a model: the same line in, the same line out, llama.cpp's addresses between.

What it answers stands in the "model file" itself, as JSON after the four letters; `python -m` starts it like the real
one. Its replies are streamed in pieces of every length, one byte included.
"""

from __future__ import annotations

import json
import os
import random
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

REQUESTS = ".requests"


def main() -> None:
    order = json.loads(sys.stdin.readline())
    path = Path(order["file"])
    script = json.loads(path.read_bytes()[4:] or b"{}")
    if "refuses_to_load" in script:
        print(json.dumps({"error": script["refuses_to_load"]}), flush=True)
        return
    time.sleep(script.get("loads_for_s", 0))
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(order["key"], script, path.with_suffix(REQUESTS)))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"port": server.server_address[1]}), flush=True)
    while sys.stdin.readline():
        pass
    os._exit(0)


def _handler(key: str, script: dict[str, Any], log: Path) -> type[BaseHTTPRequestHandler]:
    texts = iter(script.get("texts", []))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with log.open("a") as file:
                file.write(json.dumps({"path": self.path, "body": body}) + "\n")
            if self.headers["Authorization"] != f"Bearer {key}":
                self._json(401, {"error": {"code": 401, "message": "Invalid API Key"}})
            elif self.path == "/v1/systemone":
                self._system_one(body)
            elif script.get("status", 200) != 200:
                self._json(script["status"], {"error": {"code": script["status"], "message": script["message"]}})
            elif body.get("stream"):
                self._stream(next(texts))
            else:
                self._yes_or_no(body)

        def _system_one(self, body: dict[str, Any]) -> None:
            if "decides" in script:
                self._json(200, script["decides"])
            else:
                self._json(501, {"error": {"code": 501, "message": "This model is not a decision model"}})

        def _yes_or_no(self, body: dict[str, Any]) -> None:
            asked = body["messages"][-1]["content"]
            leaning = next((number for part, number in script.get("leanings", {}).items() if part in asked), 0.0)
            yes, no = min(0.0, leaning) - 1, -max(0.0, leaning) - 1
            top = [{"token": " Yes", "logprob": yes}, {"token": " No", "logprob": no}]
            choice = {"message": {"content": "Yes"}, "logprobs": {"content": [{"top_logprobs": top}]}}
            self._json(200, {"choices": [choice], "usage": {"prompt_tokens": 90, "completion_tokens": 1}})

        def _stream(self, text: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            for event in _events(text, cut=script.get("cut", False)):
                if script.get("dies"):
                    os._exit(1)
                if script.get("breaks_off"):
                    return
                time.sleep(script.get("token_s", 0))
                self.wfile.write(event)
                self.wfile.flush()

        def _json(self, status: int, value: dict[str, Any]) -> None:
            raw = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

    return Handler


def _events(text: str, *, cut: bool) -> Iterator[bytes]:
    """Server-sent events as llama.cpp writes them, in chunks that keep no border."""
    draw = random.Random(len(text))
    chunks: list[dict[str, Any]] = [{"choices": [{"delta": {"role": "assistant", "content": None}}]}]
    while text:
        size = draw.randint(1, 5)
        chunks.append({"choices": [{"finish_reason": None, "delta": {"content": text[:size]}}]})
        text = text[size:]
    chunks.append({"choices": [{"finish_reason": "length" if cut else "stop", "delta": {}}]})
    usage = {"prompt_tokens": 120, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 100}}
    chunks.append({"choices": [], "usage": usage})
    raw = b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks) + b"data: [DONE]\n\n"
    while raw:
        size = draw.choice((1, 7, 200))
        yield raw[:size]
        raw = raw[size:]


if __name__ == "__main__":
    main()
