"""The policy lab in a browser: 500 positions of its sliders against the engine, its address, its keys."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import nextafter
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from policy.engine.breakpoints import Exchanges, Unanswered, again, told
from policy.engine.judge import JudgeReply, JudgeRequest
from policy.engine.mode import Mode
from policy.engine.profile import Thresholds
from policy.engine.questions import Choice, Noul, Question, Score
from policy.lab import functions, looks
from policy.lab.forms import LabForm
from policy.measurements import profiles

pytestmark = pytest.mark.browser
WITHIN_MS = 60_000
POSITIONS = 500

# Moves one threshold after the other, by slider or by its typed field, and reads what the page says after each.
MOVE = """(moves) => moves.map(([name, value, kind]) => {
  const input = document.querySelector(`[data-cut='${name}'] [type='${kind}']`);
  input.value = value;
  const set = Number(input.value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
  const box = document.getElementById('lab-decision');
  const chips = (css) => [...box.querySelectorAll(css)].map((chip) => chip.querySelector('code').textContent);
  return {
    set,
    word: box.querySelector('[data-word]').textContent,
    fired: [...document.querySelectorAll('.rules .hit code')].map((rule) => rule.textContent),
    selected: chips('.chip.set'),
    expand: chips('.chip:not(.set)'),
    target: box.querySelector('[data-target]').hidden ? '' : box.querySelector('[data-target-name]').textContent,
  };
})"""


@pytest.fixture(autouse=True)
def no_saved_profiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """The form is read again beside the browser, whose event loop lets nobody ask a database."""
    monkeypatch.setattr(profiles, "references", lambda: [])


def judge(page: Page, key: str, **fields: str) -> None:
    page.goto(f"/policy/{key}/")
    for name, text in fields.items():
        page.locator(f"#{name}").evaluate("(field, text) => { field.value = text; }", text)
    page.get_by_role("button", name="Ask the judge").click()
    expect(page.locator("#lab-decision[data-live]")).to_be_visible(timeout=WITHIN_MS)


@dataclass(frozen=True, slots=True)
class Bench:
    """The engine with the inputs that the page shows and the answers that it got."""

    function: functions.Function
    form: LabForm
    exchanges: Exchanges

    @classmethod
    def of(cls, page: Page, key: str) -> Bench:
        function = functions.named(key)
        assert function is not None
        shown = page.evaluate("Object.fromEntries(new FormData(document.querySelector('form[method=post]')))")
        form = function.form(shown)
        assert form.is_valid(), form.errors
        document = json.loads(page.locator("#take-json").text_content() or "")
        return cls(function, form, [exchange(each) for each in document["exchanges"]])

    def says(self, cuts: Thresholds) -> dict[str, Any]:
        """What the page must say under these thresholds."""
        profile = replace(self.form.chosen_profile(), thresholds=cuts)
        steps = self.function.begin(self.form.inputs(), profile, Mode(self.form.cleaned_data["mode"]))
        try:
            decided = told(again(steps, self.exchanges))
        except Unanswered:
            return {"word": "not measured", "fired": [], "selected": [], "expand": [], "target": ""}
        fired = [each["rule"] for each in decided["decisions"]] if "decisions" in decided else [decided["rule"]]
        target = decided.get("target")
        return {
            "word": looks.of(decided).word,
            "fired": fired,
            "selected": [each["id"] for each in decided.get("selected", ())],
            "expand": [each["id"] for each in decided.get("expand", ())],
            "target": f"{target['provider']}/{target['model']}" if target else decided.get("skill") or "",
        }


def exchange(stored: Mapping[str, Any]) -> tuple[JudgeRequest, JudgeReply]:
    wire = stored["request"]
    questions = {name: question(each) for name, each in wire["questions"].items()}
    return JudgeRequest(wire["state"], questions, stored["stage"]), JudgeReply(stored["reply"]["body"], b"", 0.0)


def question(wire: Mapping[str, Any]) -> Question:
    asks, criteria = wire["instructions"], wire.get("criteria")
    if wire["type"] == "choice":
        return Choice(asks, criteria or {})
    if wire["type"] == "score":
        return Score(asks, tuple(criteria or ()))
    return Noul(asks, **(criteria or {}))


def moves(page: Page, seed: int) -> list[tuple[str, str, str]]:
    """Anywhere by slider; anywhere, exactly on a measured value and just above one by the typed field."""
    data = json.loads(page.locator("#lab-data").text_content() or "")
    axes = {axis["name"]: axis["points"] for table in data["tables"] for axis in table["axes"]}
    draw = random.Random(seed)
    found = []
    for _ in range(POSITIONS):
        name = draw.choice(list(axes))
        point = draw.choice(axes[name] or [0.5])
        exact = draw.choice([draw.random(), point, min(nextafter(point, 2), 1.0)])
        slid = draw.random() < 0.5
        found.append((name, f"{draw.random():.3f}" if slid else repr(exact), "range" if slid else "number"))
    return found


def scripted(**answers: Any) -> dict[str, str]:
    return {"judge": "scripted", "script": json.dumps(answers)}


PLACES = [f"c{place}" for place in range(18)]
# More measured values than every combination of thresholds has room for.
CROWD = {
    "tools": "\n".join(f"{place} / {place}_{tool}" for place in PLACES for tool in ("a", "b")),
    "categories": "",
    **scripted(
        **{f"rel_{place}": {"noul": 0.6 + at / 50} for at, place in enumerate(PLACES)},
        **{
            f"pick_{place}": {
                "choice": {
                    "choice": f"{place}_a",
                    "confidence": 0.2 + at / 30,
                    "probabilities": {f"{place}_a": 0.5 + at / 50, f"{place}_b": 0.5 - at / 50, "__none__": 0},
                }
            }
            for at, place in enumerate(PLACES)
        },
    ),
}
SKILL = scripted(needs_skill={"noul": 0.61}, skill={"choice": "refunds"})


@pytest.mark.parametrize(
    ("key", "fields"),
    [
        ("call", {}),
        (
            "call",
            scripted(matches_task={"noul": 0.4}, missing_information={"noul": 0.7}, violates_restriction={"noul": 0.6}),
        ),
        ("select", {}),
        ("select", CROWD),
        ("model", scripted(route={"choice": "reasoning"})),
        ("skill", SKILL),
    ],
    ids=["call", "call-with-three-flips", "select", "select-one-at-a-time", "model", "skill"],
)
def test_moved_thresholds_say_what_the_engine_decides(
    page: Page, foreign: list[str], key: str, fields: dict[str, str]
) -> None:
    judge(page, key, **fields)
    bench = Bench.of(page, key)
    base = cuts = bench.form.chosen_profile().thresholds
    joint = page.locator("text=one threshold moves at a time").count() == 0
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/static/" not in request.url else None)
    planned = moves(page, seed=len(key))
    said = page.evaluate(MOVE, planned)
    words = set()
    for (name, _, _), shown in zip(planned, said, strict=True):
        cuts = replace(cuts if joint else base, **{name: shown.pop("set")})
        expected = bench.says(cuts)
        assert {**shown, "fired": sorted(shown["fired"])} == {**expected, "fired": sorted(expected["fired"])}, (
            name,
            cuts,
        )
        words.add((shown["word"], *shown["selected"]))
    assert len(words) > 1
    assert joint == (fields is not CROWD)
    assert (("not measured",) in words) == (key == "select" and joint)
    assert asked == []
    assert foreign == []


def test_an_address_opens_the_same_judgment_with_the_same_thresholds(page: Page, foreign: list[str]) -> None:
    judge(page, "call")
    page.locator("[data-cut='restriction'] [type='number']").fill("0.123")
    address = page.locator("#take-link").text_content() or ""
    shown = page.locator("#lab-decision").inner_text()
    page.goto("/policy/")
    page.goto(address)
    expect(page.locator("[data-cut='restriction'] [type='number']")).to_have_value("0.123")
    assert page.locator("#lab-decision").inner_text() == shown
    assert foreign == []


def test_a_threshold_is_moved_by_keys_and_goes_back(page: Page) -> None:
    judge(page, "call")
    slider, field = (page.locator(f"[data-cut='task_match'] [type='{kind}']") for kind in ("range", "number"))
    before = float(field.input_value())
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("PageUp")
    assert float(field.input_value()) == pytest.approx(before + 0.11)
    expect(page.locator("#lab-again")).to_be_visible()
    page.get_by_role("button", name="Back to the profile").click()
    assert float(field.input_value()) == before
    expect(page.locator("#lab-again")).to_be_hidden()


def test_a_typed_threshold_that_is_none_changes_nothing(page: Page) -> None:
    judge(page, "call")
    field = page.locator("[data-cut='task_match'] [type='number']")
    before = field.input_value()
    field.fill("1.5")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.blur()
    expect(field).to_have_value(before)


def test_without_scripts_the_judge_can_be_asked(browser: Browser, site: str) -> None:
    context = browser.new_context(base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto("/policy/select/")
    page.get_by_role("button", name="Ask the judge").click()
    expect(page.locator("#lab-decision")).to_contain_text("issue_refund", timeout=WITHIN_MS)
    expect(page.locator("[data-cut='relevance']")).to_contain_text("relevant from")
    context.close()
