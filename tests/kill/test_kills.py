"""kill -9 in mid-run: what happened is kept, what was lost is said, nothing is left, the next run works."""

from __future__ import annotations

import os
import signal
from typing import Any

from tests.kill.site import Site, until


def numbers(events: list[dict[str, Any]]) -> list[int]:
    return [event["seq"] for event in events]


def states(run: dict[str, Any]) -> list[str]:
    return [lane["state"] for lane in run["lanes"]]


def test_a_killed_worker_leaves_its_lanes_abandoned_and_every_event_kept(site: Site) -> None:
    site.start("--no-first-run")
    run = site.begin("full", "shadow")
    before = site.events(run)
    os.kill(site.pid("worker"), signal.SIGKILL)
    settled = site.settled(run)
    assert (settled["state"], states(settled)) == ("abandoned", ["abandoned", "abandoned"])
    assert all("worker was lost in mid-run" in lane["message"] for lane in settled["lanes"])
    after = site.events(run)
    assert after[: len(before)] == before
    assert numbers(after) == list(range(1, len(after) + 1))


def test_the_page_says_what_was_lost_and_the_next_run_works(site: Site) -> None:
    site.start("--no-first-run")
    run = site.begin()
    os.kill(site.pid("worker"), signal.SIGKILL)
    site.settled(run)
    page = site.page(f"/runs/{run}/")
    assert "abandoned" in page
    assert "The worker was lost in mid-run" in page
    until(lambda: "The worker ended (killed by signal 9) and starts again" in site.shown())
    again = site.settled(site.begin())
    assert (again["state"], states(again)) == ("complete", ["completed"])


def test_a_killed_web_process_comes_back_and_the_lanes_do_not_notice(site: Site) -> None:
    site.start("--no-first-run")
    run = site.begin()
    os.kill(site.pid("web"), signal.SIGKILL)
    settled = site.settled(run)
    assert (settled["state"], states(settled)) == ("complete", ["completed"])
    events = site.events(run)
    assert numbers(events) == list(range(1, len(events) + 1))
    assert "The web server ended (killed by signal 9) and starts again" in site.shown()


def test_a_killed_supervisor_takes_everything_with_it(site: Site) -> None:
    site.start("--no-first-run")
    run = site.begin()
    before = site.events(run)
    assert site.process is not None
    os.kill(site.process.pid, signal.SIGKILL)
    site.process.wait()
    until(lambda: not site.processes(), within_s=15)
    site.start("--no-first-run")
    settled = site.settled(run)
    assert (settled["state"], states(settled)) == ("abandoned", ["abandoned"])
    assert site.events(run)[: len(before)] == before
    assert site.settled(site.begin())["state"] == "complete"


def test_a_killed_reaper_is_there_again_to_see_a_lost_lane(site: Site) -> None:
    site.start("--no-first-run")
    run = site.begin()
    os.kill(site.pid("reaper"), signal.SIGKILL)
    os.kill(site.pid("worker"), signal.SIGKILL)
    assert states(site.settled(run)) == ["abandoned"]


def test_everything_killed_at_once_leaves_a_folder_that_starts_again(site: Site) -> None:
    site.start("--no-first-run")
    run = site.begin()
    for pid in site.processes():
        os.kill(pid, signal.SIGKILL)
    assert site.process is not None
    site.process.wait()
    until(lambda: not site.processes())
    site.start("--no-first-run")
    assert site.settled(run)["state"] == "abandoned"
