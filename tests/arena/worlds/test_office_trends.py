from __future__ import annotations

from typing import Any

import pytest

from arena.worlds.world import Effect, World
from tests.arena.worlds.office import act, fresh, refusal

LATENCY = "checkout_latency_p95"
NINTH = {"first_since": "2026-03-09", "first_until": "2026-03-09"}
ELEVENTH = {"second_since": "2026-03-11", "second_until": "2026-03-11"}
RULE = {"metric": "mail_queue_length", "condition": "above", "threshold": 100, "notify": "Jonas"}


def with_values(*values: float) -> World:
    """A world with one more series, one point a day."""
    world = fresh()
    points = [{"at": f"2026-03-{day:02}T06:00:00Z", "value": value} for day, value in enumerate(values, start=1)]
    series = {"id": "trial", "name": "Trial", "unit": "pieces", "service": "warehouse", "points": points}
    world.apply([Effect("create", "metrics", "trial", series)])
    return world


def test_two_stretches_are_compared_in_percent() -> None:
    found = act(fresh(), "compare_timespans", metric=LATENCY, **NINTH, **ELEVENTH)
    assert (found["first"]["mean"], found["second"]["mean"]) == (419.08, 852.0)
    assert (found["difference"], found["change_percent"]) == (432.92, 103.3)


def test_no_percentage_is_told_of_nothing() -> None:
    world = with_values(0, 0, 5)
    spans = {
        "first_since": "2026-03-01",
        "first_until": "2026-03-02",
        "second_since": "2026-03-03",
        "second_until": "2026-03-03",
    }
    found = act(world, "compare_timespans", metric="trial", **spans)
    assert (found["difference"], found["change_percent"]) == (5.0, None)


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"metric": "latency"}, "metric names no series: 'latency'"),
        ({"first_since": "2026-02-09", "first_until": "2026-02-10"}, "has no value in this time"),
        ({"second_until": "2026-03-10"}, "second_since lies after second_until"),
    ],
)
def test_a_stretch_without_values_is_refused(change: dict[str, str], cause: str) -> None:
    assert cause in refusal(fresh(), "compare_timespans", **{"metric": LATENCY, **NINTH, **ELEVENTH, **change})


def test_curves_that_rise_together_have_a_high_coefficient() -> None:
    found = act(fresh(), "correlate_metrics", left=LATENCY, right="checkout_error_rate")
    assert (found["coefficient"], found["of"], found["reading"]) == (0.972, 41, "strong, in the same direction")


def test_a_curve_that_never_changes_says_nothing() -> None:
    found = act(with_values(*[4] * 12), "correlate_metrics", left="trial", right="stock_lmp_dsk_02")
    assert found["coefficient"] is None


def test_opposite_curves_have_a_negative_coefficient() -> None:
    found = act(with_values(*range(12)), "correlate_metrics", left="trial", right="stock_lmp_arc_01")
    assert (found["coefficient"], found["reading"]) == (-1.0, "strong, in opposite directions")


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        ({"left": LATENCY, "right": LATENCY}, f"are both {LATENCY}; name two series"),
        ({"left": LATENCY, "right": "sales"}, "right names no series: 'sales'"),
        ({"left": LATENCY, "right": "stock_lmp_dsk_02", "since": "2026-03-11"}, "have 2 instants in common"),
    ],
)
def test_a_pair_that_cannot_be_compared_is_refused(arguments: dict[str, str], cause: str) -> None:
    assert cause in refusal(fresh(), "correlate_metrics", **arguments)


@pytest.mark.parametrize(
    ("metric", "first_after", "clear"),
    [
        (LATENCY, "2026-03-10T16:00:00Z", True),
        ("stock_lmp_pnd_03", "2026-03-08T06:00:00Z", True),
        # Sold piece by piece: a slope is no jump.
        ("stock_lmp_dsk_02", "2026-03-07T06:00:00Z", False),
    ],
)
def test_a_jump_is_found_where_the_level_changes(metric: str, first_after: str, clear: bool) -> None:
    found = act(fresh(), "find_jump", metric=metric)
    assert (found["first_after"], found["clear"]) == (first_after, clear)


def test_a_jump_needs_points_on_both_sides() -> None:
    sentence = refusal(fresh(), "find_jump", metric=LATENCY, since="2026-03-12")
    assert "has 5 points in this time; at least 6 are needed" in sentence
    assert "metric names no series" in refusal(fresh(), "find_jump", metric="latency")


@pytest.mark.parametrize(
    ("level", "reached_at"), [(10, "2026-03-17T06:00:00Z"), (0, "2026-03-27T06:00:00Z"), (20, None), (-400, None)]
)
def test_a_trend_reaches_a_level_ahead_of_it_within_a_year(level: float, reached_at: str | None) -> None:
    found = act(fresh(), "forecast_metric", metric="stock_lmp_arc_01", level=level)
    assert (found["change_per_day"], found["reached_at"]) == (-1.0, reached_at)


def test_the_newest_points_alone_can_make_the_trend() -> None:
    found = act(with_values(50, 50, 50, 40, 30, 20), "forecast_metric", metric="trial", level=0, last_points=4)
    assert (found["from_points"], found["reached_at"]) == (4, "2026-03-08T06:00:00Z")
    flat = act(with_values(5, 5, 5), "forecast_metric", metric="trial", level=0)
    assert flat["reached_at"] is None


def test_a_forecast_needs_a_series_and_three_points() -> None:
    assert "metric names no series" in refusal(fresh(), "forecast_metric", metric="stock", level=0)
    wrong = {"metric": "stock_lmp_arc_01", "level": 0, "last_points": 2}
    assert "last_points is 2; send at least 3" in refusal(fresh(), "forecast_metric", **wrong)


def test_a_rule_is_kept_and_says_whether_it_sets_off_now() -> None:
    world = fresh()
    quiet = act(world, "set_alert_rule", **RULE)
    loud = act(world, "set_alert_rule", metric="stock_lmp_dsk_02", condition="below", threshold=15, notify="Sofia")
    assert (quiet["sets_off_now"], loud["sets_off_now"]) == (False, True)
    assert [rule["notify"] for rule in world.all("alert_rules")] == ["p_04", "p_07"]


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"notify": "Nobody"}, "notify names nobody"),
        ({"metric": "queue"}, "metric names no series"),
        ({"condition": "equal"}, "send one of above, below"),
    ],
)
def test_a_rule_for_nothing_or_nobody_is_refused(change: dict[str, Any], cause: str) -> None:
    assert cause in refusal(fresh(), "set_alert_rule", **{**RULE, **change})


def test_the_same_rule_is_not_set_twice() -> None:
    world = fresh()
    act(world, "set_alert_rule", **RULE)
    assert "al_1 watches exactly this already" in refusal(world, "set_alert_rule", **RULE)
