"""A question in a browser: asked on the page of its run, answered there, gone on with in the next one."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_comparison import WITHIN_MS, start

pytestmark = pytest.mark.browser
ANSWER = "Read src/sum.ts and tell me what sum gives back for an empty list."


def test_a_question_is_answered_with_the_keyboard_and_linked_both_ways(page: Page, foreign: list[str]) -> None:
    start(page, "ambiguous")
    first = page.url
    # It comes down the socket with the settled run, so its form must stand on the page already.
    field = page.get_by_label("Your answer")
    expect(field).to_be_visible(timeout=WITHIN_MS)
    expect(page.locator("#dialogue")).to_contain_text("waiting for you")
    field.fill(ANSWER)
    field.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/runs/run_[a-z2-7]{12}/$"))
    expect(page.locator("#dialogue")).to_contain_text(ANSWER, timeout=WITHIN_MS)
    assert page.url != first
    expect(page.locator("#run-body[data-phase=settled]")).to_be_visible(timeout=WITHIN_MS)
    page.get_by_role("link", name=re.compile(r"run \d+")).first.click()
    expect(page.locator("#dialogue")).to_contain_text("answered")
    assert page.url == first
    assert foreign == []


def test_no_answer_settles_the_question(page: Page, foreign: list[str]) -> None:
    start(page, "ambiguous")
    page.get_by_role("button", name="No answer").click(timeout=WITHIN_MS)
    expect(page.locator("#dialogue")).to_contain_text("Settled without an answer.", timeout=WITHIN_MS)
    expect(page.get_by_label("Your answer")).to_have_count(0)
    assert foreign == []
