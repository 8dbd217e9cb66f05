"""Small sets, and judges that count what they are asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.conf import LazySettings

from policy.engine.failures import Failure
from policy.judges import registry
from policy.judges.scripted import Script, ScriptedJudge
from policy.measurements import inline, jobs, sets
from policy.measurements.models import FixtureSet, Measurement
from policy.people.models import User

Row = dict[str, Any]


def call(id: str, status: str = "allow", **more: Any) -> Row:
    """An assessment of a call that no other row makes."""
    given = {"task": f"look at {id}", "toolId": "read", "arguments": {"path": id}, "restrictions": []}
    return {"id": id, "kind": "assessment", **given, "expect": {"status": status}, **more}


def menu(id: str, *selected: str, **more: Any) -> Row:
    """A selection among two categories with two tools each."""
    tools = [{"id": f"{group}{n}", "categories": [group]} for group in ("files", "mail") for n in (1, 2)]
    expect = {"status": "selected" if selected else "abstained", "selected": list(selected)}
    return {"id": id, "kind": "selection", "task": f"work on {id}", "candidates": tools, "expect": expect, **more}


def lines(*rows: Mapping[str, Any]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


@pytest.fixture
def taken(owner: User) -> Callable[..., FixtureSet]:
    """`taken(row, row)` is a set of these rows."""

    def take(*rows: Row, name: str = "small") -> FixtureSet:
        return sets.take_in(lines(*rows), name=name, by=owner)

    return take


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch, settings: LazySettings) -> Callable[..., ScriptedJudge]:
    """Gives the scripted judge of this process a script for one test; it keeps the requests that came."""
    judge = registry.get("scripted", cache_dir=settings.VECTORS_DIR)
    assert isinstance(judge, ScriptedJudge)

    def plays(script: Any = None, *, error: Failure | None = None, model: str = "mock/one") -> ScriptedJudge:
        own = script if callable(script) else None
        monkeypatch.setattr(judge, "script", Script({} if own else script or {}, model=model, error=error))
        monkeypatch.setattr(judge, "script_for", own)
        monkeypatch.setattr(judge, "requests", [])
        monkeypatch.setattr(judge, "_calls", 0)
        return judge

    plays()
    return plays


@pytest.fixture
def measure(owner: User) -> Callable[..., Measurement]:
    """`measure(kept, repeats=2)` measures with the scripted judge to the end."""

    def run(kept: FixtureSet, **terms: Any) -> Measurement:
        with inline.quietly():
            begun = jobs.start(kept, by=owner, origin="command", **{"judge": "scripted", **terms})
        return inline.finish(begun)

    return run
