"""The usage page in a browser: the chart is drawn without an inline script, in both themes, and again on a change."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
WITHIN_MS = 60_000
BARS = "#usage-chart .bars .point path"


def fill_of(page: Page) -> str:
    found: str = page.locator(BARS).last.evaluate("bar => getComputedStyle(bar).fill")
    return found


def ask_once(page: Page) -> None:
    """One question to the local judge, so that there is something to show."""
    page.goto("/policy/call/")
    page.locator("textarea[name=task]").fill("Tidy up the notes")
    page.locator("[name=tool]").fill("remove_file")
    page.locator("main form[method=post] button[type=submit]").first.click()
    expect(page.locator("main")).to_contain_text("matches_task", timeout=WITHIN_MS)


def test_the_chart_is_drawn_and_follows_the_theme(page: Page, foreign: list[str]) -> None:
    ask_once(page)
    page.goto("/usage/")
    expect(page.locator("#chart-title")).to_contain_text("All judging ran on this machine")
    expect(page.locator(BARS).last).to_be_visible(timeout=WITHIN_MS)
    light = fill_of(page)
    page.locator("#theme").click()
    expect(page.locator("#theme")).to_have_attribute("title", "Theme: dark")
    expect(page.locator(BARS).last).not_to_have_css("fill", light)
    assert foreign == []


def test_the_same_numbers_stand_in_a_table_and_in_the_address(page: Page) -> None:
    ask_once(page)
    page.goto("/usage/?unit=calls")
    page.get_by_text("Table of these 14 days").click()
    expect(page.locator("table.days")).to_contain_text("local")
    page.locator("select[name=origin]").select_option("lab")
    page.wait_for_url("**/usage/?*origin=lab*")
    expect(page.locator(".chip.set", has_text="policy lab")).to_be_visible()
