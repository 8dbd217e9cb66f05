"""Settings in a browser: a key is entered and checked, with scripts and without, and is nowhere on the page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

KEY = "ts-canary-7f3a9c51e2b84d60"
NOBODY = "http://127.0.0.1:9"


def test_a_key_is_entered_and_removed_without_scripts(browser: Browser, site: str) -> None:
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto("/settings/")
    page.locator("#new-typesafe").fill(KEY)
    page.get_by_role("button", name="Save key").first.click()
    expect(page.get_by_role("status")).to_contain_text("Your key of TypeSafe is stored.")
    expect(page.locator("#key-typesafe")).to_contain_text("4d60")
    assert KEY not in page.content()
    page.get_by_text("Remove …").click()
    page.get_by_role("button", name="Remove the key").click()
    expect(page.get_by_role("status")).to_contain_text("deleted")
    context.close()


def test_a_check_changes_its_card_and_its_line_and_nothing_that_is_being_typed(page: Page) -> None:
    page.goto("/settings/")
    page.locator("#where-compatible").fill(NOBODY)
    page.locator("#key-compatible").get_by_role("button", name="Save", exact=True).click()
    page.locator("#new-typesafe").fill("half a key")
    page.locator("#key-compatible").get_by_role("button", name="Check now").click()
    expect(page.locator("#key-compatible .state").first).to_have_text("offline")
    expect(page.get_by_role("row", name="compatible")).to_contain_text("It cannot be reached.")
    expect(page.locator("#new-typesafe")).to_have_value("half a key")


def test_a_new_token_is_shown_once(page: Page) -> None:
    page.goto("/settings/tokens/")
    page.get_by_label("Name").fill("nightly")
    page.get_by_role("button", name="Make the token").click()
    expect(page.locator("code.secret")).to_contain_text("jev_")
    page.reload()
    expect(page.locator("code.secret")).to_have_count(0)


@pytest.mark.parametrize("width", [360, 800, 1100, 1440, 1920])
def test_no_width_scrolls_sideways(width: int, page: Page) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    for path in ("/settings/", "/settings/tokens/"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, path
