"""The history in a real browser: it renews itself and leaves focus, scroll and choice alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser


def begin(page: Page, case: str = "read") -> str:
    started = page.request.post("/api/arena/runs", data={"case": case, "menu": 3, "pause_s": 0})
    assert started.status == 201
    run: str = started.json()["id"]
    return run


def row(page: Page, run: str) -> Locator:
    return page.locator("tr", has=page.locator(f"a[href='/runs/{run}/']"))


def test_new_and_changed_rows_appear_by_themselves_and_what_one_does_stays(page: Page) -> None:
    first = begin(page)
    page.set_viewport_size({"width": 1200, "height": 420})
    page.goto("/runs/")
    expect(row(page, first)).to_contain_text("complete", timeout=30_000)
    box = row(page, first).locator("input[name='run']")
    box.check()
    expect(page.locator("#runs-count")).to_have_text("1 chosen")
    page.locator("input[name='tag']").focus()
    page.keyboard.type("half a w")
    page.mouse.wheel(0, 200)
    page.wait_for_timeout(200)
    scrolled = page.evaluate("window.scrollY")
    second = begin(page)
    expect(row(page, second)).to_have_count(1, timeout=5_000)
    expect(row(page, second)).to_contain_text("complete", timeout=30_000)
    expect(box).to_be_checked()
    expect(page.locator("input[name='tag']")).to_have_value("half a w")
    expect(page.locator("input[name='tag']")).to_be_focused()
    grown = row(page, second).evaluate("row => row.getBoundingClientRect().height")
    assert page.evaluate("window.scrollY") in (pytest.approx(scrolled, abs=2), pytest.approx(scrolled + grown, abs=2))


def test_tagged_found_by_the_tag_and_deleted_after_two_questions(page: Page) -> None:
    run = begin(page)
    page.goto("/runs/")
    expect(row(page, run)).to_contain_text("complete", timeout=30_000)
    row(page, run).locator("input[name='run']").check()
    page.locator("input[name='tag']").fill("Keep Me")
    page.get_by_role("button", name="Tag", exact=True).click()
    row(page, run).get_by_role("link", name="keep me").click()
    page.wait_for_url("**/runs/?tag=keep%20me")
    expect(page.locator("tbody tr:not(.further)")).to_have_count(1)
    page.locator("#runs-all").check()
    page.get_by_role("button", name="Delete …").click()
    expect(page.get_by_role("heading", name="Delete 1 run?")).to_be_visible()
    page.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_text("No run with these filters.")).to_be_visible()
    assert page.request.get(f"/api/arena/runs/{run}").status == 404
