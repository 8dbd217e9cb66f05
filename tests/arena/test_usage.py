"""What agents used, on their own tab: by agent and model, from the lanes, never with what judges used."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from arena.models import Run
from arena.usage import of_lanes
from tests.policy.usage.test_pages import text_of

Compare = Callable[..., Run]


def test_a_comparison_is_counted_by_agent_with_the_tokens_of_its_lanes(compare: Compare, client: Client) -> None:
    run = compare("patch")
    today = datetime.now(UTC).date()
    (use,) = of_lanes(today - timedelta(days=1), today)
    figures = [lane.metrics["measured"] for lane in run.lanes.all()]
    assert (use.agent, use.lanes, use.input_told) == ("offline", 2, 2)
    assert use.input == use.estimated == sum(each["agent_input_tokens"]["value"] for each in figures)
    assert use.output == sum(each["agent_output_tokens"]["value"] for each in figures)
    text = text_of(client.get("/usage/agents/"))
    assert f"2 {use.input:,} {use.output:,} $0.00 none, all estimated" in text
    assert "Judges are counted on their own tab and never added in here." in text


def test_a_lane_without_figures_is_a_lower_bound(compare: Compare, client: Client) -> None:
    run = compare("patch")
    first = run.lanes.all()[0]
    first.metrics["measured"]["agent_input_tokens"] |= {"value": None, "source": None}
    first.save()
    text = text_of(client.get("/usage/agents/"))
    known = run.lanes.all()[1].metrics["measured"]["agent_input_tokens"]["value"]
    assert f"2 ≥ {known:,} " in text
    assert "1 lane without usage" in text


@pytest.mark.django_db
def test_days_without_lanes_say_what_to_do(client: Client) -> None:
    text = text_of(client.get("/usage/agents/?from=2026-01-01&to=2026-01-02"))
    assert "No lane ended in these days, 1 to 2 Jan." in text
    assert "Start a comparison" in text
