"""jevcompat's 47 faults through four adapters: a valid answer, or a refusal that names the defect."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache

import pytest
from jevcompat.mock import FAULTS

from tests.policy.judges.http.faults import ADAPTERS, Row, played, rows

ROWS = rows()
by_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.fault)
by_adapter = pytest.mark.parametrize("adapter", ADAPTERS)


@cache
def clean(adapter: str) -> object:
    return rounded(played(None, adapter).answers)


def rounded(answers: str) -> object:
    """Computed confidences may differ from the mock's in the last binary digit."""
    return json.loads(answers, parse_float=lambda text: round(float(text), 9))


@by_adapter
def test_a_clean_server_is_answered_by_every_adapter(adapter: str) -> None:
    outcome = played(None, adapter)
    assert outcome.kind == "tolerated"
    assert all(count is not None and count > 0 for count in outcome.usage)


@by_row
@by_adapter
def test_the_fault_ends_as_its_row_says(row: Row, adapter: str) -> None:
    expected, outcome = row.of(adapter), played(row.fault, adapter, row.probe)
    assert outcome.kind == expected["outcome"], outcome
    if outcome.kind == "refused":
        assert (outcome.path, outcome.code) == (expected["path"], expected["code"])
    assert expected.get("rule", "") in outcome.rule
    if outcome.answers:
        assert (rounded(outcome.answers) == clean(adapter)) is (expected["answers"] == "clean")


def test_no_usage_is_unknown_and_a_float_is_its_whole_number() -> None:
    assert played("no-usage", "typesafe").usage == (None, None)
    assert played("float-usage", "typesafe").usage == played(None, "typesafe").usage


def test_every_fault_has_one_row() -> None:
    assert [row.fault for row in ROWS] == list(FAULTS)


def test_at_most_six_rows_share_a_message() -> None:
    shared = Counter(row.expected.get("rule") or row.expected["value"] for row in ROWS)
    assert shared.most_common(1)[0][1] <= 6
    assert "" not in shared
