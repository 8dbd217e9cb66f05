"""The story of a top-k selection: measured values against their limits, every option, and what was left out."""

from __future__ import annotations

from typing import Any

from arena.live.story_routing import RoutingStory
from arena.runs.setup import Setup
from policy.engine import drive
from policy.engine.profile import Profile
from policy.engine.receipts import TopKCall
from policy.engine.routing import HostTool, RoutingPolicy, flatten
from policy.judges.scripted import Script, ScriptedJudge
from tests.arena.live.scenes import Scene

POLICY = RoutingPolicy(top_k=2)
SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
LISTED = {**SCHEMA, "properties": {"tags": {"type": "array"}}}
FLAT = flatten(
    [
        HostTool("read_file", "Open.", SCHEMA, 1),
        HostTool("list_files", "List.", {**LISTED, "required": ["tags"]}, 1),
        HostTool("propose_patch", "Hand in.", SCHEMA, 3, ("read_file",)),
        HostTool("send_mail", "Send.", LISTED, 5),
    ]
)


def selection(script: Script | None = None) -> dict[str, Any]:
    shares = {"read_file": 0.05, "propose_patch": 0.8, "send_mail": 0.1, "needs_clarification": 0.05}
    chosen = {"choice": "propose_patch", "confidence": 0.75, "probabilities": shares}
    call = TopKCall(
        task="Mend it.",
        catalog=FLAT.catalog,
        available_ids=tuple(tool.id for tool in FLAT.catalog),
        policy=POLICY,
        profile=Profile(),
        dependencies=FLAT.dependencies,
        left_out=FLAT.left_out,
        narrowed=FLAT.narrowed,
    )
    judge = ScriptedJudge(script or Script({"tool": {"choice": chosen}}))
    return drive.run(call.steps(), judge, budget_ms=8000).to_json()


def scene(made: dict[str, Any]) -> Scene:
    told = Scene("full", "selected", "shadow")
    told.run.setup = Setup(arms=("full", "selected", "shadow"), selector="top-k", routing=POLICY).to_json()
    return told.routed(outcome=made["outcome"], rule=made["rule"], selection=made)


def routing(made: dict[str, Any]) -> RoutingStory:
    judge = scene(made).tell().judge
    assert judge is not None
    assert judge.routing is not None
    return judge.routing


def test_confidence_and_asking_back_are_measured_against_what_decides() -> None:
    sure = routing(selection()).sure
    assert [(meter.name, meter.text, meter.threshold, meter.fires) for meter in sure] == [
        ("confidence", ".75", "0.7000", True),
        ("asking back", ".05", "0.8000", False),
    ]


def test_every_option_has_its_probability_cost_and_reason() -> None:
    assert [(each.tool, each.probability, each.cost, each.verdict) for each in routing(selection()).options] == [
        ("confidence", ".75", "", ".70 or more is asked for"),
        ("asking back", ".05", "", "does not lead"),
        ("propose_patch", ".80", "3", "selected"),
        ("send_mail", ".10", "5", "below the probability floor"),
        ("read_file", ".05", "1", "below the probability floor"),
    ]


def test_what_one_choice_cannot_express_is_named() -> None:
    told = routing(selection())
    assert [(each.tool, each.reason) for each in told.left_out] == [("list_files", "its argument tags is a list")]
    assert [each.tool for each in told.narrowed] == ["send_mail"]
    assert (
        told.not_offered == "1 tool cannot be offered in one flat choice; 1 tool is offered without a list or object."
    )


def test_without_a_usable_answer_only_the_limits_are_told() -> None:
    told = routing(selection(Script({"tool": {"omit": True}})))
    assert (told.sure, told.nearest, told.options) == ((), (), ())
    assert told.limits.startswith("At most 2 tools, the cheapest first: each at .20 or more")


def test_a_shadow_lane_is_told_the_menu_with_its_prerequisites() -> None:
    shadow = scene(selection()).menus().tell().lanes[2]
    assert shadow.menu.would == "The judge would select 2 of 4 tools: 1 selected, 1 prerequisite."


def test_a_two_stage_run_has_no_routing() -> None:
    judge = Scene().routed().tell().judge
    assert judge is not None
    assert judge.routing is None
