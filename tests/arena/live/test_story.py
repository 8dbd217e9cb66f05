"""The story of a run: a pure projection of rows and events."""

from __future__ import annotations

from arena.live.story import Story
from tests.arena.live.scenes import Scene, whole


def test_the_same_events_tell_the_same_story() -> None:
    scene = whole()
    assert scene.tell() == scene.tell()


def test_every_prefix_of_a_run_can_be_told() -> None:
    scene = whole()
    told = [scene.tell(upto) for upto in range(1, len(scene.events) + 1)]
    assert [story.seq for story in told] == list(range(1, len(scene.events) + 1))
    assert [story.final for story in told] == [False] * (len(told) - 1) + [True]


def test_the_state_comes_from_the_events_and_not_from_the_row() -> None:
    scene = Scene().routed()
    scene.run.state = "complete"
    story = scene.tell()
    assert story.state.word == "routing"
    assert not story.final


def test_a_running_run_shows_no_result_yet() -> None:
    story = whole().tell(upto=-2)
    assert (story.headline, story.metrics, story.checks, story.proposals) == (None, None, None, ())


def test_the_head_names_menu_agent_judge_profile_and_seed() -> None:
    facts = {fact.label: fact.value for fact in whole().tell().facts}
    asked = {"judge": "local", "selector": "two-stage", "profile": "default 1"}
    assert facts == {"menu": "4 of 4 tools", "agent": "offline", **asked, "seed": "1"}


def test_a_run_without_a_selecting_lane_names_no_judge() -> None:
    story = Scene("full").menus().tell()
    assert story.judge is None
    assert "judge" not in {fact.label for fact in story.facts}


def test_a_run_can_be_stopped_until_it_settles() -> None:
    def stoppable(scene: Scene) -> bool:
        story: Story = scene.tell()
        return story.stoppable

    assert stoppable(Scene())
    assert stoppable(Scene().routed().menus())
    assert not stoppable(Scene().routed().menus().state("stopping"))
    assert not stoppable(whole())


def test_the_head_names_the_model_of_the_agent_and_how_it_was_asked() -> None:
    scene = whole()
    scene.run.setup |= {"agent": "llm", "agent_model": "openai:gpt-5-mini", "agent_effort": "low"}
    (agent,) = [fact for fact in scene.tell().facts if fact.label == "agent"]
    assert (agent.value, agent.rest) == ("llm", "openai:gpt-5-mini, effort low")
