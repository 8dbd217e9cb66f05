"""A whole blind annotation by keyboard alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


@pytest.fixture
def settled(page: Page) -> str:
    """The id of a run that has settled, started by a program so that nobody has seen it."""
    started = page.request.post("/api/arena/runs", data={"case": "read", "menu": 8, "pause_s": 0})
    assert started.status == 201
    run: str = started.json()["id"]
    row = page.locator(f"a[href='/runs/{run}/']").first
    for _ in range(60):
        page.goto("/runs/?state=complete")
        if row.count():
            return run
        page.wait_for_timeout(500)
    raise AssertionError("the run did not settle")


def test_every_shown_key_works_and_none_fires_while_typing(page: Page, settled: str) -> None:
    page.goto(f"/annotations/{settled}/")
    keys = page.locator("[data-key]").evaluate_all("all => all.map(each => each.dataset.key)")
    shown = page.locator("kbd:not([data-shortcut])").all_inner_texts()
    assert keys == shown
    assert len(keys) == 8
    for key in keys:
        page.keyboard.press(key)
        expect(page.locator(f"[data-key='{key}']")).to_be_checked()
    page.locator("#note-1").focus()
    page.keyboard.type("a quick word")
    expect(page.locator("#note-1")).to_have_value("a quick word")
    expect(page.locator(f"[data-key='{keys[3]}']")).to_be_checked()
    expect(page.locator(f"[data-key='{keys[7]}']")).to_be_checked()
    page.keyboard.press("Control+Enter")
    page.wait_for_url(lambda address: settled not in address)
    page.goto(f"/runs/{settled}/#annotations")
    people = page.locator("#annotations")
    expect(people).to_contain_text("a quick word")
    expect(people).to_contain_text("Cannot tell")
    expect(people).to_contain_text("blind")
    expect(people).not_to_contain_text("had seen the run before")
