"""One signal ends all of a site, and the ready line, the first comparison and a second `up` say what they should."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from tests.kill.site import UP, Site, until


@pytest.mark.parametrize("with_signal", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_one_signal_in_mid_run_ends_everything(site: Site, with_signal: signal.Signals) -> None:
    site.start("--no-first-run")
    site.begin()
    assert len(site.processes()) == 5
    assert site.end(with_signal) == 0
    assert site.processes() == {}
    assert site.shown().endswith("Stopped. Nothing is left running.\n")


def test_lanes_of_a_stopped_site_are_abandoned_with_a_word(site: Site) -> None:
    site.start("--no-first-run")
    run = site.begin()
    site.end()
    site.start("--no-first-run")
    (lane,) = site.run(run)["lanes"]
    assert lane["state"] == "abandoned"
    assert "The site was stopped in mid-run" in lane["message"]


def test_a_second_interrupt_does_not_wait(site: Site) -> None:
    site.start("--no-first-run")
    assert site.process is not None
    site.process.send_signal(signal.SIGINT)
    assert site.end() == 0
    assert site.processes() == {}


def test_the_first_comparison_prints_its_table_and_later_starts_name_it(site: Site) -> None:
    shown = site.start()
    assert shown.index("is ready: http://127.0.0.1:") < len(shown)
    until(lambda: "is complete: http" in site.shown(), within_s=60)
    table = site.shown()
    assert re.search(r"^A +full +completed +passed +[0-9]+ ", table, re.MULTILINE)
    assert re.search(r"^B +selected +[a-z]+ +(not )?passed ", table, re.MULTILINE)
    address = re.findall(r"Run 1 is complete: (http://\S+)", table)[0]
    assert "Propose a focused fix" in site.page(address.removeprefix(site.address))
    site.end()
    site.start()
    until(lambda: "Latest run: 1, Propose a focused fix, complete" in site.shown())
    assert len(site.call("/api/arena/runs")["runs"]) == 1


def test_a_second_site_in_the_same_folder_is_refused_with_the_address_of_the_first(site: Site) -> None:
    site.start("--no-first-run")
    done = subprocess.run(UP, capture_output=True, text=True, timeout=60, env=site.environment())
    assert done.returncode == 2
    assert f"runs already at {site.address}" in done.stderr
    assert "Traceback" not in done.stderr
    assert site.call("/api/arena/cases")["cases"]


def test_a_taken_port_is_said_and_the_next_one_used(site: Site) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        shown = site.start("--no-first-run", "--port", str(taken))
    used = int(site.address.rpartition(":")[2])
    assert used > taken
    assert f"Port {taken} is taken; using {used}." in shown


def test_a_broken_case_is_said_and_listed_and_the_site_starts(site: Site, tmp_path: Path) -> None:
    fixtures = tmp_path / "fixtures"
    subprocess.run(["cp", "-r", str(Path(UP[1]).parent / "fixtures"), str(fixtures)], check=True)
    (fixtures / "cases" / "read.toml").write_text('title = "No task"\n')
    site.env = {**site.env, "JEV_FIXTURES": str(fixtures)}
    assert "The case read is broken: " in site.start("--no-first-run")
    assert [case["id"] for case in site.call("/api/arena/cases")["broken"]] == ["read"]
    assert site.settled(site.begin())["state"] == "complete"
