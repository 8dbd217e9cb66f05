"""The main job in a browser: a comparison live to its end, and one that is stopped."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
WITHIN_MS = 60_000


def start(page: Page, case: str) -> None:
    page.goto(f"/?case={case}")
    page.get_by_role("button", name="Run comparison").click()
    page.wait_for_url(re.compile(r"/runs/run_[a-z2-7]{12}/$"))


def shown(page: Page) -> str:
    """What the page says, without what only a clock or a socket decides."""
    # What people say comes a moment after the rest, live and after a reload alike.
    page.locator("#annotations:not([hx-get])").wait_for()
    text: str = page.evaluate(
        """() => {
          const main = document.querySelector('main').cloneNode(true);
          const moving = '[data-clock], [data-since], time, #connection, script';
          main.querySelectorAll(moving).forEach((part) => part.remove());
          return main.textContent.replace(/\\s+/g, ' ').trim();
        }"""
    )
    return text


def test_a_comparison_is_seen_live_to_its_end_and_reads_the_same_after_a_reload(page: Page, foreign: list[str]) -> None:
    start(page, "patch")
    expect(page.locator("#lane-a-steps > li").first).to_be_visible(timeout=WITHIN_MS)
    expect(page.locator("#connection")).to_contain_text("Live", timeout=WITHIN_MS)
    expect(page.locator("#run-body[data-phase=settled]")).to_be_visible(timeout=WITHIN_MS)
    expect(page.locator("h1")).to_contain_text("fix")
    live = shown(page)
    page.reload()
    assert shown(page) == live
    assert foreign == []


def test_a_run_is_stopped_in_mid_run_and_says_so(page: Page, foreign: list[str]) -> None:
    start(page, "refund")
    expect(page.locator("#lane-a-steps > li").first).to_be_visible(timeout=WITHIN_MS)
    page.get_by_role("button", name="Stop both lanes").click()
    expect(page.locator("#run-head")).to_contain_text("stopped", timeout=WITHIN_MS)
    expect(page.locator("main")).to_contain_text("stopped by a person")
    page.goto("/runs/")
    expect(page.locator("table")).to_contain_text("stopped")
    assert foreign == []


def test_the_api_page_is_whole_without_any_other_host(page: Page, foreign: list[str]) -> None:
    page.goto("/api/docs")
    expect(page.locator(".opblock").first).to_be_visible(timeout=WITHIN_MS)
    expect(page.locator("#swagger-ui")).to_contain_text("Start a comparison")
    assert foreign == []
