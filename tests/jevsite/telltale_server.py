"""A tool server that repeats the key it was given wherever it can; `broken` in its folder ends it with the key."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

KEY = os.environ["TELLTALE"]
if (Path(sys.argv[1]) / "broken").exists():
    sys.exit(f"the key {KEY} is refused")
SCHEMA = {"type": "object", "properties": {"key": {"type": "string", "default": KEY}}}
ANSWERS = {
    "initialize": {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": f"server of {KEY}", "version": "1"},
    },
    "tools/list": {"tools": [{"name": "tell", "description": f"Tells {KEY}.", "inputSchema": SCHEMA}]},
    "tools/call": {"content": [{"type": "text", "text": KEY}], "structuredContent": {"key": KEY, KEY: 1}},
}
for line in sys.stdin:
    asked = json.loads(line)
    if "id" in asked:
        told = ANSWERS.get(asked["method"])
        came = {"result": told} if told else {"error": {"code": -32601, "message": f"no method, {KEY}"}}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **came}), flush=True)
