"""A long run of characters without a blank costs little: nobody's task may keep a whole worker busy."""

from __future__ import annotations

from time import process_time

import pytest

from arena.agents import clauses, entities
from policy.judges.local import text

MOST_CPU_S = 30.0
"""Far more than is needed; before the patterns were bounded these took minutes."""


@pytest.mark.parametrize("piece", ["x", "X", "x-", "x.", "x/", "x_", "-"])
def test_a_long_run_is_read_in_bounded_time(piece: str) -> None:
    run = piece * (20_000 // len(piece))
    began = process_time()
    entities.find(run)
    for pattern, name in text.NAMES:
        pattern.sub(name, run)
    assert process_time() - began < MOST_CPU_S


@pytest.mark.parametrize("blank", [" ", "\n", " \n", "\t"])
def test_a_page_of_blanks_is_split_in_bounded_time(blank: str) -> None:
    task = f"Read the file.{blank * 20_000}Then delete it"
    began = process_time()
    assert [part.strip(" .") for part in text._clauses(task)] == ["Read the file", "Then delete it"]
    assert [part.strip() for part in clauses._sentences(task)] == ["Read the file.", "Then delete it"]
    assert process_time() - began < MOST_CPU_S


def test_a_plain_address_and_a_long_name_are_still_found() -> None:
    found = [(each.kind, each.value) for each in entities.find("Mail anna.b+c@acme.example about ACME-AB-12.")]
    assert (entities.Kind.EMAIL, "anna.b+c@acme.example") in found
    assert (entities.Kind.ID, "ACME-AB-12") in found
