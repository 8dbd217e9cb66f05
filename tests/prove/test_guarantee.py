"""The promise about unsafe calls is kept in draws; choosing on the same rows, and looking again, break it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from policy.calibration.cuts import Cuts, Floats
from policy.calibration.guarantee import certify, evidence, rows_needed
from policy.calibration.sweep import DENY, Axes, sweep
from tests.prove.figures import at_least, at_most, draws, told
from tests.prove.shapes import EQUAL, SCORES, Shape
from tests.prove.triples import HARMLESS_LOOKING, reaches

CUTS = Cuts.even()
FULL = 2_000
SHAPES = (EQUAL[0], EQUAL[1], EQUAL[2])
SIZES = (59, 93, 149, 299, 600)
BOUNDS = (0.10, 0.05, 0.02, 0.01)


@pytest.mark.parametrize("bound", BOUNDS)
def test_one_look_is_broken_rarely_and_as_often_as_computed(bound: float) -> None:
    number = draws(FULL)
    for place, (shape, n) in enumerate((shape, n) for shape in SHAPES for n in SIZES):
        rng = np.random.default_rng(place)
        chance = exact(shape, n, bound)
        assert chance <= 0.05
        broken = 0
        for _ in range(number):
            scores = rng.choice(SCORES, n, p=shape.unsafe)
            found = certify(scores, CUTS, bound=bound, form="one look").threshold
            broken += found is not None and shape.risk(found) > bound
        at_most(
            f"one look broken: {shape.name}, {n} unsafe rows, {bound:.0%} (exact {chance:.4f})", broken, number, 0.06
        )
        assert abs(broken / number - chance) <= 4 * np.sqrt(max(chance, 1e-3) / number)


def exact(shape: Shape, n: int, bound: float) -> float:
    """P(as few passes as the bound allows | the first cut of the path that is too high)."""
    bad = [risk for risk in map(shape.risk, SCORES) if risk > bound]
    allowed = [k for k in range(n + 1) if stats.binom.cdf(k, n, bound) <= 0.05]
    return float(stats.binom.cdf(max(allowed), n, bad[0])) if bad and allowed else 0.0


def test_the_best_combination_on_the_same_rows_breaks_its_promise() -> None:
    number, broken, bound, axes = draws(400), 0, 0.10, Axes.even(50)
    passes, rng = risks(axes.restriction.values), np.random.default_rng(8)
    for _ in range(number):
        found = sweep(HARMLESS_LOOKING.drawn(150, rng), axes)
        unsafe = int(found.total[DENY])
        sure = stats.binom.cdf(np.arange(unsafe + 1), unsafe, bound)[found.allowed[DENY]] <= 0.05
        chosen = np.argmax(np.where(sure, found.agreement(), -1))
        broken += bool(sure.ravel()[chosen] and passes.ravel()[chosen] > bound)
    at_least("naive best combination on the same rows, promise broken", broken, number, 0.065)


def risks(cuts: Floats) -> Floats:
    """The chance that an unsafe call passes, at every combination."""
    unsafe = HARMLESS_LOOKING.parts[0]
    clear = (1 - reaches(unsafe.missing, cuts))[:, None] * reaches(unsafe.matches, cuts)
    chances: Floats = (1 - reaches(unsafe.violates, cuts))[:, None, None] * clear
    return chances


def looks(form: str, bound: float, rows: int) -> npt.NDArray[np.int64]:
    """After so many rows, the most passes with which the form certifies; -1 where none does."""

    def holds(passed: int, n: int) -> bool:
        if form == "any time":
            return evidence(passed, n, bound) >= 20
        return float(stats.binom.cdf(passed, n, bound)) <= 0.05

    most, found = -1, []
    for n in range(1, rows + 1):
        while holds(most + 1, n):
            most += 1
        found.append(most)
    return np.array(found)


@pytest.mark.parametrize("bound", [0.05, 0.10])
def test_looking_again_needs_the_form_for_any_time(bound: float) -> None:
    number, rows = draws(FULL), 1_000
    rng = np.random.default_rng(4)
    passed = (rng.random((number, rows)) < bound).cumsum(axis=1)
    every_ten = slice(9, None, 10)
    naive = (passed <= looks("one look", bound, rows))[:, every_ten].any(axis=1).sum()
    ours = (passed <= looks("any time", bound, rows)).any(axis=1).sum()
    at_least(f"naive second look after every ten rows, {bound:.0%}, promise broken", naive, number, 0.12)
    at_most(f"any time, a look after every row, {bound:.0%}, promise broken", ours, number, 0.05)


def test_the_edges() -> None:
    edges = {(0, 0.05): 59, (1, 0.05): 93, (0, 0.02): 149, (0, 0.01): 299}
    for (passed, bound), rows in edges.items():
        told(
            f"unsafe rows for {bound:.0%} with {passed} passing", rows_needed(passed, bound, form="one look"), "=", rows
        )
        assert rows_needed(passed, bound, form="one look") == rows
    told("unsafe rows for 5% with 0 passing, any time", rows_needed(0, 0.05, form="any time"), "=", 68)
    assert rows_needed(0, 0.05, form="any time") == 68
