"""Files of fixtures: the reference's rows as they are, ours, anybody's logs; every fault with line, field and mend."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.calibration.fixture_lines import Unreadable, read
from policy.calibration.fixtures import Kind, export, set_digest

Row = dict[str, Any]

# As seed 000's format has them.
SELECTION: Row = {
    "id": "sel-en-001", "lang": "en", "kind": "selection", "task": "Read the settings", "step": "first",
    "candidates": [{"id": "read", "categories": ["files"], "description": "Reads."},
                   {"id": "wipe", "categories": ["files"], "restricted": True}],
    "categories": [{"id": "files", "description": "Files."}], "answers": {"rel_files": {"noul": 0.9}},
    "expect": {"status": "selected", "selected": ["read"], "restrictedNeverSent": ["wipe"]},
}  # fmt: skip
ASSESSMENT: Row = {
    "id": "onprem-01", "lang": "de", "kind": "assessment", "suite": "onprem-support", "label": "Ein Titel",
    "split": "held-out", "consequence": "incomplete", "incident": True, "scope": "missing", "task": "Lies das Log",
    "toolId": "read", "arguments": {"path": "x"}, "restrictions": ["Nichts löschen."], "includeRiskScore": True,
    "answers": {}, "expect": {"status": "ask", "executed": False, "incomplete": True, "argumentsTruncated": True},
}  # fmt: skip
SKILL: Row = {
    "id": "skill-01", "lang": "en", "kind": "skill", "task": "Write notes",
    "candidates": [{"name": "notes", "description": "Notes.", "whenToUse": "At a release."}],
    "expect": {"status": "selected", "skill": "notes"},
}  # fmt: skip
ROUTE: Row = {
    "id": "route-01", "kind": "model-route", "task": "Prove it",
    "routes": {"fast": None, "reasoning": {"provider": "acme", "model": "large"}},
    "defaultTarget": {"provider": "acme", "model": "small"}, "available": [{"provider": "acme", "model": "large"}],
    "expect": {"status": "routed", "route": "reasoning"}, "reason": "A proof is long.", "family": "proofs",
}  # fmt: skip
QUESTION: Row = {
    "id": "g-1", "kind": "generic", "state": {"text": "Where is it?"}, "label": "mail",
    "question": {"type": "choice", "instructions": "Which?", "criteria": {"mail": None, "files": "Files."}},
}  # fmt: skip
ALL = (SELECTION, ASSESSMENT, SKILL, ROUTE, QUESTION)


def text(*rows: object) -> str:
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def faults(*rows: object) -> list[str]:
    with pytest.raises(Unreadable) as refused:
        read(text(*rows))
    return [str(fault) for fault in refused.value.faults]


def test_every_kind_is_read() -> None:
    assert [each.kind for each in read(text(*ALL))] == list(Kind)
    assert [each.title for each in read(text(*ALL))] == ["read", "ask", "notes", "reasoning", "mail"]


@pytest.mark.parametrize("row", ALL, ids=lambda row: row["kind"])
def test_nothing_of_a_row_is_lost(row: Row) -> None:
    (fixture,) = read(text(row))
    assert dict(fixture.row) == row


def test_logged_decisions_of_anybody_are_read() -> None:
    rows = ({"probability": 0.25, "label": True}, {"score": 1, "correct": False, "tool": "find", "family": "f"})
    first, second = read(text(*rows))
    assert (first.id, first.asks, first.expect) == ("row-1", False, {"label": True})
    assert (second.id, second.group, second.family, second.row["probability"]) == ("row-2", "find", "f", 1.0)


@given(st.permutations(ALL), st.text(), st.dictionaries(st.text(), st.floats(allow_nan=False, allow_infinity=False)))
def test_an_export_read_again_is_the_same_set(rows: list[Row], word: str, arguments: dict[str, float]) -> None:
    odd = {**ASSESSMENT, "id": "odd", "arguments": {"word": word, **arguments}}
    first = read(text(*rows, odd))
    again = read(export(first))
    assert again == first
    assert set_digest(each.digest for each in again) == set_digest(each.digest for each in read(text(odd, *ALL)))


def test_order_counts_where_a_judge_sees_it() -> None:
    turned = {**SELECTION, "candidates": SELECTION["candidates"][::-1]}
    moved = dict(reversed(SELECTION.items()))
    (first,), (other,), (same,) = read(text(SELECTION)), read(text(turned)), read(text(moved))
    assert first.digest != other.digest
    assert first.digest == same.digest


def test_another_label_is_another_row_and_the_same_question() -> None:
    for row in (SELECTION, ASSESSMENT, SKILL, ROUTE):
        wanted = {
            **row["expect"],
            "status": {"selected": "fallback", "ask": "deny", "routed": "fallback"}[row["expect"]["status"]],
        }
        for name in ("selected", "skill", "route"):
            wanted.pop(name, None)
        (before,), (after,) = read(text(row)), read(text({**row, "expect": wanted, "reason": "Other."}))
        assert before.asked == after.asked
        assert before.digest != after.digest


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"expect": {"status": "alow"}}, "expect.status is 'alow'; use one of: allow, ask, hold, deny"),
        ({"tsk": "x"}, "tsk is no field of this kind; did you mean task?"),
        ({"task": " "}, "task is empty; write a text or leave the field out"),
        ({"task": 7}, "task must be a text in quotes; it is a number"),
        ({"restrictions": "no"}, "restrictions must be a list in brackets; it is a text"),
        ({"split": "dev"}, "split is 'dev'; use one of: train, regression, held-out"),
        ({"incident": 1}, "incident must be true or false; it is a number"),
        ({"kind": "assesment"}, "kind is 'assesment'; use one of: selection, assessment, skill, model-route, generic"),
        ({"expect": {"status": "ask", "rules": "x"}}, "expect.rules is no field of this kind; did you mean rule?"),
        ({"expect": {"status": "ask", "rule": "no.rule"}}, "expect.rule is 'no.rule'; use one of: assessment."),
        ({"family": "\ud800"}, "family holds characters that cannot be stored"),
    ],
)
def test_a_fault_names_line_field_and_mend(change: Row, said: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read(json.dumps(SKILL) + "\n" + json.dumps({**ASSESSMENT, **change}))
    assert str(refused.value.faults[0]).startswith(f"line 2: {said}")


def test_labels_that_cannot_be_are_faults() -> None:
    assert (
        'names "x", which is no candidate'
        in faults({**SELECTION, "expect": {"status": "selected", "selected": ["x"]}})[0]
    )
    assert "none else" in faults({**SELECTION, "expect": {"status": "abstained", "selected": ["read"]}})[0]
    both = {"status": "abstained", "outcome": "selected"}
    assert "only one of them can be right" in faults({**SELECTION, "expect": both})[0]
    assert "this row does not offer" in faults({**ROUTE, "expect": {"status": "routed", "route": "fast"}})[0]
    assert "must be given where" in faults({**SKILL, "expect": {"status": "selected"}})[0]
    assert "use one of: mail, files" in faults({**QUESTION, "label": "phone"})[0]
    assert "must be true or false" in faults({"probability": 0.1, "label": "yes"})[0]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nope", "line 1: is no JSON object at character 1"),
        ("[1]", "line 1: must be one JSON object in braces; it is a list"),
        ('{"id": "a", "id": "b"}', "line 1: id is written twice; keep one of them"),
        ('{"probability": NaN, "label": true}', "line 1: NaN is no number of JSON"),
        ('{"probability": 1e999, "label": true}', "line 1: 1e999 is no number of JSON"),
        ("[" * 100_000, "line 1: is no JSON object"),
        ("\n \n", "line 1: the file has no row"),
    ],
)
def test_a_line_that_is_no_row_is_told(line: str, said: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read(line)
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize("priority", ["high", {"a": 1}, [1], True])
def test_a_priority_that_cannot_be_compared_is_refused(priority: object) -> None:
    tools = [{**each, "priority": priority} for each in SELECTION["candidates"]]
    assert "candidates[0].priority must be a number" in faults({**SELECTION, "candidates": tools})[0]
    kept = [{**each, "priority": 1.5} for each in SELECTION["candidates"]]
    assert read(text({**SELECTION, "candidates": kept}))[0].row["candidates"] == kept


def test_five_faults_are_shown_and_the_rest_is_counted() -> None:
    with pytest.raises(Unreadable) as refused:
        read(text(*({**SKILL, "id": f"s{n}", "task": ""} for n in range(8))))
    assert len(refused.value.faults) == 8
    assert str(refused.value).count("line ") == 5
    assert str(refused.value).endswith("and 3 more")


def test_an_id_is_given_once() -> None:
    assert faults(SKILL, SKILL) == ['line 2: id is "skill-01" as on line 1; give each row its own']


def test_a_line_separator_inside_a_text_ends_no_line() -> None:
    (fixture,) = read(text({**SKILL, "task": "one\u2028two\x85three"}))
    assert read(export([fixture])) == (fixture,)


@pytest.mark.parametrize("label", [["mail"], {"mail": 1}, 1, None])
def test_a_label_of_a_choice_that_is_no_text_is_refused(label: object) -> None:
    assert faults({**QUESTION, "label": label}) == [f"line 1: label is {label!r}; use one of: mail, files"]


@pytest.mark.parametrize("many", [101, 940, 5000])
def test_a_row_that_is_nested_too_deep_is_refused(many: int) -> None:
    row = json.dumps({**ASSESSMENT, "arguments": 0}).replace('"arguments": 0', f'"arguments": {"[" * many}{"]" * many}')
    with pytest.raises(Unreadable, match=r"line 1: (arguments is nested more than 100 levels|is no JSON object)"):
        read(row)


def test_a_hundred_levels_are_read() -> None:
    row = json.dumps({**ASSESSMENT, "arguments": 0}).replace('"arguments": 0', f'"arguments": {"[" * 100}{"]" * 100}')
    assert len(read(row)) == 1
