"""The card of judge `local`."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client

from policy import judge_card
from policy.diagram import reliability
from policy.judges import registry
from policy.judges.local import LocalJudge
from policy.judges.local.constants import fitted

pytestmark = pytest.mark.django_db


def _page(client: Client) -> str:
    return re.sub(r"\s+", " ", client.get("/judges/local/").content.decode())


def test_the_card_shows_the_stored_figures_with_their_intervals(client: Client) -> None:
    stored = json.loads(judge_card.QUALITY.read_text(encoding="utf-8"))
    text = _page(client)
    top1 = stored["top1"]
    assert f"Right first in {round(top1['value'] * top1['n'])} of {top1['n']} menus" in text
    assert judge_card.number(stored["variants"]["lexical only"]["top1"]["value"]) in text
    assert "not the Jev model" in text


def test_the_stored_figures_belong_to_the_shipped_constants_and_cases() -> None:
    stored = json.loads(judge_card.QUALITY.read_text(encoding="utf-8"))
    assert stored["model"] == f"local-e5small+bm25-{fitted().version}"
    assert {file["name"] for file in stored["files"]} == {
        "check-selection.jsonl",
        "check-calls.jsonl",
        "check-vague.jsonl",
    }


def test_a_machine_without_vectors_says_why_on_the_card(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("policy.judges.local.judge.unavailable_reason", lambda: "the processor has no AVX2")
    judge = LocalJudge()
    monkeypatch.setattr(registry, "get", lambda name, cache_dir: judge)
    assert "Lexical only here, because the processor has no AVX2." in _page(client)


def test_the_header_leads_to_the_card(client: Client) -> None:
    assert re.search(r'<a class="in-force" href="/judges/local/"', _page(client))


def test_the_diagram_says_in_how_many_groups_the_numbers_are_true() -> None:
    good = {"stated": 0.3, "true": {"value": 0.35, "low": 0.2, "high": 0.5, "n": 20}}
    sure = {"stated": 0.9, "true": {"value": 0.5, "low": 0.3, "high": 0.7, "n": 20}}
    drawn = reliability([good, sure])
    assert drawn.finding.startswith("In 1 of 2 groups")
    assert drawn.points[0].x < drawn.points[1].x
    assert drawn.points[1].top < drawn.points[1].y < drawn.points[1].bottom


@pytest.mark.parametrize(("value", "written"), [(0.5, ".50"), (1.0, "1"), (0.998, "1.00"), (0.0, ".00"), (None, "—")])
def test_shares_have_two_decimals_and_no_leading_zero(value: float | None, written: str) -> None:
    assert judge_card.number(value) == written
