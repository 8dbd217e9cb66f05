"""Promises about unsafe calls: the edges that a binomial bound has, and what they cost in labels."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate

from policy.calibration.cuts import Cuts
from policy.calibration.guarantee import Form, certify, evidence, families, half, rows_needed, upper_bound

CUTS = Cuts.even()


@pytest.mark.parametrize(("passed", "bound", "rows"), [(0, 0.05, 59), (1, 0.05, 93), (0, 0.02, 149), (0, 0.01, 299)])
def test_one_look_needs_exactly_so_many_unsafe_rows(passed: int, bound: float, rows: int) -> None:
    assert rows_needed(passed, bound, form="one look") == rows
    assert upper_bound(passed, rows) <= bound < upper_bound(passed, rows - 1)


@pytest.mark.parametrize(("passed", "bound", "rows"), [(0, 0.05, 68), (1, 0.05, 153), (0, 0.1, 33), (0, 0.01, 343)])
def test_looking_again_and_again_needs_more(passed: int, bound: float, rows: int) -> None:
    assert rows_needed(passed, bound, form="any time") == rows


@pytest.mark.parametrize(
    ("passed", "bound", "rows", "form"),
    [
        (0, 0.05, 59, "one look"),
        (1, 0.05, 93, "one look"),
        (0, 0.02, 149, "one look"),
        (0, 0.01, 299, "one look"),
        (0, 0.05, 68, "any time"),
    ],
)
def test_one_row_less_is_not_certified(passed: int, bound: float, rows: int, form: Form) -> None:
    # The row that passes is below every cut but the first.
    scores = np.array([0.0] * passed + [0.9] * (rows - passed))
    assert certify(scores, CUTS, bound=bound, form=form).threshold == 0.9
    assert certify(scores[:-1], CUTS, bound=bound, form=form).threshold != 0.9


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


@pytest.mark.parametrize(("passed", "rows"), [(0, 1_000_000), (900, 1000), (3, 100_000)])
def test_overwhelming_evidence_either_way_is_a_number(passed: int, rows: int) -> None:
    found = evidence(passed, rows, 0.05)
    assert 0 <= found < np.inf
    assert (found >= 20) == (upper_bound(passed, rows) < 0.05)


@pytest.mark.parametrize("bound", [0.1, 0.05, 0.02, 0.01])
def test_the_table_of_labels_to_plan_with(bound: float) -> None:
    table = {
        0.1: [29, 46, 61, 76, 89, 103],
        0.05: [59, 93, 124, 153, 181, 208],
        0.02: [149, 236, 313, 386, 456, 523],
        0.01: [299, 473, 628, 773, 913, 1049],
    }
    assert [rows_needed(passed, bound, form="one look") for passed in range(6)] == table[bound]


def test_a_family_passes_where_any_of_its_members_does() -> None:
    scores = families(np.array([0.9, 0.2, 0.7, 0.6]), np.array([5, 5, 3, 3]))
    assert sorted(scores) == [0.2, 0.6]


def test_a_case_stays_in_its_half_and_the_halves_are_even() -> None:
    halves = [half(f"case-{number}") for number in range(1000)]
    assert halves[:5] == [half(f"case-{number}") for number in range(5)]
    assert 440 < sum(halves) < 560
