"""The tables of the functions that ask once equal the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import nextafter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from policy.engine.assessment import assess_call
from policy.engine.breakpoints import Breakpoints, Exchanges, again, of_steps, told
from policy.engine.drive import run
from policy.engine.model_routing import Route, Target, route_model
from policy.engine.profile import Profile, Thresholds
from policy.engine.receipts import Recorder
from policy.engine.skill_routing import Skill, route_skill
from policy.judges.scripted import Script, ScriptedJudge

SMALL = Target("acme", "small")
SKILLS = ("skill", "selection", "confidence")
CALL = ("restriction", "missing_information", "task_match")
SHARES = st.sampled_from([0.0, 0.2, 0.35, 0.5, 0.6, 1.0]) | st.floats(0, 1)


def model(profile: Profile) -> Any:
    return route_model(
        task="t",
        routes={"fast": Route(SMALL)},
        default_target=Target("acme", "large"),
        available=[SMALL],
        profile=profile,
    )


def skill(profile: Profile) -> Any:
    return route_skill(task="t", candidates=[Skill("a"), Skill("b")], profile=profile)


def call(profile: Profile) -> Any:
    return assess_call(
        task="t", tool="rm", arguments={"path": "a"}, restrictions=["Keep a."], include_risk=True, profile=profile
    )


def asked(begin: Any, answers: Mapping[str, Any]) -> Exchanges:
    recorder = Recorder()
    run(begin(Profile()), ScriptedJudge(Script(answers)), budget_ms=8000, on_exchange=recorder)
    return recorder.exchanges


def pick(label: str, share: float, *others: str, confidence: float) -> dict[str, Any]:
    spread = {label: share, **{other: (1 - share) / len(others) for other in others}}
    return {"choice": {"choice": label, "confidence": confidence, "probabilities": spread}}


def near(share: float) -> st.SearchStrategy[float]:
    return st.floats(0, 1) | st.sampled_from([share, min(nextafter(share, 2), 1.0)])


@given(st.data(), SHARES, SHARES, SHARES, st.sampled_from([{}, {"omit": True}, {"wrongType": True}]))
def test_the_table_of_a_call_is_the_engine(data: Any, breaks: float, lacks: float, serves: float, risk: Any) -> None:
    answers = {
        "violates_restriction": {"noul": breaks},
        "missing_information": {"noul": lacks},
        "matches_task": {"noul": serves},
        "risk": risk,
    }
    exchanges = asked(call, answers)
    table = of_steps(call, exchanges, names=CALL, profile=Profile())
    assert table is not None
    cuts = Thresholds(
        restriction=data.draw(near(breaks)),
        missing_information=data.draw(near(lacks)),
        task_match=data.draw(near(serves)),
    )
    assert table.at(cuts) == told(again(call(Profile(thresholds=cuts)), exchanges))


def test_every_combination_of_three_rules_is_in_the_table_of_a_call() -> None:
    answers = {name: {"noul": 0.5} for name in ("violates_restriction", "missing_information", "matches_task")}
    table = of_steps(call, asked(call, answers), names=CALL, profile=Profile())
    assert table is not None
    decided = {(each["status"], len(each["decisions"])) for each in table.tables[0].decisions}
    assert decided == {("allow", 1), ("ask", 1), ("ask", 2), ("deny", 1), ("deny", 2), ("deny", 3)}


@given(st.data(), SHARES, st.floats(0.34, 1), SHARES)
def test_the_table_of_a_skill_is_the_engine(data: Any, needs: float, share: float, sure: float) -> None:
    exchanges = asked(
        skill, {"needs_skill": {"noul": needs}, "skill": pick("a", share, "b", "__none__", confidence=sure)}
    )
    table = of_steps(skill, exchanges, names=SKILLS, profile=Profile())
    if table is None:
        return
    cuts = Thresholds(skill=data.draw(near(needs)), selection=data.draw(near(share)), confidence=data.draw(near(sure)))
    assert table.at(cuts) == told(again(skill(Profile(thresholds=cuts)), exchanges))


@given(st.data(), st.floats(0.5, 1))
def test_the_table_of_a_model_route_is_the_engine(data: Any, share: float) -> None:
    exchanges = asked(model, {"route": pick("fast", share, "default", confidence=0.9)})
    table = of_steps(model, exchanges, names=["model_route"], profile=Profile())
    if table is None:
        return
    cuts = Thresholds(model_route=data.draw(near(share)))
    assert table.at(cuts) == told(again(model(Profile(thresholds=cuts)), exchanges))


def test_a_route_flips_just_above_its_probability() -> None:
    table = of_steps(
        model,
        asked(model, {"route": pick("fast", 0.7, "default", confidence=0.9)}),
        names=["model_route"],
        profile=Profile(),
    )
    assert isinstance(table, Breakpoints)
    assert [(each.high, (each.decision or {})["rule"]) for each in table.pieces("model_route", Thresholds())] == [
        (0.7, "model.routed"),
        (1.0, "model.below-threshold"),
    ]


def test_a_judge_that_failed_leaves_nothing_to_move() -> None:
    exchanges = asked(model, {"route": {"omit": True}})
    assert of_steps(model, exchanges, names=["model_route"], profile=Profile()) is None


def test_a_mode_that_asks_nobody_leaves_nothing_to_move() -> None:
    def off(profile: Profile) -> Any:
        return route_skill(task="t", candidates=[Skill("a")], profile=profile, mode="off")  # type: ignore[arg-type]

    assert of_steps(off, [], names=SKILLS, profile=replace(Profile(), name="x")) is None
