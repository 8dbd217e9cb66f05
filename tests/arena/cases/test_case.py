from __future__ import annotations

import json
from typing import Any

import pytest

from arena.cases import specs
from arena.cases.case import Case
from arena.cases.fields import CaseFault

SPECS: list[dict[str, Any]] = [
    {"kind": "answer_holds", "values": ["5", "src/sum.ts"], "mode": "any"},
    {"kind": "answer_lacks", "values": ["6"]},
    {"kind": "called", "tools": ["look"], "arguments": {"shelf": "top"}},
    {"kind": "returned", "values": ["d_118", "2.14.0"]},
    {"kind": "not_called", "tools": ["burn"]},
    {"kind": "patch_applies", "path": "a.ts", "contains": [", 0)"], "lacks": ["x"], "equals": "y", "lines": 2},
    {"kind": "record", "collection": "tickets", "op": "created", "id": "T-1", "fields": {"a": 1}, "holds": {"b": "c"}},
    {"kind": "record", "collection": "logs", "op": "deleted", "count": 8},
    {"kind": "unchanged", "allow": ["tickets"]},
    {"kind": "asked", "values": ["C-1", "C-2"], "least": 2},
    {"kind": "declined"},
    {"kind": "answer_is", "text": "42"},
    {"kind": "answer_contains", "texts": ["LL-4807", "129.00"]},
    {"kind": "answer_matches", "pattern": "LL-[0-9]{4}"},
    {"kind": "json_path", "path": "$.items[0].name", "source": "result", "equals": "lamp"},
    {"kind": "rubric", "text": "Is the answer polite?"},
]


def test_a_case_survives_json_with_its_digest(case_table: dict[str, Any]) -> None:
    case = Case.from_json(case_table)
    again = Case.from_json(json.loads(json.dumps(case.to_json())))
    assert again == case
    assert again.digest == case.digest


def test_the_digest_changes_with_any_field(case_table: dict[str, Any]) -> None:
    case = Case.from_json(case_table)
    other = Case.from_json({**case_table, "checks": case_table["checks"][:1]})
    assert other.digest != case.digest


@pytest.mark.parametrize("table", SPECS, ids=[f"{n}-{table['kind']}" for n, table in enumerate(SPECS)])
def test_every_kind_of_check_survives_json(table: dict[str, Any]) -> None:
    spec = specs.read(table, "checks[0]")
    assert specs.read(specs.to_json(spec), "again") == spec
    assert spec.kind == table["kind"]
    assert spec.title[0].isupper() or spec.title[0].isdigit() or spec.title.startswith(str(table.get("id")))


def test_the_examples_cover_every_kind_of_check() -> None:
    assert {table["kind"] for table in SPECS} == set(specs.KINDS)


@pytest.mark.parametrize(
    ("table", "field"),
    [
        ({"kind": "patch_applies", "path": "a.ts"}, "at.contains"),
        ({"kind": "patch_applies", "path": "a.ts", "equals": "x", "lines": 0}, "at.lines"),
        ({"kind": "asked", "values": ["a"], "least": 2}, "at.least"),
        ({"kind": "record", "collection": "tickets", "op": "eaten"}, "at.op"),
        ({"kind": "record", "collection": "orders", "op": "deleted", "id": "LL-1", "count": 2}, "at.count"),
        ({"kind": "returned", "values": []}, "at.values"),
        ({"kind": "called", "tools": ["look"], "arguments": ["top"]}, "at.arguments"),
        ("declined", "at"),
    ],
)
def test_a_check_that_could_never_hold_is_refused(table: Any, field: str) -> None:
    with pytest.raises(CaseFault) as caught:
        specs.read(table, "at")
    assert caught.value.field == field
