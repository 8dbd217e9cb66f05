"""An `llm` agent at the desk of the agents' tests, speaking to a provider of the tests' own."""

from __future__ import annotations

import ssl
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import httpx2

from arena.agents.agent import AgentEvent, AgentResult, Brief, Cancel, Said, Toolbox, Usage
from arena.agents.llm.agent import Llm
from arena.agents.llm.connection import Connection, Options
from tests.arena.agents.desk import TOOLS, Desk, StopAfter
from tests.arena.agents.llm.loopback import Provider, Reply, random_sizes, serving
from tests.arena.agents.llm.vendors import Vendor

KEY = "sk-canary-7f3a91c2d4"
TASK = "Read a/b.md of the notebook and say when dinner is."

MODELS = {
    "anthropic": "claude-haiku-4-5",
    "google": "gemini-2.5-flash",
    "openrouter": "openai/gpt-5-mini",
} | dict.fromkeys(("openai", "openai-chat", "compatible"), "gpt-5-mini")


# Reading the certificates takes longer than a whole dialogue here.
_UNTRUSTING = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _client() -> httpx2.AsyncClient:
    return httpx2.AsyncClient(timeout=20.0, trust_env=False, verify=_UNTRUSTING)


@dataclass(slots=True)
class Seen:
    """What one lane of the agent did."""

    result: AgentResult
    events: list[AgentEvent]
    provider: Provider
    toolbox: Any = None

    @property
    def said(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, Said))

    @property
    def usage(self) -> Usage:
        return self.result.usage


@dataclass(slots=True)
class Bench:
    vendor: Vendor
    provider: Provider
    options: Options = field(default_factory=Options)
    model: str = ""

    def work(
        self,
        toolbox: Toolbox | None = None,
        cancel: Cancel | None = None,
        brief: Brief | None = None,
    ) -> Seen:
        box = toolbox or Desk()
        agent = self.begin(box, cancel, brief)
        events: list[AgentEvent] = []
        while True:
            try:
                events.append(next(agent))
            except StopIteration as stop:
                return Seen(stop.value, events, self.provider, box)

    def begin(
        self, toolbox: Toolbox | None = None, cancel: Cancel | None = None, brief: Brief | None = None
    ) -> Generator[AgentEvent, None, AgentResult]:
        connection = Connection(
            self.vendor.name, self.model or MODELS[self.vendor.name], self.provider.address, _client, KEY
        )
        agent = Llm(connection, self.options)
        return agent.run(brief or Brief(TASK, TOOLS), toolbox or Desk(), cancel or StopAfter())


@contextmanager
def bench(vendor: Vendor, replies: Sequence[object], **given: Any) -> Iterator[Bench]:
    """Replies that are plain bytes are streamed in random sizes."""
    cut = [
        each if isinstance(each, Reply) else Reply(cast(bytes, each), pieces=random_sizes(number))
        for number, each in enumerate(replies)
    ]
    with serving(cut, vendor.check, vendor.prefix) as provider:
        yield Bench(vendor, provider, **given)
