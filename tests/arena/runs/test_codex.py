"""Runs of the agent codex, played by a program: refused in time, recorded, kept apart, stopped."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import LazySettings

from arena.codex.models import CodexAccess
from arena.errors import Invalid
from arena.exchange import documents
from arena.mcp.bridge import KEY as KEY_OF_LANE
from arena.models import Event, LaneState, Run, RunState
from arena.runs import history, inline, start, stop
from arena.runs.setup import Setup
from policy.people.models import User
from tests.arena.agents.codex.lane import alive, until
from tests.arena.agents.codex.playing import Step, calls, done, program, says, thinks
from tests.arena.codex_cli import KEY, seat

READ = calls("read_file", path="src/sum.ts")
ZERO = says("For an empty list sum gives back 0, see src/sum.ts.")


def test_a_run_keeps_program_model_calls_and_tokens(
    tmp_path: Path, owner: User, settings: LazySettings, compare: Callable[..., Run]
) -> None:
    seat(tmp_path / "codex", [READ, ZERO, done()], by=owner, settings=settings)
    run = compare("read", agent="codex", arms=["full", "selected"], menu_size=8)
    assert run.state == RunState.COMPLETE, run.message
    kept = Setup.from_json(run.setup)
    assert (kept.agent, kept.agent_model, kept.agent_version) == ("codex", "gpt-6-sol", "0.171.0")
    for lane in run.lanes.all():
        assert lane.state == LaneState.COMPLETED
        assert lane.passed, lane.check_result
        assert lane.metrics["model"] == "gpt-6-sol"
        assert lane.metrics["usage"]["input_tokens"] == 900
        assert lane.metrics["usage"]["source"] == "reported"
        kinds = list(lane.events.order_by("seq").values_list("kind", flat=True))
        assert kinds.count("call.started") == kinds.count("call.finished") == 1
        assert kinds.index("step.thinking") < kinds.index("call.started")
    assert KEY not in json.dumps(documents.export(run, history.events(run), []), default=str)


def test_model_and_version_are_part_of_what_is_compared() -> None:
    keys = {
        Setup(agent="codex", agent_model=model, agent_version=version).comparison_key(case="", world="", catalog="")
        for model in ("a", "b")
        for version in ("0.171.0", "0.172.0")
    }
    assert len(keys) == 4
    assert "agent_model" not in Setup().to_json()


@pytest.mark.parametrize(
    ("prepare", "says_so"),
    [
        (lambda place: str(place / "nothing"), "npm install --global @openai/codex"),
        (lambda place: program(place / "old", [], version="codex-cli 0.154.0"), "too old"),
        (lambda place: program(place / "other", [], version="v22.1.0"), "does not say that it is Codex CLI"),
        (lambda place: program(place / "codex", []), "codex login"),
    ],
)
def test_what_is_missing_is_told_before_a_run_is_made(
    tmp_path: Path, owner: User, settings: LazySettings, prepare: Callable[[Path], str], says_so: str
) -> None:
    settings.CODEX_BIN = prepare(tmp_path)
    CodexAccess.objects.create(user=owner, sign_in=str(tmp_path / "auth.json"))
    with pytest.raises(Invalid, match=says_so):
        start.start("read", by=owner, origin="page", agent="codex")
    assert not Run.objects.exists()


def test_another_version_than_that_of_the_run_does_not_work_for_it(
    tmp_path: Path, owner: User, settings: LazySettings, transactional_db: None
) -> None:
    seat(tmp_path / "codex", [ZERO, done()], by=owner, settings=settings)
    with inline.worker() as wait:
        run = start.start("read", by=owner, origin="page", agent="codex", arms=["full"])
        settings.CODEX_BIN = program(tmp_path / "newer", [ZERO, done()], version="codex-cli 0.172.0")
        wait()
    lane = history.find(run.public_id).lanes.get()
    assert lane.state == LaneState.FAILED
    assert "began with Codex CLI 0.171.0, now it is 0.172.0" in lane.message
    with inline.worker() as wait:
        again = start.again(history.find(run.public_id), by=owner, origin="page")
        wait()
    assert again.setup["agent_version"] == "0.172.0"
    assert history.find(again.public_id).lanes.get().state == LaneState.COMPLETED


def test_a_stop_in_mid_work_leaves_no_process(
    tmp_path: Path, owner: User, settings: LazySettings, transactional_db: None
) -> None:
    note = tmp_path / "note"
    plan = [{"note": str(note)}, READ, {"sleep": 600}]
    seat(tmp_path / "codex", plan, by=owner, settings=settings)
    with inline.worker() as wait:
        run = start.start("read", by=owner, origin="page", agent="codex", arms=["full"])
        until(lambda: Event.objects.filter(run=run, kind="call.finished").exists(), 120)
        stop.stop(run, by=owner)
        wait()
    seen = json.loads(note.read_text())
    until(lambda: not alive(seen["pid"]) and not alive(seen["server"]))
    assert history.find(run.public_id).state == RunState.STOPPED


def test_what_is_said_in_one_lane_reaches_no_other(
    tmp_path: Path, owner: User, settings: LazySettings, compare: Callable[..., Run]
) -> None:
    """Both lanes at once, told apart by the size of their menus; each has words that nobody else says."""
    meeting = tmp_path / "meeting"
    meeting.mkdir()
    first = compare("read", menu_size=40)
    sizes = {lane.arm: len(lane.menu or []) for lane in first.lanes.all()}
    words = {"full": "sentinel-of-the-full-lane-51", "selected": "sentinel-of-the-selected-lane-77"}

    def plan(word: str) -> list[Step]:
        meet: Step = {"meet": [str(meeting), 2]}
        look = [calls("read_file", path=f"src/{word}.ts"), READ, {"note": str(tmp_path / word)}]
        return [meet, *look, thinks(f"I think of {word}."), READ, says(f"It is 0, {word}."), done()]

    by_menu: Step = {"menu": {str(size): plan(words[arm]) for arm, size in sizes.items()}}
    seat(tmp_path / "codex", [by_menu], by=owner, settings=settings)
    run = compare("read", agent="codex", menu_size=40)
    assert {lane.state for lane in run.lanes.all()} == {LaneState.COMPLETED}
    noted = {arm: (tmp_path / word).read_text() for arm, word in words.items()}
    exported = documents.export(run, history.events(run), [])
    for lane in run.lanes.all():
        [foreign] = set(words.values()) - {words[lane.arm]}
        kept = [event.payload for event in lane.events.all()]
        mine = [each for each in exported["events"] if each["lane"] == lane.public_id]
        for place in (kept, mine, documents.lane(lane), lane.metrics):
            assert foreign not in json.dumps(place, default=str)
        for place in (kept, mine, documents.lane(lane)):
            assert words[lane.arm] in json.dumps(place, default=str), "it was not said: the test shows nothing"
        assert foreign not in noted[lane.arm]
        assert words[lane.arm] in noted[lane.arm]
    keys = {json.loads(text)["environment"][part] for text in noted.values() for part in (KEY_OF_LANE, "CODEX_HOME")}
    assert len(keys) == 4
