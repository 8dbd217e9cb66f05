"""Which cases may be looked at: the row of started ones without an open one. Any other choice favours an arm."""

from __future__ import annotations

import numpy as np
import pytest

from arena.evidence.statistics.betting import Floats
from arena.evidence.statistics.pairs import (
    CaseRecord,
    Pair,
    Void,
    shuffled,
    successes,
    successes_with_voids_as_failures,
)
from tests.prove import paired
from tests.prove.figures import at_least, at_most, draws

FULL = 10_000
PAIRS = 200
SLOW = 30.0


def lanes(number: int, seed: int) -> tuple[paired.Flags, paired.Flags, Floats]:
    """Both arms pass equally often; B takes far longer where it fails. A pair lasts as long as both of its lanes."""
    rng = np.random.default_rng(seed)
    chance = rng.beta(2, 2, (number, PAIRS))
    a, b = rng.random((number, PAIRS)) < chance, rng.random((number, PAIRS)) < chance
    lasting = rng.exponential(1.0, (2, number, PAIRS))
    return a, b, lasting[0] + np.where(b, 1.0, SLOW) * lasting[1]


@pytest.mark.parametrize(("workers", "broken"), [(8, 0.06), (32, 0.3)])
def test_an_arm_that_is_slow_when_it_fails(workers: int, broken: float) -> None:
    number = draws(FULL)
    a, b, lasting = lanes(number, 1)
    values, ends = b.astype(np.int64) - a, paired.completion(lasting, workers)
    completed = np.take_along_axis(values, ends.argsort(axis=1), axis=1)
    ours, naive = paired.ever(paired.of_signs(values)), paired.ever(paired.of_signs(completed))
    at_most(f"false words, {workers} workers, B slow when it fails: started row", ours, number, 0.05)
    at_least(f"naive: the same in order of completion, {workers} workers", naive, number, broken)


def test_the_product_looks_at_the_started_row_and_nothing_else() -> None:
    a, b, lasting = lanes(10, 2)
    ends = paired.completion(lasting, 32)
    for line in range(10):
        for now in np.quantile(ends[line], [0.05, 0.3, 0.6, 1.0]):
            records = [
                CaseRecord(
                    str(case), (Pair(float(a[line, case]), float(b[line, case])),) * bool(ends[line, case] <= now)
                )
                for case in range(PAIRS)
            ]
            row = int(np.append(ends[line] <= now, False).argmin())
            assert successes(records).cases == tuple(map(str, range(row)))


def test_a_file_with_its_gains_first_has_to_be_shuffled() -> None:
    number, cases = draws(FULL), 100
    rng = np.random.default_rng(3)
    gain = np.where(np.arange(cases) < cases // 2, 0.25, -0.25)
    drawn = rng.random((number, cases))
    values = np.where(drawn < (0.3 + gain) / 2 + 0.1, 1, np.where(drawn > 1 - (0.3 - gain) / 2 - 0.1, -1, 0))
    names = [str(case) for case in range(cases)]
    order = np.array([[int(name) for name in shuffled(names, seed)] for seed in range(number)])
    ours = paired.ever(paired.of_signs(np.take_along_axis(values, order, axis=1)))
    at_most("false words, gains first and losses later, shuffled by seed", ours, number, 0.05)
    at_least("naive: the same in the order of the file", paired.ever(paired.of_signs(values)), number, 0.20)


def test_failures_booked_as_faults_are_told_by_the_second_word() -> None:
    number = draws(FULL)
    rng = np.random.default_rng(4)
    a, b = rng.random((number, PAIRS)) < 0.6, rng.random((number, PAIRS)) < 0.6
    void = ~b & (rng.random((number, PAIRS)) < 0.3)
    values = b.astype(np.int64) - a
    booked = paired.ever(paired.of_signs(np.where(void, 0, values)))
    at_least("naive: 30 % of B's failures booked as faults, first word alone", booked, number, 0.07)
    at_most(
        "the second word, voids as failures of the arm that broke", paired.ever(paired.of_signs(values)), number, 0.05
    )
    for line in range(20):
        records = [
            CaseRecord(str(case), (Pair(float(x), None, Void("b", "500")) if hidden else Pair(float(x), float(y)),))
            for case, (x, y, hidden) in enumerate(zip(a[line], b[line], void[line], strict=True))
        ]
        assert successes_with_voids_as_failures(records).values == tuple(map(float, values[line]))
        assert len(successes(records).values) == PAIRS - void[line].sum()
