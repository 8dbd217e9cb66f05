"""The chart: estimated amounts are quiet, no more styles than eyes tell apart, every day has its number."""

from __future__ import annotations

from datetime import timedelta

import pytest

from policy.prices import in_force
from policy.usage.cells import cells
from policy.usage.chart import Chart, chart
from policy.usage.filters import Filter
from tests.policy.usage.rows import LOCAL, REMOTE, TODAY, entry, keep

pytestmark = pytest.mark.django_db

RANGE = Filter(TODAY - timedelta(days=2), TODAY)


def of(chosen: Filter = RANGE) -> Chart:
    return chart(chosen, cells(chosen, in_force()))


def test_estimated_and_reported_amounts_are_bars_of_their_own() -> None:
    keep([entry(LOCAL, input_tokens=5), entry(REMOTE, input_tokens=7), entry(REMOTE, day=2, input_tokens=2)])
    assert [(each.name, each.style, each.values) for each in of().series] == [
        ("local, estimated", "quiet", (0, 0, 5)),
        ("typesafe, reported", "ink", (2, 0, 7)),
    ]


def test_many_judges_share_the_last_style() -> None:
    keep([entry(REMOTE, judge=f"judge {size}", input_tokens=size) for size in range(1, 8)])
    series = of().series
    assert [each.style for each in series] == ["ink", "quiet", "outlined", "dotted"]
    assert [each.judge for each in series[:3]] == ["judge 7", "judge 6", "judge 5"]
    assert sum(series[3].values) == 1 + 2 + 3 + 4


def test_two_judges_that_estimate_share_the_quiet_bar() -> None:
    keep([entry(LOCAL), entry(LOCAL, judge="scripted")])
    assert [(each.judge, each.style) for each in of().series] == [("local + scripted", "quiet")]


def test_the_table_has_the_same_numbers() -> None:
    keep([entry(LOCAL, input_tokens=1234)])
    assert [values for _, values in of().rows] == [["0"], ["0"], ["1,234"]]
    assert of().to_json()["series"][0]["values"] == [0.0, 0.0, 1234.0]


@pytest.mark.parametrize(
    ("tokens", "title"),
    [
        ((60, 40, 0), "Most judging ran on this machine: 60 % of the known input tokens"),
        ((40, 60, 0), "typesafe has 60 % of the known input tokens"),
        ((40, 35, 25), "No judge has more than half of the known input tokens; local has most, 40 %"),
        ((9999, 1, 0), "Most judging ran on this machine: > 99 % of the known input tokens"),
    ],
)
def test_the_title_states_the_finding(tokens: tuple[int, int, int], title: str) -> None:
    kinds = (LOCAL, REMOTE, {**REMOTE, "judge": "openrouter"})
    keep([entry(kind, input_tokens=count) for kind, count in zip(kinds, tokens, strict=True)])
    assert of().title.replace("\N{NARROW NO-BREAK SPACE}", " ") == title
