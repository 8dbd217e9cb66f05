"""Codex CLI from its npm package, unmodified, in runs of a whole site, against a model of the tests on the loopback.

CODEX_BIN names the program: `npm install --prefix /tmp/codex @openai/codex`, then `/tmp/codex/node_modules/.bin/codex`.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from arena.agents.agent import CallOutcome, Ending
from arena.agents.codex.connection import Connection, Provider
from tests.arena.agents.codex.lane import Box, Stop, work
from tests.kill.responses import KEY, Side, foreign, menu, responses, thread
from tests.kill.site import PROJECT, Site, until

CODEX = os.environ.get("CODEX_BIN", "")
pytestmark = pytest.mark.skipif(
    shutil.which(CODEX or "codex-not-named") is None,
    reason="CODEX_BIN names no program; install the npm package @openai/codex somewhere and name its program",
)
# Ready parts of the program that our lanes cannot switch off: lists of resources, of which our server has none.
HARMLESS = {"list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource"}
SEAT = (
    "from arena.codex import access; from policy.people.services import local_user; access.save(way='provider', "
    "sign_in='', address={address!r}, model='loopback-model', key={key!r}, by=local_user())"
)


@pytest.fixture
def side() -> Iterator[Side]:
    with responses() as side:
        yield side


@pytest.fixture
def seated(site: Site, side: Side) -> Site:
    """A site whose person has Codex CLI, with the tests as the provider."""
    # Eight processes of a large program begin at once; nobody is lost because of that.
    site.env = {**site.env, "CODEX_BIN": CODEX, "LANE_LEASE_S": "30"}
    site.start("--no-first-run")
    code = SEAT.format(address=side.url, key=KEY)
    manage = [sys.executable, str(PROJECT / "manage.py"), "shell", "--no-imports", "-c", code]
    subprocess.run(manage, env=site.environment(), check=True, timeout=120)
    return site


def begin(site: Site, case: str, *arms: str) -> str:
    order = {"case": case, "agent": "codex", "arms": arms or ("full", "selected"), "menu": 40}
    begun = site.call("/api/arena/runs", order)
    assert "id" in begun, begun
    run: str = begun["id"]
    return run


def judged(site: Site, side: Side, case: str) -> dict[str, Any]:
    """The settled run. On a busy machine the local judge may be late; a run without a judgment is begun anew."""
    for _ in range(10):
        side.requests.clear()
        side.times.clear()
        run = begin(site, case)
        until(lambda run=run: site.run(run)["settled_at"] is not None, within_s=300)  # type: ignore[misc]
        settled: dict[str, Any] = site.run(run)
        if settled["message"] != "no usable judgment":
            break
    return settled


def folders() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob("jev-lane-*"))


def left() -> dict[int, str]:
    """Every process of a lane: keeper, Codex CLI, its children and the bridge, by the lane's key in their variables."""
    found: dict[int, str] = {}
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdecimal() and b"JEV_LANE_KEY=" in (entry / "environ").read_bytes():
                found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()[:80]
        except OSError:
            continue
    return found


def test_it_completes_the_four_cards_in_both_arms_at_once(seated: Site, side: Side) -> None:
    for case in ("read", "patch", "inspect", "ambiguous"):
        settled = judged(seated, side, case)
        assert settled["state"] == "complete", settled
        lanes = {lane["arm"]: lane for lane in settled["lanes"]}
        worked = [lane for lane in lanes.values() if lane["state"] == "completed"]
        assert lanes["full"] in worked
        for lane in lanes.values():
            assert lane["success"], (case, lane)
        menus = {thread(request): menu(request) for request in side.requests}
        assert {frozenset(each) for each in menus.values()} == {
            frozenset(entry["id"] for entry in lane["menu"]) for lane in worked
        }
        assert {name for request in side.requests for name in foreign(request)} <= HARMLESS
        if len(worked) == 2:
            assert len(lanes["selected"]["menu"]) < len(lanes["full"]["menu"])
            assert _at_once(lanes), lanes
        for lane in worked:
            sizes = [
                len(json.dumps(each)) for each in side.requests if set(menu(each)) == {e["id"] for e in lane["menu"]}
            ]
            measured = lane["metrics"]
            names = ("agent_working_ms", "first_tool_ms", "agent_input_tokens")
            figures = {name: measured[name]["value"] for name in names if name in measured}
            print(case, lane["arm"], len(lane["menu"]), "tools,", len(sizes), "requests, first", sizes[0], "B", figures)
    assert side.wrong == []
    until(lambda: left() == {})


def _at_once(lanes: Mapping[str, Any]) -> bool:
    """Whether one lane was at work before the other was done."""
    a, b = lanes["full"], lanes["selected"]
    begun: bool = a["started_at"] < b["finished_at"] and b["started_at"] < a["finished_at"]
    return begun


def test_a_stop_in_mid_reply_leaves_no_process(seated: Site, side: Side) -> None:
    side.hang, before = 1, folders()
    run = begin(seated, "read", "full", "oracle")
    until(lambda: len({who for who, _ in side.times}) == 2 and side.hung.is_set(), within_s=300)
    assert len(left()) >= 6
    asked = time.monotonic()
    seated.call(f"/api/arena/runs/{run}/stop", {})
    until(lambda: seated.run(run)["state"] == "stopped", within_s=60)
    took = time.monotonic() - asked
    until(lambda: left() == {})
    print("stopped after", round(took, 2), "s")
    for lane in seated.run(run)["lanes"]:
        assert lane["state"] == "stopped"
    assert folders() <= before


def test_a_worker_that_is_killed_leaves_no_process(seated: Site, side: Side) -> None:
    side.hang, before = 1, folders()
    run = begin(seated, "read", "full")
    assert side.hung.wait(300)
    assert len(left()) >= 3
    os.kill(seated.pid("worker"), signal.SIGKILL)
    until(lambda: left() == {} and folders() <= before, within_s=60)
    assert seated.settled(run)["lanes"][0]["state"] == "abandoned"


def test_one_signal_ends_a_site_whose_lane_is_at_work(seated: Site, side: Side) -> None:
    side.hang = 0
    begin(seated, "read", "full")
    assert side.hung.wait(300)
    assert seated.end() == 0
    until(lambda: left() == {})
    assert seated.processes() == {}


def test_a_stop_while_a_call_is_carried_out_leaves_no_process(side: Side) -> None:
    called = threading.Event()

    def slow(_: str) -> CallOutcome:
        called.set()
        assert left()
        time.sleep(1)
        return CallOutcome(True, content="late")

    connection = Connection("loopback-model", provider=Provider(side.url, KEY))
    box = Box(slow)
    _, result = work(CODEX, box, Stop(called.is_set), connection)
    assert result.ending is Ending.STOPPED
    assert len(box.made) == 1
    until(lambda: left() == {})
