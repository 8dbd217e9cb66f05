"""The calls whose cost `engine_speed` measures: an assessment, and selections from menus of any size."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

from policy.engine.assessment import Status, assess_call
from policy.engine.drive import run
from policy.engine.failures import Failure
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.profile import Limits, Profile
from policy.engine.selection import Candidate, Category, select_tools
from policy.engine.selection import Status as Selected
from policy.engine.selection.prepared import forget
from policy.judges.scripted import Script, ScriptedJudge

Steps = Generator[JudgeRequest, JudgeReply | Failure, Any]

PROFILE = Profile()
TASK = (
    "Refund the lamp of order A-10077 that arrived broken, tell the customer when the money will be there, and ask "
    "whether a new lamp is wanted."
)
RESTRICTIONS = (
    "Refund at most 200 EUR without asking a person; what is more than that, or is not covered by the order, waits for "
    "the team lead.",
    "Do not write to customers who asked for silence, and never write to anybody about an order that belongs to "
    "somebody else.",
    "Never delete or close an order. An order that looks wrong is marked for the warehouse, which counts again before "
    "anything else is done.",
)
NOTE = (
    "The customer wrote twice about the broken lamp. Keep the tone friendly, name the amount and the day on which the "
    "money arrives, attach the return label as a file, and ask whether a new lamp should be sent at once or later. "
    "Do not promise a date for the new lamp: the warehouse counts on Monday, and the last count was wrong by two."
)
ARGUMENTS = {
    "order": "A-10077",
    "customer": "C-2041",
    "amount": 129.5,
    "currency": "EUR",
    "notify": True,
    "labels": ["damaged", "late"],
    "note": NOTE,
}
CLEAR = Script(
    {"matches_task": {"noul": 0.95}, "missing_information": {"noul": 0.05}, "violates_restriction": {"noul": 0.08}}
)


@dataclass(frozen=True)
class Call:
    """One call of the engine from its beginning to its result, and the work that any program would do for it."""

    begin: Callable[[], Steps]
    judge: ScriptedJudge

    def whole(self) -> Any:
        self.judge.requests.clear()
        return run(self.begin(), self.judge, budget_ms=60_000)

    def alone(self) -> Callable[[], Any]:
        """The same with the replies at hand: what the engine does, without what the judge does."""
        replies = [reply for _, reply in self._exchanges()]
        return lambda: run(self.begin(), AtHand(replies), budget_ms=60_000)

    def bare(self) -> Callable[[], str]:
        """Dump its requests, load its replies, and take one SHA-256 of them."""
        texts = [(request.to_wire(), reply.raw) for request, reply in self._exchanges()]

        def work() -> str:
            digest = hashlib.sha256()
            for wire, raw in texts:
                digest.update(json.dumps(wire).encode())
                json.loads(raw)
                digest.update(raw)
            return digest.hexdigest()

        return work

    def _exchanges(self) -> list[tuple[JudgeRequest, JudgeReply]]:
        seen: list[tuple[JudgeRequest, JudgeReply]] = []

        def note(request: JudgeRequest, sent: JudgeReply | Failure) -> None:
            assert isinstance(sent, JudgeReply)
            seen.append((request, sent))

        run(self.begin(), self.judge, budget_ms=60_000, on_exchange=note)
        return seen


class AtHand:
    """A judge that has its replies already, one for each request in order."""

    name = "at-hand"

    def __init__(self, replies: Sequence[JudgeReply]) -> None:
        self._replies = iter(replies)

    def ask(self, request: JudgeRequest, *, timeout_s: float) -> JudgeReply:
        return next(self._replies)


def assessment() -> Call:
    """About 500 bytes of arguments and three restrictions; the call is allowed."""
    call = Call(
        lambda: assess_call(
            task=TASK,
            tool="refund_order",
            arguments=ARGUMENTS,
            restrictions=RESTRICTIONS,
            profile=PROFILE,
        ),
        ScriptedJudge(CLEAR),
    )
    assert 450 < len(json.dumps(ARGUMENTS)) < 550
    assert call.whole().status is Status.ALLOW
    return call


def selection(tools: int, categories: int, *, first: bool = False) -> Call:
    """Every category is relevant, and a tool of each is picked.

    A host selects from one menu again and again, so its questions are written already; `first` has them written anew.
    """
    names = [f"category_{number}" for number in range(categories)]
    candidates = tuple(
        Candidate(f"{name}_tool_{number}", (name,), f"Does thing {number} of {name} and returns it as a table.")
        for name in names
        for number in range(tools // categories)
    )
    about = tuple(Category(name, f"Everything about {name}.") for name in names)
    profile = Profile(limits=Limits(max_selected_tools=categories))

    def begin() -> Steps:
        if first:
            forget()
        return select_tools(
            task="Find the open tickets about late parcels.", candidates=candidates, categories=about, profile=profile
        )

    call = Call(begin, ScriptedJudge())
    chosen = call.whole()
    assert chosen.status is Selected.SELECTED
    assert len(chosen.selected) == categories
    return call
