"""Which readout a question gets: by its wording, never by its id."""

from __future__ import annotations

import pytest

from policy.engine.call_questions import QUESTIONS
from policy.engine.questions import Noul
from policy.engine.selection.questions import ASK_FIRST_QUESTION, RELEVANCE_TEXT
from policy.judges.local.choice import says_none
from policy.judges.local.nouls import lists_members, readout_of
from policy.judges.local.vagueness import features


@pytest.mark.parametrize(
    ("question", "name"),
    [
        (Noul(RELEVANCE_TEXT.format(category="files")), "relevance"),
        (Noul("Would a tool of the category mail be useful here?"), "relevance"),
        (ASK_FIRST_QUESTION, "ask_first"),
        (Noul("Is the request ambiguous?"), "ask_first"),
        *((question, name) for name, question in QUESTIONS.items()),
        (Noul("Does the call break a rule?"), "violates_restriction"),
        (Noul("Is the parcel late?"), "generic"),
    ],
)
def test_a_noul_is_read_by_its_wording(question: Noul, name: str) -> None:
    assert readout_of(question).name == name


@pytest.mark.parametrize("label", ["__none__", "none", "None", "no_match", "keine"])
def test_labels_that_mean_none_fits_are_known(label: str) -> None:
    assert says_none(label)
    assert not says_none(f"{label}_file")


def test_member_lines_are_told_from_a_plain_description() -> None:
    assert lists_members(Noul("Relevant?", "Files.\nread_file: Open one."))
    assert not lists_members(Noul("Relevant?", "Look at files of the code base: open one."))


def test_a_named_thing_is_counted_and_a_bare_article_is_not_held_against_it() -> None:
    assert features("Open the file src/a.py")["bare"] == 0
    assert features("Open the file")["bare"] == 1


def test_vague_words_and_pointing_words_are_found_in_german() -> None:
    found = features("Mach das irgendwie besser")
    assert (found["vague"], found["pointing"], found["named"]) == (3, 1, 0)
