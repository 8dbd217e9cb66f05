"""What a selection does to an agent's tools: it leaves some out, adds none, and counts for one moment only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from policy.engine.failures import Failure, FailureCode
from policy.engine.mode import Mode
from policy.engine.profile import Profile
from policy.engine.selection import Candidate, select_tools
from policy.judges.scripted import Script
from policy.services.gate import Gate, Menu, Snapshot
from tests.policy.engine.doubles import drive
from tests.policy.services.test_gate import Meanwhile, gate

pytestmark = pytest.mark.usefixtures("either_way")

TOOLS = ("dig", "ping", "mail")
PICKED = Script({"rel_net": {"noul": 0.9}, "rel_post": {"noul": 0.1}, "pick_net": {"choice": "ping"}})


def narrow(
    made: Gate, script: Script = PICKED, *, existing: Sequence[str] = TOOLS, judge: Any = None, **options: Any
) -> Menu:
    def begin(snapshot: Snapshot) -> Any:
        menu = [Candidate("dig", ("net",)), Candidate("ping", ("net",)), Candidate("mail", ("post",))]
        call = {"task": snapshot.task, "step": snapshot.label, "candidates": menu, "profile": Profile(), **options}
        return select_tools(**call)

    return drive(made.narrow("a", existing=existing, begin=begin), judge or Meanwhile(lambda: None, script))


def test_only_selected_and_always_allowed_tools_stay_in_the_hosts_order() -> None:
    made = gate()
    assert narrow(made).tools == ("ping",)
    assert narrow(made, always_allow=["mail"], existing=["mail", "ping"]).tools == ("mail", "ping")
    assert (made.statistics.selections, made.statistics.restrictions_applied) == (2, 2)


def test_a_tool_that_does_not_exist_is_not_added() -> None:
    menu = narrow(gate(), always_allow=["root"])
    assert menu.tools == ("ping",)


@pytest.mark.parametrize(
    ("script", "options", "counted"),
    [
        (PICKED, {"mode": Mode.SHADOW}, None),
        (PICKED, {"mode": Mode.OFF}, None),
        (Script({"rel_net": {"noul": 0.1}, "rel_post": {"noul": 0.1}}), {}, "abstentions"),
        (Script(error=Failure(FailureCode.SERVER, "down")), {}, "selection_failures"),
    ],
)
def test_anything_but_an_enforced_selection_keeps_all_tools(script: Script, options: Any, counted: str | None) -> None:
    made = gate()
    menu = narrow(made, script, **options)
    assert (menu.tools, menu.narrowed) == (TOOLS, False)
    assert counted is None or made.statistics.to_json()[counted] == 1


def test_a_stale_selection_is_discarded() -> None:
    made = gate()
    menu = narrow(made, judge=Meanwhile(lambda: made.catalog_changed("a"), PICKED))
    assert (menu.tools, menu.narrowed) == (TOOLS, False)
    assert "stale" in menu.reason
    assert made.statistics.stale_discarded == 1


def test_a_menu_is_never_narrowed_to_nothing() -> None:
    assert narrow(gate(), existing=["mail"]).tools == ("mail",)


@pytest.mark.parametrize(("known", "existing"), [(False, TOOLS), (True, ())])
def test_without_a_task_or_tools_nothing_is_asked(known: bool, existing: Sequence[str]) -> None:
    made, judge = gate(), Meanwhile(lambda: None, PICKED)
    if not known:
        made.end("a")
    assert narrow(made, existing=existing, judge=judge).tools == tuple(existing)
    assert judge.requests == []
