"""In the browser: a tool server is connected and approved, a case is written for it, and a run on it ends well."""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.arena.servers.conftest import HERE, calls

pytestmark = pytest.mark.browser
RUN_MS = 60_000


def connect(page: Page, name: str, command: list[str]) -> None:
    """Connect a server by command, look at its tools, approve them."""
    page.goto("/catalogs/")
    form = page.locator("form", has=page.get_by_role("button", name="Connect and list its tools"))
    form.get_by_label("Name", exact=True).fill(name)
    form.get_by_label("Command").fill(shlex.join(command))
    form.get_by_role("button", name="Connect and list its tools").click()
    expect(page.get_by_text("not approved", exact=True)).to_be_visible(timeout=30_000)
    page.get_by_role("button", name=re.compile("Approve these")).click()
    expect(page.locator(".lead")).to_contain_text("Your cases may use its tools.")


def write_case(
    page: Page, *, title: str, task: str, catalog: str, tool: str, value: str, check: tuple[str, str]
) -> None:
    """Write a case for the catalog, with real tools in every lane, and open it on the order slip."""
    page.goto("/cases/new")
    page.get_by_label("Title", exact=True).fill(title)
    page.get_by_label("Task", exact=True).fill(task)
    page.get_by_label("Tools", exact=True).select_option(catalog)
    page.get_by_label("Tools that are enough").fill(tool)
    page.get_by_label("Values that the task leaves out").fill(value)
    for arm in ("Full menu", "Selected menu"):
        page.get_by_label(arm, exact=True).check()
    page.get_by_label("Check 1", exact=True).select_option(label=check[0])
    page.get_by_label("What check 1 looks for").fill(check[1])
    page.get_by_role("button", name="Keep the case").click()
    page.get_by_role("link", name="Compare with it").click()
    expect(page.locator("#slip")).to_contain_text(task)


def run(page: Page) -> None:
    page.get_by_role("button", name="Run comparison").click()
    page.wait_for_url(re.compile(r"/runs/run_[a-z2-7]{12}/$"))
    expect(page.locator("#run-body[data-phase=settled]")).to_be_visible(timeout=RUN_MS)


def test_a_server_of_ones_own_runs_to_its_green_check(page: Page, tmp_path: Path) -> None:
    (tmp_path / "plan.note").write_text("The plan: ship on Monday, 14:30.")
    connect(page, "notes", [sys.executable, str(HERE / "notes_server.py"), str(tmp_path)])
    write_case(
        page,
        title="When do we ship",
        task="Read the note plan and tell me when we ship.",
        catalog="notes",
        tool="notes__read_note",
        value="name = plan",
        check=("the answer contains", "Monday"),
    )
    run(page)
    assert set(calls(tmp_path)) == {"read_note"}
    assert page.request.get(f"/api/arena/runs/{page.url.rstrip('/').split('/')[-1]}").json()["lanes"][1]["success"]


def third_party(variable: str) -> str:
    path = os.environ.get(variable, "")
    if not path:
        pytest.skip(f"{variable} names no executable of this server")
    return path


def test_the_reference_time_server_runs_to_its_green_check(page: Page) -> None:
    connect(page, "clock", [third_party("MCP_SERVER_TIME"), "--local-timezone", "UTC"])
    write_case(
        page,
        title="What time is it in Tokyo",
        task="Tell me the current time in the timezone Asia/Tokyo.",
        catalog="clock",
        tool="clock__get_current_time",
        value="timezone = Asia/Tokyo",
        check=("a tool's result has, as JSON", "$.datetime"),
    )
    run(page)
    found = page.request.get(f"/api/arena/runs/{page.url.rstrip('/').split('/')[-1]}").json()
    assert [lane["success"] for lane in found["lanes"]] == [True, True], found["lanes"]


def test_the_reference_file_server_runs_to_its_green_check(page: Page, tmp_path: Path) -> None:
    (tmp_path / "plan.txt").write_text("We ship on Monday at 14:30.")
    connect(page, "files", [third_party("MCP_SERVER_FILESYSTEM"), str(tmp_path)])
    write_case(
        page,
        title="What does the plan say",
        task="Read the text file plan.txt and tell me when we ship.",
        catalog="files",
        tool="files__read_text_file\nfiles__read_file",
        value=f"path = {tmp_path / 'plan.txt'}",
        check=("the answer contains", "Monday"),
    )
    run(page)
    found = page.request.get(f"/api/arena/runs/{page.url.rstrip('/').split('/')[-1]}").json()
    assert [lane["success"] for lane in found["lanes"]] == [True, True], found["lanes"]


def test_a_destructive_call_is_held_until_a_person_approves_it_and_runs_once(page: Page, tmp_path: Path) -> None:
    (tmp_path / "plan.note").write_text("Old.")
    connect(page, "board", [sys.executable, str(HERE / "notes_server.py"), str(tmp_path)])
    write_case(
        page,
        title="Erase the plan",
        task="Erase the note plan for good.",
        catalog="board",
        tool="board__erase_note",
        value="name = plan",
        check=("one of these tools returned a result", "board__erase_note"),
    )
    page.get_by_label("Selected menu").uncheck()
    page.get_by_role("button", name="Run comparison").click()
    page.wait_for_url(re.compile(r"/runs/run_[a-z2-7]{12}/$"))
    approve = page.get_by_role("button", name=re.compile("^Approve"))
    expect(approve).to_be_visible(timeout=RUN_MS)
    assert calls(tmp_path) == []
    assert (tmp_path / "plan.note").exists()
    approve.click()
    expect(page.locator("#run-body[data-phase=settled]")).to_be_visible(timeout=RUN_MS)
    assert calls(tmp_path) == ["erase_note"]
    assert not (tmp_path / "plan.note").exists()
