"""A run as a page tells it: one pure projection of its rows, its events and its snapshots.

The first page load, every live frame and a reload render the same story, so they cannot differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils import timezone

from arena.catalogs.menus import menu_for
from arena.catalogs.tool import Tool
from arena.live import (
    figures,
    rows,
    story_checks,
    story_clock,
    story_dialogue,
    story_events,
    story_gate,
    story_headline,
    story_judge,
    story_lanes,
    story_log,
    story_menu,
    story_metrics,
    story_patches,
    story_pays,
    story_routing,
    story_states,
    story_strip,
)
from arena.live.rows import Snapshots
from arena.models import RUN_FINAL, Arm, Event, Lane, Run, RunState


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of the head: label plain, value semi-bold, a rest in plain words."""

    label: str
    value: str
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Story:
    """Everything that the page of a run shows. `seq` is the last event in it, `final` that nothing will follow."""

    public_id: str
    number: int
    title: str
    task: str
    created_at: datetime
    state: story_states.State
    message: str
    facts: tuple[Fact, ...]
    clock: story_clock.Clock
    phases: tuple[story_clock.Phase, ...]
    strip: story_strip.Strip
    judge: story_judge.JudgeStory | None
    lanes: tuple[story_lanes.LaneStory, ...]
    headline: story_headline.Headline | None
    metrics: story_metrics.MetricStory | None
    proposals: tuple[story_patches.Proposal, ...]
    checks: story_checks.CheckStory | None
    dialogue: story_dialogue.DialogueStory | None
    pays: story_pays.PaysStory | None
    log: tuple[story_log.EventRow, ...]
    said: str
    seq: int
    final: bool
    stoppable: bool

    @property
    def waiting(self) -> tuple[story_lanes.LaneStory, ...]:
        """The lanes that wait for a person."""
        return tuple(lane for lane in self.lanes if lane.waiting)

    @property
    def asks(self) -> tuple[story_gate.Card, ...]:
        """Everything that a person was asked in this run."""
        return tuple(card for lane in self.lanes for card in lane.asks)


def of(run: Run) -> Story:
    """The story of a run up to the last event that its row knows of."""
    snapshots, events = rows.of(run)
    dialogue = story_dialogue.of(run, snapshots.case.turns)
    return tell(
        run, list(run.lanes.all()), events, snapshots, now=timezone.now(), dialogue=dialogue, pays=story_pays.of(run)
    )


def tell(
    run: Run,
    lanes: Sequence[Lane],
    events: Sequence[Event],
    snapshots: Snapshots,
    *,
    now: datetime,
    dialogue: story_dialogue.DialogueStory | None = None,
    pays: story_pays.PaysStory | None = None,
) -> Story:
    """Pure: the same rows, events and time always give the same story."""
    clock = story_clock.of(events, now)
    state = story_clock.state(events)
    message = story_clock.message(events)
    final = state in RUN_FINAL
    logs = [story_events.lane_log(lane, events) for lane in lanes]
    if run.setup.get("gate") == "compare":
        logs = [replace(log, gate=lane.gate) for log, lane in zip(logs, lanes, strict=True)]
    log = story_log.tell(events, {lane.pk: lane.letter for lane in lanes}, clock)
    decided = story_events.decided(events)
    judge = story_judge.tell(story_events.requests(events), decided, run.setup, stopped=final)
    return Story(
        public_id=run.public_id,
        number=run.number,
        title=run.case_title,
        task=snapshots.case.task,
        created_at=events[0].at,
        state=story_states.of_run(state),
        message=message,
        facts=tuple(_facts(run.setup, snapshots)),
        clock=clock,
        phases=story_clock.phases(events, clock),
        strip=story_strip.tell(events, logs, clock),
        judge=judge,
        lanes=tuple(_lane(each, run.setup, snapshots, decided, clock) for each in logs),
        headline=story_headline.tell(logs, events) if final else None,
        metrics=story_metrics.tell(logs, complete=state == RunState.COMPLETE) if final else None,
        proposals=story_patches.tell(logs) if final else (),
        checks=story_checks.tell(logs) if final else None,
        dialogue=dialogue,
        pays=pays if final else None,
        log=log,
        said=story_log.said(log),
        seq=events[-1].seq,
        final=final,
        stoppable=state in (RunState.QUEUED, RunState.ROUTING, RunState.RUNNING),
    )


def _facts(setup: Mapping[str, Any], snapshots: Snapshots) -> list[Fact]:
    case, profile = snapshots.case, setup["profile"]
    judged = any(Arm(arm).asks_judge for arm in setup["arms"])
    facts = [
        Fact("menu", f"{len(_menu(setup, snapshots))} of {len(snapshots.catalog.tools)} tools"),
        Fact("agent", setup["agent"], _agent(setup)),
        Fact("judge", setup["judge"]) if judged else None,
        Fact("selector", *story_routing.named(setup)) if judged else None,
        Fact("profile", f"{profile['name']} {profile['version']}"),
        _gate_fact(setup),
        Fact("seed", str(setup["seed"])),
        Fact("search", "find_tool", "where a lane does not see all") if setup.get("find_tool") else None,
        Fact("selection", "kept", "over answers") if setup.get("stable_menu") else None,
        *(Fact("restriction", restriction) for restriction in case.restrictions),
    ]
    return [fact for fact in facts if fact is not None]


def _gate_fact(setup: Mapping[str, Any]) -> Fact | None:
    gate, rules = setup.get("gate", "off"), setup.get("rules", ())
    if gate == "off":
        return None
    named = "off against enforce" if gate == "compare" else gate
    return Fact("gate", named, figures.plural(len(rules), "rule") if rules else "")


def _agent(setup: Mapping[str, Any]) -> str:
    """What people must know of the agent beside its name: its model and how that was asked."""
    if setup["agent"] == "offline":
        return "no language model"
    version = setup.get("agent_version", "")
    asked = [
        version and f"version {version}",
        setup.get("agent_model", ""),
        setup.get("agent_address", "") and f"at {setup['agent_address']}",
    ]
    if effort := setup.get("agent_effort"):
        asked.append(f"effort {effort}")
    if (temperature := setup.get("agent_temperature")) is not None:
        asked.append(f"temperature {temperature:g}")
    return ", ".join(part for part in asked if part)


def _menu(setup: Mapping[str, Any], snapshots: Snapshots) -> tuple[Tool, ...]:
    return menu_for(snapshots.case, snapshots.catalog, setup["menu_size"], setup["seed"]).tools


def _lane(
    log: story_events.LaneLog,
    setup: Mapping[str, Any],
    snapshots: Snapshots,
    decided: Mapping[str, Any] | None,
    clock: story_clock.Clock,
) -> story_lanes.LaneStory:
    limit = setup["profile"]["limits"]["maxSelectedTools"]
    tools = _menu(setup, snapshots)
    menu = story_menu.tell(log, tools, snapshots.catalog, decided, limit=limit, ended=clock.stopped)
    return story_lanes.tell(log, menu, clock)
