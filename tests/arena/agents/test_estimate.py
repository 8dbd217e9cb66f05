"""What a language model would have been sent."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.agents.agent import Brief, CallOutcome
from arena.agents.estimate import Meter, tokens, wire_bytes
from arena.agents.prompt import PROMPT, opening
from tests.arena.agents.desk import TOOLS

BRIEF = Brief("Show the page “Frühstück”.", TOOLS, {"path": "a.md"})


def test_nothing_sent_is_a_known_zero_and_an_estimate() -> None:
    usage = Meter(BRIEF).usage()
    assert (usage.input_tokens, usage.output_tokens, usage.source) == (0, 0, "estimated")
    assert usage.cached_input_tokens is None


def test_the_first_request_holds_prompt_task_and_every_schema() -> None:
    meter = Meter(BRIEF)
    meter.answer("")
    size = len(PROMPT.encode()) + len(opening(BRIEF).encode()) + sum(wire_bytes(each.to_wire()) for each in TOOLS)
    assert meter.usage().input_tokens == -(-size // 4)


def test_every_request_sends_all_messages_again() -> None:
    meter = Meter(BRIEF)
    meter.call("open_page", {"path": "a.md"})
    first = meter.usage().input_tokens or 0
    meter.returned(CallOutcome(ok=True, content={"text": "x" * 400}))
    meter.answer("done")
    assert (meter.usage().input_tokens or 0) > 2 * first + 100


def test_calls_and_the_answer_are_output() -> None:
    meter = Meter(BRIEF)
    meter.call("open_page", {"path": "a.md"})
    meter.answer("12345678")
    assert meter.usage().output_tokens == tokens(wire_bytes({"name": "open_page", "input": {"path": "a.md"}})) + 2


def test_a_refusal_is_a_message_too() -> None:
    short, long = Meter(BRIEF), Meter(BRIEF)
    short.returned(CallOutcome(ok=False, error="no"))
    long.returned(CallOutcome(ok=False, error="no " * 50))
    for meter in (short, long):
        meter.answer("")
    assert (long.usage().input_tokens or 0) > (short.usage().input_tokens or 0)


@given(st.text(max_size=40))
def test_bytes_are_counted_not_letters(text: str) -> None:
    assert wire_bytes(text) == len(text.encode("utf-8", "surrogatepass"))
    assert tokens(wire_bytes(text)) * 4 >= wire_bytes(text)
