"""Figures: they hold the numbers that the titles and tables say, and name colours instead of giving them."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest

from policy.calibration import report_choices
from policy.calibration.measured import Stated
from policy.calibration.stability import Noise, Turned
from policy.charts import questions, steadiness, thresholds
from policy.charts.thresholds import Marks
from policy.engine.profile import Thresholds
from tests.policy.calibration.test_measured_choices import selection


@pytest.fixture(scope="module")
def report() -> Any:
    rng = np.random.default_rng(5)
    labels = rng.random(120) < 0.5
    stated = np.round(np.clip(rng.normal(np.where(labels, 0.7, 0.3), 0.15), 0, 1), 2).astype(np.float64)
    ids = [f"r{place}" for place in range(120)]
    choices = report_choices.rows(ids, stated.tolist(), labels.tolist(), current=0.5)
    return report_choices.report(choices, draws=50), Marks(stated, labels), Stated(stated, labels, tuple(ids))


@pytest.fixture(scope="module")
def two() -> Any:
    """Selections over two thresholds, of which enough are labelled for a proposal."""
    rng = np.random.default_rng(3)
    judged = []
    for _ in range(240):
        right = rng.random() < 0.5
        high = [right or place == rng.integers(2) for place in range(2)]
        relevance, share = (float(round(rng.beta(*((7, 2) if each else (2, 5))), 2)) for each in high)
        judged.append(selection([("a", relevance, share)], {"a"} if right else set()))
    ids = [f"c{place}" for place in range(240)]
    return report_choices.report(report_choices.selections(ids, judged, Thresholds()), draws=50)


def test_the_agreement_curve_is_that_of_the_report_and_shades_what_is_not_separated(report: Any) -> None:
    found, _, _ = report
    chart = thresholds.agreement(found, "threshold")
    axis = found.axes[0]
    assert chart.figure["data"][1]["y"] == [agreed / 120 for agreed in axis.curve]
    shade = chart.figure["layout"]["shapes"][0]
    assert (shade["x0"], shade["x1"]) == (axis.separation.first, axis.separation.last)
    assert "agrees best" in chart.title


def test_a_heat_map_encloses_what_cannot_be_told_from_the_best(two: Any) -> None:
    chart = thresholds.heat(two, across="relevance", up="selection")
    assert chart is not None
    picture, edge = chart.figure["data"]
    inside = np.array(edge["z"]) == 1
    assert inside.shape == np.array(picture["z"]).shape
    # Rows of the picture are `selection`, columns `relevance`: the proposal lies within.
    place = [round(two.proposal.thresholds[name] * 100) // 2 for name in ("selection", "relevance")]
    assert inside[place[0], place[1]]
    assert 0 < inside.mean() < 1
    assert "Within the dashed line" in chart.note


def test_the_bar_on_the_axis_is_what_all_thresholds_together_leave_open(two: Any) -> None:
    for axis in two.axes:
        chart = thresholds.agreement(two, axis.name)
        bar = chart.figure["layout"]["shapes"][-1]
        assert (bar["x0"], bar["x1"]) == axis.near_range
        assert bar["y1"] < 0.1
        assert "all thresholds moving together" in chart.note


def test_every_value_is_in_one_bar_and_wrong_ones_apart(report: Any) -> None:
    found, marks, _ = report
    bars = thresholds.scores(found, "threshold", marks).figure["data"][:4]
    assert sum(abs(count) for bar in bars for count in bar["y"]) == 120
    wrong = sum(abs(count) for bar in bars[1::2] for count in bar["y"])
    assert wrong == int(((marks.values >= 0.5) != marks.reach).sum())
    assert all("pattern" in bar["marker"] for bar in bars[1::2])


def test_the_operating_point_lies_on_its_curve(report: Any) -> None:
    _, _, stated = report
    chart = questions.roc("spam", stated, 0.5)
    assert chart is not None
    line, dot = chart.figure["data"][1:3]
    assert (dot["x"][0], dot["y"][0]) in set(zip(line["x"], line["y"], strict=True))
    assert chart.to_json()["follows"] == ""
    followed = questions.precision("spam", stated, 0.5, follows="threshold")
    assert followed is not None
    assert followed.to_json()["follows"] == "threshold"
    assert "the dot follows the slider" in followed.note


def test_a_question_of_one_side_has_no_curve() -> None:
    stated = Stated(np.array([0.2, 0.4]), np.array([True, True]), ("a", "b"))
    assert questions.roc("q", stated, 0.5) is None
    assert questions.precision("q", stated, 0.5) is None


def test_risk_ends_with_the_share_that_is_wrong_at_the_threshold(report: Any) -> None:
    _, _, stated = report
    chart = questions.risk("spam", stated, 0.5)
    assert chart is not None
    wrong = float(((stated.stated >= 0.5) != stated.true).mean())
    assert chart.figure["data"][0]["y"][-1] == pytest.approx(wrong)


def test_reliability_shows_each_bin_with_its_count_and_never_the_error_alone(report: Any) -> None:
    found, _, _ = report
    reliable = found.reliability["threshold"]
    chart = questions.reliable("spam", reliable, 120)
    assert chart is not None
    assert [int(row[-1]) for row in chart.rows] == [each.rows for each in reliable.bins]
    assert "by chance" in chart.note


def test_steadiness_is_told_only_where_it_was_measured() -> None:
    assert steadiness.noise([]) is None
    assert steadiness.orders([]) is None
    noisy = steadiness.noise([Noise("relevance", 4, 0.02, 0.07)])
    turned = steadiness.orders([Turned("reversed", 10, 3, 0.1, ("a",))])
    assert noisy is not None
    assert noisy.title == "Asked again, answers lie up to 0.07 apart"
    assert turned is not None
    assert turned.title == "3 of 10 choices change with the order of their options"


def test_no_figure_gives_a_colour_and_all_are_plain_json(report: Any) -> None:
    found, marks, stated = report
    charts = [
        thresholds.scores(found, "threshold", marks),
        thresholds.agreement(found, "threshold"),
        questions.roc("q", stated, 0.5),
        questions.risk("q", stated, 0.5),
    ]
    text = json.dumps([chart.to_json() for chart in charts if chart], allow_nan=False)
    assert not re.search(r"#[0-9a-f]{3,6}\b|rgb\(", text)
    assert "token:ink" in text
