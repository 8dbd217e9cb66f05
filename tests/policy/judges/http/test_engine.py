"""The engine with a judge behind HTTP: an answer decides, a failure falls back with its code, the budget holds."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from policy.engine.drive import run, run_async
from policy.engine.profile import Profile
from policy.engine.selection import Selection, select_tools
from policy.judges.http.judge import AsyncHttpJudge, HttpJudge
from tests.policy.engine.doubles import tools
from tests.policy.judges.http.asking import target
from tests.policy.judges.http.far_side import far_side, nobody, says, stalls
from tests.policy.judges.http.faults import MockConfig, running


def selected(url: str, *, awaited: bool, budget_ms: int = 8000) -> Selection:
    steps: Any = select_tools(
        task="look up the host", candidates=tools(net="dig ping", desk="print"), profile=Profile()
    )
    whom = target("compatible", base_url=url, key=None)
    if awaited:
        return asyncio.run(_awaited(steps, whom, budget_ms))
    judge = HttpJudge(whom)
    try:
        told: Selection = run(steps, judge, budget_ms=budget_ms)
    finally:
        judge.close()
    return told


async def _awaited(steps: Any, whom: Any, budget_ms: int) -> Selection:
    async with AsyncHttpJudge(whom) as judge:
        told: Selection = await run_async(steps, judge, budget_ms=budget_ms)
        return told


def test_a_selection_is_decided_by_a_server(awaited: bool) -> None:
    with running(MockConfig()) as url:
        selection = selected(url, awaited=awaited)
    assert selection.failure is None
    assert selection.diagnostics.models == ("jevcompat-mock-0.1",)
    assert selection.diagnostics.usage.input_tokens


@pytest.mark.parametrize(("status", "code"), [(401, "AUTHENTICATION"), (402, "PERMISSION"), (422, "BAD_REQUEST")])
def test_a_refusal_is_a_fallback_with_its_code(status: int, code: str, awaited: bool) -> None:
    with far_side(says(status, {"detail": "no"})) as side:
        selection = selected(side.url, awaited=awaited)
    assert selection.failure is not None
    assert (selection.status.value, selection.failure.code.value) == ("fallback", code)
    assert selection.selected == ()


def test_nobody_at_the_address_is_a_fallback(awaited: bool) -> None:
    selection = selected(nobody(), awaited=awaited, budget_ms=300)
    assert selection.failure is not None
    assert selection.failure.code.value == "CONNECTION"


def test_a_stalling_server_is_left_before_it_gives_up_itself(awaited: bool) -> None:
    with far_side(stalls) as side:
        selection = selected(side.url, awaited=awaited, budget_ms=150)
    assert selection.failure is not None
    assert selection.failure.code.value == "TIMEOUT"
