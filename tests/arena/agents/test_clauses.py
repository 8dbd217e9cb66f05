"""How a task is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.agents import clauses
from arena.agents.clauses import Role


def texts(task: str) -> list[str]:
    return [step.text for step in clauses.read(task).steps]


@pytest.mark.parametrize(
    ("task", "steps"),
    [
        ("Find the customer, then refund her order.", ["Find the customer", "refund her order"]),
        ("Check the log and close the ticket.", ["Check the log", "close the ticket"]),
        ("Sieh dir die erste an und storniere sie dann.", ["Sieh dir die erste an", "storniere sie dann"]),
        ("Compare a/one.ts and a/two.ts.", ["Compare a/one.ts and a/two.ts"]),
        ("Open config.yaml. Which port is set?", ["Open config.yaml", "Which port is set?"]),
        ("Cancel order 4807 and order 4808.", ["Cancel order 4807 and order 4808"]),
        ("Write “stop and close” on it.", ["Write “stop and close” on it"]),
    ],
)
def test_steps_are_told_apart(task: str, steps: list[str]) -> None:
    assert texts(task) == steps


def test_background_joins_the_step_that_it_belongs_to() -> None:
    (step,) = clauses.read("The lamp arrived broken. Refund order 4801. The photo is with us.").steps
    assert step.text == "Refund order 4801"
    assert step.background == "The lamp arrived broken. The photo is with us"


def test_a_task_of_background_only_is_one_step() -> None:
    (step,) = clauses.read("The customer would like to end the subscription.").steps
    assert (step.role, step.asks) == (Role.ACTION, False)


def test_a_wish_to_be_told_something_is_a_report_unless_it_comes_first() -> None:
    first, second = clauses.read("Read the file, and tell me the port.").steps
    assert (first.role, second.role) == (Role.ACTION, Role.REPORT)
    assert clauses.read("Tell me the port.").steps[0].role is Role.ACTION


@pytest.mark.parametrize(
    "task",
    [
        "Read it, but do not change anything.",
        "Never delete a record. Read it.",
        "Read it without changing it.",
        "Lies es, aber ändere nichts.",
        "Lies es, ohne etwas zu ändern.",
        "Lies es. Lösche die Datei nicht.",
    ],
)
def test_what_is_forbidden_is_no_step(task: str) -> None:
    reading = clauses.read(task)
    assert len(reading.prohibitions) == 1
    assert len(reading.steps) == 1


@pytest.mark.parametrize(
    "task", ["Why has it not been shipped?", "The customer who never paid is angry.", "List orders without an invoice."]
)
def test_a_negation_alone_forbids_nothing(task: str) -> None:
    assert clauses.read(task).prohibitions == ()


def test_verbs_of_the_menu_begin_steps_too() -> None:
    task = "Read the file and frobnicate the lamp."
    assert len(clauses.read(task).steps) == 1
    assert len(clauses.read(task, verbs={"frobnicate"}).steps) == 2


@given(st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    reading = clauses.read(text)
    assert all(step.text for step in reading.steps)
