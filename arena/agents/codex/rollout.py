"""What Codex CLI keeps of its own work: which model it asked, tokens so far, and calls that never left it.

Read after the process has ended and before the home is gone; its own account of a lane that was stopped is the only
one. Nothing here is needed: a version that keeps other records leaves the figures unknown.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.agents.agent import Usage
from arena.agents.codex import said
from arena.agents.codex.home import Home

MOST_BYTES = 20_000_000


@dataclass(slots=True)
class Account:
    """`malformed` are the tool and the text of arguments that are no JSON object."""

    model: str | None = None
    usage: Usage | None = None
    malformed: list[tuple[str, str]] = field(default_factory=list)


def read(home: Home) -> Account:
    """The account of the one session of this home, as far as it goes."""
    account = Account()
    for path in sorted((home.codex / "sessions").glob("**/rollout-*.jsonl"))[:1]:
        for kind, payload in _records(path):
            _take(account, kind, payload)
    return account


def _take(account: Account, kind: object, payload: dict[str, Any]) -> None:
    if kind == "turn_context" and isinstance(payload.get("model"), str):
        account.model = payload["model"] or account.model
    elif kind == "token_usage_record":
        account.usage = said.usage(payload.get("turn_token_usage"))
    elif kind == "response_item" and payload.get("type") == "function_call":
        text = payload.get("arguments")
        if isinstance(text, str) and not _is_object(text):
            account.malformed.append((str(payload.get("name", "")), text))


def _records(path: Path) -> Iterator[tuple[object, dict[str, Any]]]:
    try:
        with path.open("rb") as file:
            lines = file.read(MOST_BYTES).splitlines()
    except OSError:
        return
    for line in lines:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict) and isinstance(record.get("payload"), dict):
            yield record.get("type"), record["payload"]


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text or "{}"), dict)
    except (ValueError, RecursionError):
        return False
