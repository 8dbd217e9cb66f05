"""Every line of the folder is run and every expected key compared; what is left to others is counted by reason."""

from __future__ import annotations

import pytest

from tests.conformance import left_out
from tests.conformance.cases import Case, compare, folder, load
from tests.conformance.runners import RUNNERS
from tests.conformance.tally import Tally
from tests.policy.engine.doubles import awaiting

CASES = load(folder())


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in CASES])
def test_the_engine_meets_the_line(case: Case, tally: Tally) -> None:
    """Twice: with the driver that blocks, and with the one that awaits."""
    if reason := left_out.reason(case):
        tally.leave(case, reason)
        pytest.skip(reason)
    assert case.area in RUNNERS, f"no runner for area {case.area} ({case.file}, line {case.line})"
    tally.add(case, compare(case, RUNNERS[case.area](case.input)))
    with awaiting():
        compare(case, RUNNERS[case.area](case.input))


def test_no_two_lines_share_a_name() -> None:
    names = [(case.file, case.id) for case in CASES]
    assert len(set(names)) == len(names)


def test_the_folder_has_lines() -> None:
    assert CASES
