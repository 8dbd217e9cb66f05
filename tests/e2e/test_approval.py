"""The card of a call that waits: approved by a button, denied by a key, and left until silence means no."""

from __future__ import annotations

import json
import re
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import running

pytestmark = pytest.mark.browser
WITHIN_MS = 90_000
RULES = "ask issue_refund -- money leaves the house\nallow get_order\nallow list_orders\n"


def start(page: Page) -> None:
    """A run whose one lane comes to a refund, which a person is asked about."""
    page.goto("/?case=refund&menu=20&arms=full&ordered=1&gate=enforce&agent=offline&judge=local&seed=1")
    page.locator("details.more > summary").click()
    page.locator("#rules").fill(RULES)
    page.get_by_role("button", name="Run comparison").click()
    page.wait_for_url(re.compile(r"/runs/run_[a-z2-7]{12}/$"))


def refunds(page: Page) -> list[bool]:
    """Whether each call of the refund was carried out, read from the run's own events."""
    run = page.url.rstrip("/").rpartition("/")[2]
    origin = page.url.partition("/runs/")[0]
    with urllib.request.urlopen(f"{origin}/api/arena/runs/{run}/events") as answer:
        events: list[dict[str, Any]] = json.load(answer)["events"]
    finished = [event["payload"] for event in events if event["kind"] == "call.finished"]
    return [each["executed"] for each in finished if each["tool"] == "issue_refund"]


def settled(page: Page) -> None:
    expect(page.locator("#run-body[data-phase=settled]")).to_be_visible(timeout=WITHIN_MS)


def test_an_approved_call_is_carried_out_once(page: Page, foreign: list[str]) -> None:
    start(page)
    card = page.locator("[data-approval]")
    expect(card).to_be_visible(timeout=WITHIN_MS)
    expect(card).to_contain_text("May A run issue_refund?")
    expect(card).to_contain_text("money leaves the house", ignore_case=True)
    expect(page.locator("#console-run")).to_contain_text("A waits for you")
    expect(page).to_have_title(re.compile(r"^\(\?\) "), timeout=WITHIN_MS)
    card.get_by_role("button", name="Approve once").click()
    settled(page)
    assert refunds(page).count(True) == 1
    expect(page.locator("#answered")).to_contain_text("approved and carried out")
    expect(page.locator("#answered")).to_contain_text("by local")
    assert foreign == []


def test_a_focused_card_takes_the_key_and_a_denied_call_is_not_carried_out(page: Page, foreign: list[str]) -> None:
    start(page)
    card = page.locator("[data-approval]")
    expect(card).to_be_visible(timeout=WITHIN_MS)
    page.locator("body").press("d")
    expect(card).to_be_visible()
    card.focus()
    card.press("d")
    expect(page.locator("[data-approval]")).to_have_count(0, timeout=WITHIN_MS)
    # The agent may try again; whatever it asks is denied, too.
    while not page.locator("#run-body[data-phase=settled]").is_visible():
        for waiting in page.locator("[data-approval] button[name=deny]").all():
            if waiting.is_visible():
                waiting.click()
        page.wait_for_timeout(200)
    assert True not in refunds(page)
    expect(page.locator("#answered")).to_contain_text("denied")
    assert foreign == []


def test_silence_means_no(browser: Browser, tmp_path: Path) -> None:
    with running(tmp_path, APPROVAL_WITHIN_S="3", AGENT_PAUSE_S="0.2") as address:
        page = browser.new_context(base_url=address).new_page()
        start(page)
        expect(page.locator("[data-approval]").first).to_be_visible(timeout=WITHIN_MS)
        expect(page.locator("[data-approval] [data-until]").first).to_contain_text("s")
        settled(page)
        assert True not in refunds(page)
        expect(page.locator("#answered")).to_contain_text("expired, not carried out")
        page.context.close()
