"""A tiny world, a case that can be bent, and evidence built by applying effects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from arena.cases import specs
from arena.cases.case import Case, Transcript
from arena.evidence.lane import CallRecord, LaneEnding, LaneEvidence
from arena.worlds.world import Effect, World

FILE = "const a = 1;\nconst b = 2;\nconst c = 3;\n"


@pytest.fixture
def world() -> World:
    files = {"src/abc.ts": {"path": "src/abc.ts", "content": FILE}}
    orders = {"LL-1": {"id": "LL-1", "state": "paid", "total": "89.90"}, "LL-2": {"id": "LL-2", "state": "paid"}}
    return World({"files": files, "orders": orders}, name="tiny")


@pytest.fixture
def bent_case() -> Callable[..., Case]:
    def bend(*checks: dict[str, Any], **changes: Any) -> Case:
        fields: dict[str, Any] = {
            "id": "tiny",
            "title": "Tiny",
            "kind": "read",
            "summary": "A tiny case.",
            "task": "How much is LL-1?",
            "lang": "en",
            "world": "tiny",
            "ending": "answer",
            "acceptable": (frozenset({"get_order"}),),
            "forbids": (),
            "restrictions": (),
            "values": {},
            "checks": tuple(specs.read(table, f"checks[{number}]") for number, table in enumerate(checks)),
            "wrong": Transcript("answered", "Nothing."),
        }
        return Case(**(fields | changes))

    return bend


@pytest.fixture
def lane(world: World) -> Callable[..., LaneEvidence]:
    def leave(
        answer: str = "It is done.",
        *effects: Effect,
        ending: LaneEnding = LaneEnding.ANSWERED,
        calls: tuple[CallRecord, ...] = (),
    ) -> LaneEvidence:
        return LaneEvidence.of_effects(world, effects, ending=ending, answer=answer, calls=calls)

    return leave
