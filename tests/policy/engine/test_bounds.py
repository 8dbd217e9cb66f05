"""Bounded text and what the bounds count as lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from policy.engine.bounds import bound_line, bound_text
from policy.engine.task_state import NOTICE, task_state

ANY_TEXT = st.text(st.characters(codec=None))


@given(ANY_TEXT, st.integers(1, 50))
def test_a_bounded_text_can_be_sent_and_is_short(text: str, limit: int) -> None:
    bounded = bound_text(text, limit)
    bounded.text.encode("utf-8")
    assert len(bounded.text) <= limit + 1
    assert (bounded.text == text) == (bounded.lost == 0)


def test_a_cut_shows_a_marker_and_counts_code_points() -> None:
    bounded = bound_text("🦊" * 7, 5)
    assert bounded.text == "🦊" * 5 + "…"
    assert bounded.lost == 2


def test_a_code_point_that_no_database_takes_is_replaced_and_counted() -> None:
    bounded = bound_text("a\x00b\ud800", 9)
    assert bounded.text == "a\ufffdb\ufffd"
    assert bounded.lost == 2


def test_a_line_stays_one_line() -> None:
    assert bound_line(" one\n two\t three ", 99).text == "one two three"


def test_the_state_carries_the_notice_and_names_its_losses() -> None:
    bounded = task_state("t" * 50, "s" * 50, max_state_chars=40)
    assert bounded.state == {"task": "t" * 40 + "…", "step": "s" * 10 + "…", "notice": NOTICE}
    assert bounded.loss == {"task": 10, "step": 40}


def test_a_state_without_a_step_has_no_step() -> None:
    assert task_state("t", None, max_state_chars=40).state == {"task": "t", "notice": NOTICE}


def test_a_credential_in_task_or_step_is_masked_and_is_no_loss() -> None:
    bounded = task_state("log in with token=hunter2", "Authorization: Bearer hunter2", max_state_chars=400)
    assert "hunter2" not in str(bounded.state)
    assert (bounded.state["task"], bounded.loss) == ("log in with token=[redacted]", {})
