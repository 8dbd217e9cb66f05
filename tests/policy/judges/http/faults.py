"""jevcompat's server with one fault at a time, asked through each of our adapters."""

from __future__ import annotations

import json
import threading
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from jevcompat.mock import FAULTS, MockConfig, make_server

from policy.engine.contract import invalid_reply, validate
from policy.engine.failures import Failure, JudgeFailed
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.questions import Choice, Noul, Question, Score
from policy.judges import remote
from policy.judges.http.judge import HttpJudge
from policy.judges.http.retries import NO_RETRIES
from policy.judges.keys import Key
from policy.judges.settings import JudgeSettings

ROWS = Path(__file__).with_name("jevcompat-faults.toml")
__all__ = ["ADAPTERS", "EMPTY", "REQUEST", "MockConfig", "Outcome", "Row", "played", "rows", "running"]

ADAPTERS = ("typesafe", "openrouter", "cloudflare", "compatible")
KEY = "sk-or-jevcompat-0123456789"
# For every fault something to bite on: odd ids, accents, capitals, no description, many options, six levels.
QUESTIONS: dict[str, Question] = {
    "go now?": Noul("Is it needed?", true="It is.", false="It is not."),
    "tool": Choice("Which one?", {"Über": "above", "café": "a place", "print": None}),
    "many": Choice("Which of many?", {f"option {number}": "one of them" for number in range(70)}),
    "risk": Score("How bad?", ("none", "little", "some", "much", "more", "total")),
}
REQUEST = JudgeRequest({"task": "look up the host"}, QUESTIONS, "fault")
EMPTY = JudgeRequest({"task": "look up the host"}, {}, "fault")


@dataclass(frozen=True)
class Outcome:
    """What an adapter makes of a fault. `path` and `rule` say where and what is refused, or noted beside `answers`."""

    kind: str
    path: str = ""
    rule: str = ""
    code: str = ""
    usage: tuple[int | None, int | None] = (None, None)
    answers: str = ""


@dataclass(frozen=True)
class Row:
    """What is expected of one fault; `otherwise` are the adapters that differ, each with its own keys."""

    fault: str
    probe: str
    expected: Mapping[str, str]
    otherwise: Mapping[str, Mapping[str, str]]

    def of(self, adapter: str) -> Mapping[str, str]:
        own = self.otherwise.get(adapter, {})
        return own if "outcome" in own else {**self.expected, **own}

    @property
    def requirement(self) -> str:
        return str(FAULTS[self.fault][0])

    @property
    def does(self) -> str:
        return str(FAULTS[self.fault][1])


def rows() -> list[Row]:
    """Every expected row of the file, in its order."""
    table = tomllib.loads(ROWS.read_text(encoding="utf-8"))
    return [Row(name, row.pop("probe", "sound"), *_split(row)) for name, row in table.items()]


def _split(row: dict[str, Any]) -> tuple[dict[str, str], dict[str, Mapping[str, str]]]:
    return (
        {key: value for key, value in row.items() if isinstance(value, str)},
        {key: value for key, value in row.items() if not isinstance(value, str)},
    )


def played(fault: str | None, adapter: str, probe: str = "sound") -> Outcome:
    """Ask the server that has the fault (None is a clean one) through an adapter."""
    guarded = probe in ("a key", "no key", "a wrong key")
    config = MockConfig(key=KEY if guarded else None, faults=frozenset([fault] if fault else []))
    with running(config) as url:
        judge = _judge(url, adapter, probe)
        try:
            if probe == "the list of models":
                listed = judge.models(timeout_s=5)
                return Outcome("tolerated", rule=f"{len(listed)} models" if listed else "no list asked for")
            request = EMPTY if probe == "no questions" else REQUEST
            return _read(judge.ask(request, timeout_s=5), request)
        except JudgeFailed as failed:
            return _refused(failed.failure)
        finally:
            judge.close()


@contextmanager
def running(config: MockConfig) -> Iterator[str]:
    """The server on a free port; it looks a hundred times as often as its own runner whether it should stop."""
    server = make_server(config)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.005}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _judge(url: str, adapter: str, probe: str) -> HttpJudge:
    key = None if probe == "no key" else Key("sk-or-wrong-98765" if probe == "a wrong key" else KEY)
    if adapter != "compatible" and key is None:
        key = Key("sk-or-a-key-is-required")
    model = "nope" if probe == "an unknown model" else "jev-latest"
    settings = JudgeSettings(adapter, base_url=url, model=model, account="acc" if adapter == "cloudflare" else "")
    target = remote.target(settings, key=key)
    opener = (lambda base: httpx.Client(transport=_Gateway(url))) if adapter in ("openrouter", "cloudflare") else None
    return HttpJudge(target, retries=NO_RETRIES, **({"opener": opener} if opener else {}))  # type: ignore[arg-type]


def _read(reply: JudgeReply, request: JudgeRequest) -> Outcome:
    checked = validate(reply.body, request.questions)
    usage = (checked.usage.input_tokens, checked.usage.output_tokens)
    if len(checked.answers) < len(request.questions):
        return _refused(invalid_reply(checked.violations))
    answers = json.dumps(checked.to_json()["answers"], default=float)
    first = checked.violations[0] if checked.violations else None
    kind = "tolerated" if first is None else "noted"
    return Outcome(kind, first.path if first else "", first.message if first else "", "", usage, answers)


def _refused(failure: Failure) -> Outcome:
    first = failure.violations[0] if failure.violations else None
    rule = failure.message if first is None else first.message
    return Outcome("refused", first.path if first else "", rule, failure.code.value)


class _Gateway(httpx.BaseTransport):
    """The envelopes of OpenRouter and Cloudflare around a server that speaks the vendor's wire."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._client = httpx.Client(trust_env=False, verify=False)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        asked = json.loads(request.read() or b"{}")
        wrapped = "input" in asked
        model = str(asked.get("model", "")).removeprefix("~").removeprefix("typesafe/")
        inner = {**asked.get("input", asked), "model": "jev-latest" if model == "jev" else model}
        headers = {name: request.headers[name] for name in ("authorization",) if name in request.headers}
        got = self._client.post(f"{self._url}/v1/systemone", json=inner, headers=headers)
        raw = got.content
        if wrapped and got.status_code == 200 and raw.startswith(b"{"):
            raw = b'{"result": ' + raw + b', "success": true, "errors": []}'
        return httpx.Response(got.status_code, content=raw)

    def close(self) -> None:
        self._client.close()
