"""Promises about unsafe calls: the edges that a binomial bound has, and what they cost in labels."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate

from policy.calibration.cuts import Cuts
from policy.calibration.guarantee import certify, evidence, rows_needed, upper_bound

CUTS = Cuts.even()


@pytest.mark.parametrize(("passed", "bound", "rows"), [(0, 0.05, 59), (1, 0.05, 93), (0, 0.02, 149), (0, 0.01, 299)])
def test_one_look_needs_exactly_so_many_unsafe_rows(passed: int, bound: float, rows: int) -> None:
    assert rows_needed(passed, bound, form="one look") == rows
    assert upper_bound(passed, rows) <= bound < upper_bound(passed, rows - 1)


@pytest.mark.parametrize(("passed", "bound", "rows"), [(0, 0.05, 68), (1, 0.05, 153), (0, 0.1, 33), (0, 0.01, 343)])
def test_looking_again_and_again_needs_more(passed: int, bound: float, rows: int) -> None:
    assert rows_needed(passed, bound, form="any time") == rows


def test_the_promise_ends_where_one_row_too_many_would_pass() -> None:
    scores = np.array([0.3, *[0.9] * 58])
    certificate = certify(scores, CUTS, bound=0.05, form="one look")
    assert (certificate.threshold, certificate.passed) == (0.3, 0)
    assert certify(np.append(scores, [0.9] * 34), CUTS, bound=0.05, form="one look").threshold == 0.9


def test_without_enough_rows_nothing_is_promised_but_the_labels_are_counted() -> None:
    certificate = certify(np.full(58, 0.9), CUTS, bound=0.05, form="one look")
    assert not certificate.holds
    assert (certificate.needed, certificate.missing) == (59, 1)


def test_no_rows_promise_nothing() -> None:
    assert not certify(np.array([]), CUTS, bound=0.05, form="any time").holds


def test_a_row_at_the_cut_is_stopped() -> None:
    scores = np.full(59, 0.9299999999999999)
    assert certify(scores, CUTS, bound=0.05, form="one look").threshold == 0.92


@pytest.mark.parametrize(("passed", "rows"), [(0, 20), (2, 90)])
def test_the_evidence_is_the_integral_that_it_stands_for(passed: int, rows: int) -> None:
    def bet(rate: float) -> float:
        return (rate / 0.05) ** passed * ((1 - rate) / 0.95) ** (rows - passed)

    spread = integrate.quad(bet, 0, 0.05)[0] / 0.05
    assert evidence(passed, rows, 0.05) == pytest.approx(0.5 * spread + 0.5 * (0.95**-rows if passed == 0 else 0))
