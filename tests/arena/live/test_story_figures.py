"""Figures are written in one way everywhere."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from arena.live import figures

NOW = datetime(2026, 3, 12, 14, 32, tzinfo=UTC)


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (None, "—"),
        (0, "0\u202fs"),
        (0.0004, "<\u202f1\u202fms"),
        (0.004, "4\u202fms"),
        (0.31, "0.31\u202fs"),
        (9.91, "9.91\u202fs"),
        (9.999, "10.0\u202fs"),
        (14.23, "14.2\u202fs"),
        (98, "1\u202fm 38\u202fs"),
        (7860, "2\u202fh 11\u202fm"),
    ],
)
def test_seconds(amount: float | None, text: str) -> None:
    assert figures.seconds(amount) == text


@pytest.mark.parametrize(("value", "text"), [(0.58, ".58"), (1.0, "1.00"), (0.0, ".00"), (None, "—")])
def test_probabilities_have_no_leading_zero(value: float | None, text: str) -> None:
    assert figures.probability(value) == text


def test_counts_are_grouped_and_unknown_is_never_zero() -> None:
    assert figures.count(18412) == "18,412"
    assert figures.count(None) == "—"
    assert figures.count(7002, at_least=True) == "≥\u202f7,002"


def test_a_change_shows_its_sign_as_a_true_minus() -> None:
    assert figures.signed(-13058) == "−13,058"
    assert figures.signed(24) == "+24"
    assert figures.share(-13058, 18412) == "−71\u202f%"
    assert figures.share(5, 0) == "—"


def test_the_running_clock_has_minutes_seconds_and_tenths() -> None:
    assert figures.clock(21.46) == "0:21.4"
    assert figures.clock(723.0) == "12:03.0"


@pytest.mark.parametrize(
    ("ago", "text"),
    [
        (timedelta(seconds=20), "now"),
        (timedelta(minutes=12), "12\u202fmin ago"),
        (timedelta(hours=3), "today 11:32"),
        (timedelta(days=1), "yesterday 14:32"),
        (timedelta(days=14), "26 Feb"),
        (timedelta(days=400), "5 Feb 2025"),
    ],
)
def test_moments_are_told_from_now(ago: timedelta, text: str) -> None:
    assert figures.when(NOW - ago, NOW) == text
