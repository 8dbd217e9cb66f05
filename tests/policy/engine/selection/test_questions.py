"""The questions of a selection: ids, texts, bounds, batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy.engine.canonical import canonical_json
from policy.engine.profile import Limits
from policy.engine.questions import Noul
from policy.engine.selection import Candidate, Category
from policy.engine.selection.menu import arrange
from policy.engine.selection.questions import MAX_MEMBER_LINES, MAX_REQUEST_CHARS, batches, question_set_digest
from policy.engine.selection.writer import QuestionWriter
from tests.policy.engine.doubles import tools


def writer(
    candidates: Sequence[Candidate], *categories: Category, member_lines: bool = False, limits: Limits | None = None
) -> QuestionWriter:
    return QuestionWriter(arrange(candidates, categories).groups, limits or Limits(), member_lines=member_lines)


def test_the_relevance_question_has_the_words_of_seed_000() -> None:
    asked = writer(tools(net="dig"), Category("net", "Look at the network.")).relevance()[0]
    assert asked.id == "rel_net"
    assert asked.question == Noul(
        'Is a tool from the category "net" relevant for completing the current task?',
        "Look at the network.",
        "No tool from this category is needed for this task.",
    )


def test_a_category_without_description_has_a_general_criterion() -> None:
    asked = writer(tools(net="dig")).relevance()[0]
    assert asked.question.true == "At least one tool from this category helps with the task."


def test_the_pick_question_offers_ids_and_none_last() -> None:
    (asked,) = writer([Candidate("dig", ("net",), "Look up a name"), *tools(net="ping")]).picks(["net"])
    assert asked.id == "pick_net"
    assert asked.question.instructions == 'Which tool from the category "net" fits the current task step?'
    assert list(asked.question.criteria.items()) == [
        ("dig", "Look up a name"),
        ("ping", None),
        ("__none__", "No tool from this category fits the current task step."),
    ]


def test_descriptions_are_cut_and_the_loss_is_counted() -> None:
    written = writer([Candidate("dig", ("net",), "d" * 250)], Category("net", "c" * 450))
    relevance, (pick,) = written.relevance()[0], written.picks(["net"])
    assert pick.question.criteria["dig"] == "d" * 200 + "…"
    assert relevance.question.true == "c" * 400 + "…"
    assert (relevance.loss, pick.loss) == ({"category:net": 50}, {"tool:dig": 50})


def test_member_lines_name_each_tool_on_one_line() -> None:
    candidates = [Candidate("dig", ("net",), "Look up\na name"), *tools(net="ping")]
    asked = writer(candidates, Category("net", "Network."), member_lines=True).relevance()[0]
    assert asked.question.true == "Network.\ndig: Look up a name\nping"


def test_member_lines_end_at_their_own_bound_and_count_the_rest() -> None:
    limits = Limits(max_candidates_per_question=2)
    names = " ".join(f"t{number:02}" for number in range(MAX_MEMBER_LINES + 2))
    (asked,) = writer(tools(net=names), limits=limits, member_lines=True).relevance()
    told = asked.question.true or ""
    assert told.splitlines()[1:] == names.split()[:MAX_MEMBER_LINES]
    assert asked.loss == {"members:net": 6}


def test_chunks_have_a_suffix_and_their_own_none() -> None:
    picks = writer(tools(x="a b c"), limits=Limits(max_candidates_per_question=2)).picks(["x"])
    assert [pick.id for pick in picks] == ["pick_x", "pick_x_1"]
    assert [list(pick.question.criteria) for pick in picks] == [["a", "b", "__none__"], ["c", "__none__"]]
    assert [pick.stage for pick in picks] == ["pick:x:chunk-1", "pick:x:chunk-2"]


def test_a_tool_called_none_keeps_apart_from_the_answer_none() -> None:
    (pick,) = writer([Candidate("__none__", ("x",)), Candidate("tool __none__", ("x",))]).picks(["x"])
    assert sorted(pick.tools.values()) == ["__none__", "tool __none__"]
    assert len(pick.question.criteria) == 3
    assert "__none__" not in pick.tools


@pytest.mark.parametrize("names", [("a-b", "a_b", "a.b"), ("x", "x_1"), ("ä", "ö", "_")])
def test_ids_that_sanitise_alike_stay_apart(names: tuple[str, ...]) -> None:
    limits = Limits(max_candidates_per_question=1)
    written = writer([Candidate(f"{tool}{name}", (name,)) for name in names for tool in "pq"], limits=limits)
    ids = [asked.id for asked in written.relevance()] + [pick.id for pick in written.picks(names)]
    assert len(ids) == len(set(ids)) == 3 * len(names)
    assert all(id.replace("_", "").isascii() for id in ids)


def test_question_ids_do_not_depend_on_chance() -> None:
    first, second = ([asked.id for asked in writer(tools(a_b="x", **{"a-b": "y"})).relevance()] for _ in range(2))
    assert first == second


def test_the_size_of_a_question_is_that_of_its_json() -> None:
    written = writer([Candidate("dig", ("net",), 'Look up a "name" in \u00e9')])
    questions: list[Any] = [*written.relevance(), *written.picks(["net"])]
    for asked in questions:
        assert asked.chars == len(canonical_json({asked.id: asked.question.to_wire()}))


@given(st.lists(st.integers(0, 60_000), min_size=1, max_size=12), st.none() | st.integers(1, 4))
def test_batches_keep_every_question_in_order_and_within_bounds(sizes: list[int], most: int | None) -> None:
    chars = {f"q{number}": size for number, size in enumerate(sizes)}
    packed = batches(chars, max_questions=most)
    assert [name for batch in packed for name in batch] == list(chars)
    for batch in packed:
        total = sum(chars[name] for name in batch)
        assert len(batch) == 1 or (total <= MAX_REQUEST_CHARS and len(batch) <= (most or len(batch)))


def test_the_texts_have_a_digest() -> None:
    assert len(question_set_digest()) == 64
