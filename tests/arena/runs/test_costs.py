"""What a settled run says about money: free where nothing is asked, a dash where a price is unknown."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from arena.evidence import bill
from arena.evidence.bill import Served
from arena.models import Event, Lane, LaneState, Run
from policy import prices
from policy.people.services import local_user
from policy.prices import Cost, Price, Prices

Compare = Callable[..., Run]
DAY = date(2026, 11, 1)
TELLS = {"input_tokens": 30_000, "output_tokens": 1_000, "cached_input_tokens": 17_000, "cache_write_tokens": 11_000}
LLM = Served("llm", "anthropic", "claude-sonnet-4-5")
OWN = Price("agent", "llm", "claude-*", DAY, Decimal(1), Decimal(2), "our contract", 7, Decimal("0.5"), Decimal(1))


def lane(arm: str = "full", state: str = LaneState.COMPLETED, **metrics: Any) -> Lane:
    return Lane(arm=arm, state=state, metrics={"usage": TELLS, "model": "claude-sonnet-4-5", **metrics}, menu=[])


def usage(*sums: int) -> list[Event]:
    return [Event(seq=n, kind="lane.usage", payload={"input_tokens": each}) for n, each in enumerate(sums)]


def measured(one: Lane, served: Served = LLM, judge: Cost | None = None, own: tuple[Price, ...] = ()) -> dict[str, Any]:
    table = Prices(own, prices.shipped())
    events = usage(8_000, 18_000, 30_000)
    found = bill.of(one, events, served, (Cost() if judge is None else judge, "a judge's table"), table, day=DAY)
    return {name: metric.to_json() for name, metric in bill.metrics(found, one).items()}


def test_three_models_of_the_cache_from_the_bundled_table() -> None:
    found = measured(lane())
    assert found["cost"]["value"] == pytest.approx(0.06735)
    assert found["cost_uncached"]["value"] == pytest.approx(0.105)
    assert found["cost_perfect_cache"]["value"] == pytest.approx(0.0654)


def test_a_price_of_ones_own_goes_before_the_table() -> None:
    found = measured(lane(), own=(OWN,))
    assert found["cost"]["value"] == pytest.approx((2_000 * 1 + 17_000 * 0.5 + 11_000 * 1 + 1_000 * 2) / 1e6)


@pytest.mark.parametrize(("arm", "paid"), [("selected", 0.01), ("shadow", 0.0), ("full", 0.0), ("random", 0.0)])
def test_only_the_selected_lane_pays_the_judge(arm: str, paid: float) -> None:
    found = measured(lane(arm), judge=Cost(Decimal("0.01")))
    assert found["cost"]["value"] == pytest.approx(found["agent_cost"]["value"] + paid)
    assert found["judge_cost"]["value"] == pytest.approx(0.01 if arm in ("selected", "shadow") else 0)


def test_an_unpriced_judge_makes_the_sum_a_lower_bound() -> None:
    found = measured(lane("selected"), judge=Cost(None, 1))
    assert found["cost"]["at_least"]
    assert found["cost"]["value"] == found["agent_cost"]["value"]
    assert measured(lane("selected", LaneState.WITHHELD), judge=Cost(None, 1))["cost"]["value"] is None


def test_an_unknown_model_has_no_price_and_the_reason_says_what_to_do() -> None:
    found = measured(lane(model="our-model"), Served("llm", "anthropic", "our-model"))
    assert found["cost"]["value"] is None
    assert found["cost"]["reason"] == "no price of our-model is known; enter one on Usage, Prices"


def test_a_server_of_ones_own_has_no_list_price() -> None:
    assert measured(lane(), Served("llm", "", "gpt-5-mini"))["cost"]["value"] is None


def test_a_lane_that_was_cut_short_has_a_lower_bound() -> None:
    assert measured(lane(state=LaneState.STOPPED))["cost"]["at_least"]


def test_a_free_judge_costs_nothing_even_where_a_request_failed() -> None:
    asked = Event(seq=1, kind="judge.asked", payload={"judge": "local"})
    assert bill.of_judge([asked], "", Prices((), prices.shipped()), day=DAY)[0] == Cost(Decimal(0))
    unknown = Event(seq=1, kind="judge.asked", payload={"judge": "typesafe"})
    assert bill.of_judge([unknown], "jev-1", Prices((), prices.shipped()), day=DAY)[0] == Cost(None, 1)


def test_no_model_no_cost_and_the_page_says_so(client: Client, compare: Compare) -> None:
    run = compare("patch", menu_size=8)
    for each in run.lanes.all():
        assert each.metrics["measured"]["cost"]["value"] == 0
        assert each.metrics["prices"]["agent"] == "no model, no cost"
    page = client.get(f"/runs/{run.public_id}/").content.decode()
    assert "$0.00" in page
    assert "no model, no cost" in page
    assert "Cost as billed" not in page


def test_an_operators_price_of_the_agent_is_shown_under_three_models(client: Client, compare: Compare) -> None:
    own = Price("agent", "offline", "*", date(2026, 1, 1), Decimal(3), Decimal(15), "what if", None, Decimal("0.3"))
    prices.write(own, by=local_user())
    run = compare("patch", menu_size=8, arms=["full", "selected"])
    full = run.lanes.get(arm="full").metrics["measured"]
    tokens = full["input_tokens"]["value"], full["output_tokens"]["value"]
    assert full["cost_uncached"]["value"] == pytest.approx((tokens[0] * 3 + tokens[1] * 15) / 1e6)
    # It cannot say what was cached, so what was billed is unknown; its single requests are known.
    assert full["cost"]["reason"] == "the agent does not report its cached tokens"
    assert 0 < full["cost_perfect_cache"]["value"] < full["cost_uncached"]["value"]
    page = client.get(f"/runs/{run.public_id}/").content.decode()
    assert "Cost with a perfect cache" in page
    assert "what if" in page
