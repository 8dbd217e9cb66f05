"""Started cases, written as short as they are: one number a repeat, or a pair of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from arena.evidence.statistics.pairs import CaseRecord, Pair, Series

Started = Callable[..., list[CaseRecord]]


@pytest.fixture
def started() -> Started:
    """`started("01", "11 10")`: a word a repeat (A then B), a string a case."""

    def make(*cases: str, planned: int | None = None) -> list[CaseRecord]:
        return [
            CaseRecord(
                f"case-{number}",
                tuple(Pair(float(word[0]), float(word[1])) for word in case.split()),
                planned or max(1, len(case.split())),
            )
            for number, case in enumerate(cases, 1)
        ]

    return make


def series(values: Sequence[float]) -> Series:
    return Series(tuple(f"case-{number}" for number in range(len(values))), tuple(map(float, values)))
