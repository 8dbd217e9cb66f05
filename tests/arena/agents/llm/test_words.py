"""Words in batches, and a key that is hidden wherever its pieces are cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.agents.llm.words import BATCH_CHARS, BATCH_S, Words, hidden

KEY = "sk-abcabd-7"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_words_wait_for_a_batch_and_not_longer() -> None:
    clock = Clock()
    words = Words(clock=clock)
    assert words.add("a") == ""
    clock.now = BATCH_S
    assert words.add("b") == "ab"
    assert words.add("x" * BATCH_CHARS) == "x" * BATCH_CHARS
    assert words.add("c") == ""
    assert words.rest() == "c"


@given(st.lists(st.sampled_from([KEY, KEY[:4], KEY[4:], "sk-", "a", "bd-7", "word "]), max_size=30), st.data())
def test_no_batch_ever_holds_the_key_or_loses_a_word(parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts)
    clock = Clock()
    words = Words(KEY, clock=clock)
    out, at = [], 0
    while at < len(text):
        size = data.draw(st.integers(1, 6))
        clock.now += data.draw(st.sampled_from([0.0, BATCH_S]))
        out.append(words.add(text[at : at + size]))
        at += size
    out.append(words.rest())
    assert KEY not in "".join(out)
    assert "".join(out) == hidden(text, KEY)
