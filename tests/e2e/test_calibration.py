"""Calibrating in a browser: the shipped set, measured by a real worker; the slider; a saved profile; past decisions."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from policy.calibrating.marks import QUESTIONS
from policy.calibration.sweep import LABELS, Rows
from policy.engine.profile import Thresholds
from tests.policy.calibration.test_sweep import engine

pytestmark = pytest.mark.browser

POSITIONS = 500
LONG_TASKS = """() => {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.longTasks.push(entry.duration);
  }).observe({ type: "longtask" });
}"""
DECIDE = """async ([address, positions]) => {
  const { decide } = await import("/static/js/calibration/decide.js");
  const data = await (await fetch(address)).json();
  return positions.map((cuts) => [...decide(data, cuts)]);
}"""
CELLS = "all => all.map(({ dataset }) => [dataset.label, dataset.decision])"
MOVE = """async (positions) => {
  const shown = [];
  for (const cuts of positions) {
    for (const [name, value] of Object.entries(cuts)) {
      const slide = document.querySelector(`.cut[data-axis="${name}"] .slide`);
      if (Number(slide.value) === value) continue;
      slide.value = value;
      slide.dispatchEvent(new Event("input", { bubbles: true }));
    }
    shown.push({
      agreed: Number(document.querySelector("[data-figure='agreed']").textContent.replace(",", "")),
      table: [...document.querySelectorAll("#confusion button span")].map((cell) => Number(cell.textContent)),
      at: [...document.querySelectorAll("[data-follow]")].map((line) => [line.dataset.follow, line.textContent]),
    });
    await new Promise((done) => requestAnimationFrame(done));
  }
  await new Promise((done) => setTimeout(done, 500));
  return shown;
}"""


@pytest.fixture(scope="module")
def report(browser: Browser, site: str) -> Iterator[str]:
    """The address of the report on the calls of the shipped set; importing and measuring are done by clicks."""
    context = browser.new_context(base_url=site)
    page = context.new_page()
    page.goto("/calibration/")
    page.get_by_role("button", name="Import everyday").click()
    expect(page.get_by_role("status")).to_contain_text("everyday@1 is here")
    page.get_by_label("selection of tools").uncheck()
    page.get_by_role("button", name="Measure", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile("measured"))).to_be_visible()
    expect(page.get_by_role("link", name="Calibrate assessment")).to_be_visible(timeout=240_000)
    yield page.get_by_role("link", name="Calibrate assessment").get_attribute("href") or ""
    context.close()


@pytest.fixture
def ready(page: Page, report: str) -> Page:
    page.goto(report)
    page.locator("#found[data-ready]").wait_for(timeout=60_000)
    page.locator("#plot-scores-restriction .main-svg").first.wait_for()
    return page


def test_the_slider_decides_as_the_engine_does_without_a_long_task(ready: Page) -> None:
    values = ready.locator("#found").get_attribute("data-values")
    data: dict[str, Any] = ready.evaluate("(address) => fetch(address).then((reply) => reply.json())", values)
    rng = random.Random(20)
    positions = [dict.fromkeys(data["axes"], 0.5)]
    # One slider after the other, as people move them.
    for place in range(POSITIONS):
        axis = data["axes"][place * len(data["axes"]) // POSITIONS]
        positions.append({**positions[-1], axis: round(rng.random(), 2)})
    decided = ready.evaluate(DECIDE, [values, positions])
    violates, missing, matches = (np.array(column) for column in data["values"])
    rows = Rows(violates, missing, matches, np.array(data["labels"], dtype=np.int8))
    shown: list[dict[str, Any]] = []
    cells = ready.locator("#confusion button").evaluate_all(CELLS)
    for cuts, mine in zip(positions, decided, strict=True):
        # A whole assessment of each case takes a millisecond: one case a position, each position another.
        row = rng.randrange(len(rows))
        assert LABELS[mine[row]] is engine(rows, row, Thresholds(**cuts))
        words = zip(data["labels"], mine, strict=True)
        pairs = Counter((data["words"][label], data["words"][one]) for label, one in words)
        agreed = sum(many for (label, decision), many in pairs.items() if label == decision)
        shown.append({"agreed": agreed, "table": [pairs[label, decision] for label, decision in cells]})
    asked: list[str] = []
    ready.on("request", lambda request: asked.append(request.url))
    ready.evaluate(LONG_TASKS)
    assert _decisions(ready.evaluate(MOVE, positions)) == shown
    # Charts that were not seen before have been drawn now; from here on a long task would be the slider's own.
    assert min(_long_tasks(ready, positions, shown) for _ in range(3)) <= POSITIONS // 100
    # The same with the curves in sight: their operating points follow.
    ready.get_by_role("tab", name="ROC and precision").click()
    ready.locator("#plot-precision-matches_task .main-svg").first.wait_for()
    followed = ready.evaluate(MOVE, positions)
    for cuts, each in zip(positions, followed, strict=True):
        for name, values in data["marks"].items():
            question = CUTS_OF[name]
            said = dict(each["at"])
            assert said[f"roc-{question}"] == _operating(values, cuts[name], precise=False)
            assert said[f"precision-{question}"] == _operating(values, cuts[name], precise=True)
    assert min(_long_tasks(ready, positions, shown) for _ in range(3)) <= POSITIONS // 100
    assert asked == []


CUTS_OF = QUESTIONS["assessment"]


def _decisions(told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: each[key] for key in ("agreed", "table")} for each in told]


def _operating(marks: dict[str, Any], cut: float, *, precise: bool) -> str:
    """What the page says of a threshold on the curves of its question."""
    values, reach = np.array(marks["values"]), np.array(marks["reach"])
    hits, alarms = (values[reach] >= cut).sum(), (values[~reach] >= cut).sum()
    last = f"{_percent(alarms, (~reach).sum())} false alarms"
    if precise:
        last = f"{_percent(hits, hits + alarms)} of these so"
    return f"At {cut:.2f}: {_percent(hits, reach.sum())} found, {last}"


def _percent(many: int, of: int) -> str:
    """As the browser rounds it: halves away from zero, from the exact binary value."""
    if not of:
        return "—"
    return f"{Decimal(100 * (float(many) / float(of))).quantize(Decimal('0.1'), ROUND_HALF_UP)} %"


def _long_tasks(page: Page, positions: list[dict[str, float]], shown: list[dict[str, Any]]) -> int:
    """How many reactions took 50 ms and more; a machine that is busy elsewhere makes a few of any work."""
    page.evaluate("window.longTasks.length = 0")
    assert _decisions(page.evaluate(MOVE, positions)) == shown
    tasks: list[float] = page.evaluate("window.longTasks")
    print(f"{len(positions)} positions, long tasks: {tasks}")
    return len(tasks)


def test_the_dot_of_the_curves_moves_with_the_slider(ready: Page) -> None:
    ready.get_by_role("tab", name="ROC and precision").click()
    ready.locator("#plot-roc-violates_restriction .main-svg").first.wait_for()
    typed = ready.get_by_label("restriction", exact=True)
    seen = []
    for value in ("0", "0.50", "1"):
        typed.fill(value)
        typed.press("Enter")
        box = ready.locator("#plot-roc-violates_restriction ~ .mark.dot").bounding_box()
        assert box is not None
        seen.append((box["x"], box["y"]))
    # From the upper right, where everything is reported, to the lower left.
    assert seen[0][0] > seen[1][0] > seen[2][0] - 1
    assert seen[0][1] < seen[1][1] < seen[2][1] + 1


def test_a_typed_value_moves_the_slider_and_the_line(ready: Page) -> None:
    typed = ready.get_by_label("restriction", exact=True)
    typed.fill("0.70")
    typed.press("Enter")
    expect(ready.get_by_label("Threshold restriction")).to_have_value("0.7")
    line = ready.locator("#plot-scores-restriction ~ .mark").bounding_box()
    ready.get_by_label("Threshold restriction").press("ArrowLeft")
    expect(typed).to_have_value("0.69")
    moved = ready.locator("#plot-scores-restriction ~ .mark").bounding_box()
    assert line is not None
    assert moved is not None
    assert 0 < line["x"] - moved["x"] < 12
    typed.fill("2")
    typed.press("Enter")
    assert typed.get_attribute("aria-invalid") is not None


def test_a_guarantee_leads_to_the_threshold_up_to_which_it_holds(ready: Page) -> None:
    take = ready.get_by_role("button", name=re.compile("^Go to")).first
    at = take.inner_text().removeprefix("Go to ")
    expect(ready.locator(".note.ok").first).to_contain_text(f"holds up to restriction {at}, with 95")
    take.click()
    expect(ready.get_by_label("restriction", exact=True)).to_have_value(f"0{at}")
    assert ready.locator("[data-shown='restriction']").inner_text() == at


def test_an_unsafe_call_that_passes_is_marked_as_soon_as_it_does(ready: Page) -> None:
    cell = ready.locator("#confusion button[data-label='deny'][data-decision='allow']")
    typed = ready.get_by_label("restriction", exact=True)
    for value, passes in (("0", False), ("1", True)):
        typed.fill(value)
        typed.press("Enter")
        assert cell.locator(".icon").is_visible() is passes
        assert (int(cell.inner_text()) > 0) is passes


def test_a_typed_value_is_saved_as_it_decides(ready: Page) -> None:
    typed = ready.get_by_label("restriction", exact=True)
    saved = ready.locator("#save input[name='cut-restriction']")
    typed.fill("0,6949")
    typed.press("Enter")
    expect(saved).to_have_value("0.6949")
    expect(ready.locator("#save [data-shown='restriction']")).to_have_text(".6949")
    for wrong in ("", "nan", "2", "0.5x", "1.2.3"):
        typed.fill(wrong)
        typed.press("Enter")
        assert typed.get_attribute("aria-invalid") is not None, wrong
        expect(saved).to_have_value("0.6949")
    typed.fill("1e-1")
    typed.press("Enter")
    expect(saved).to_have_value("0.1")


def test_a_cell_of_the_confusion_table_lists_its_cases(ready: Page) -> None:
    ready.get_by_role("button", name="Proposed").click()
    cell = ready.locator("#confusion button[data-label='ask'][data-decision='deny']")
    number = int(cell.inner_text())
    cell.click()
    expect(ready.locator("#cases-filter")).to_have_text("labelled ask, decided deny")
    expect(ready.locator("#case-rows tr")).to_have_count(min(number, 20))
    ready.get_by_role("button", name="Show all").click()
    expect(ready.locator("#case-rows tr")).to_have_count(20)


def test_every_tab_draws_its_charts(ready: Page) -> None:
    for tab in ("ROC and precision", "Reliability", "Risk and coverage"):
        ready.get_by_role("tab", name=tab).click()
        part = ready.get_by_role("tabpanel")
        expect(part.locator(".main-svg").first).to_be_visible()
    ready.get_by_role("tab", name="Noise and order").click()
    expect(ready.get_by_role("tabpanel")).to_contain_text("Neither was measured")


def test_a_point_becomes_a_profile_that_the_list_shows(ready: Page) -> None:
    typed = ready.get_by_label("restriction", exact=True)
    typed.fill("0.33")
    typed.press("Enter")
    ready.get_by_label("Name").fill("gate")
    ready.get_by_role("button", name=re.compile("^Save")).click()
    expect(ready.get_by_role("status")).to_contain_text("gate@1 is saved.")
    expect(ready.locator("[id='gate@1'] .pairs").first).to_contain_text("restriction .33")


def test_past_decisions_flip_without_a_request(page: Page) -> None:
    page.goto("/policy/call/")
    page.get_by_role("button", name=re.compile("^Ask|^Judge")).first.click()
    page.locator("#lab-decision").wait_for()
    page.goto("/calibration/past/")
    page.locator("#past[data-ready]").wait_for()
    title = page.get_by_role("heading", name=re.compile("past decisions would flip"))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    seen = []
    for value in ("0", "1"):
        page.get_by_label("Threshold restriction").fill(value)
        seen.append(title.inner_text())
    # Whatever was decided, here or in tests before: at one of the two ends it is denied, at the other it is not.
    flips = [int(text.split(" ")[0]) for text in seen]
    assert sum(flips) >= 1
    assert asked == []


@pytest.mark.parametrize("width", [360, 800, 1100, 1440, 1920])
def test_no_width_scrolls_sideways(width: int, ready: Page, report: str) -> None:
    ready.set_viewport_size({"width": width, "height": 900})
    for path in (
        "/calibration/",
        "/calibration/sets/everyday/",
        "/calibration/profiles/",
        "/calibration/past/",
        report,
    ):
        ready.goto(path)
        ready.wait_for_timeout(1500 if path == report else 200)
        assert ready.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, path
