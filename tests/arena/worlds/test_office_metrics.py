from __future__ import annotations

import pytest

from tests.arena.worlds.office import act, fresh, refusal

LATENCY = "checkout_latency_p95"


def test_points_of_a_time_come_with_their_unit() -> None:
    found = act(fresh(), "query_metric", metric=LATENCY, since="2026-03-10T14:00:00Z", until="2026-03-10T16:00:00Z")
    assert found["unit"] == "ms"
    assert [point["value"] for point in found["points"]] == [439, 879]


@pytest.mark.parametrize(
    ("metric", "summary", "value"),
    [("stock_lmp_dsk_02", "last", 7), ("stock_lmp_dsk_02", "mean", 35.5), ("stock_lmp_pnd_03", "min", 14)],
)
def test_a_series_is_summed_up_in_one_figure(metric: str, summary: str, value: float) -> None:
    assert act(fresh(), "query_metric", metric=metric, summary=summary)["value"] == value


def test_an_extreme_value_says_when_it_was() -> None:
    found = act(fresh(), "query_metric", metric="mail_queue_length", summary="max")
    assert (found["value"], found["at"]) == (138, "2026-03-11T18:00:00Z")


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        ({"metric": "latency"}, "metric names no series: 'latency'; use one of checkout_latency_p95"),
        ({"metric": LATENCY, "since": "2026-04-01"}, "has no value in this time; it runs from 2026-03-09"),
        ({"metric": LATENCY, "summary": "median"}, "send one of points, min, max, mean, last"),
    ],
)
def test_a_wrong_question_to_the_metrics_is_named(arguments: dict[str, str], cause: str) -> None:
    assert cause in refusal(fresh(), "query_metric", **arguments)
