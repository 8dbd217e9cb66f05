"""Last words of a language model: an answer, a question, or that no tool fits."""

from __future__ import annotations

import pytest

from arena.agents import endings
from arena.agents.agent import Ending


@pytest.mark.parametrize(
    "text",
    [
        "Which part would you like me to improve?",
        "I can mend that. Which file should I change: `a.py` or `b.py`?",
        "Which part would you like me to improve? I could look at speed or at wording.",
        "There are two customers named Meyer: C-7 and C-12. Which one do you mean?",
        "**Which order?**",
        "Please tell me which release you mean.",
        "I need more information before I can change anything: the order number is missing.",
        "Welche Bestellung meinen Sie?",
        "Bitte nennen Sie mir die Nummer der Bestellung.",
    ],
)
def test_a_question_to_the_person_is_a_question(text: str) -> None:
    assert endings.told(text, called=False) is Ending.ASKED
    assert endings.told(text, called=True) is Ending.ASKED


@pytest.mark.parametrize(
    "text",
    [
        "Dinner is at 19 (a/b.md).",
        "The total is 12.5. Would you like me to also check last week?",
        "Done: LL-1 was refunded. Is there anything else I can help with?",
        "What is the cause? The null check in src/sum.ts is missing.",
        "The ticket is titled “Which part would you like me to improve?” and is open.",
        "The code asks `ready?` before it starts.",
        "Order 4711 was shipped. If you need more, please let me know.",
        "Das Abendessen ist um 19 Uhr. Kann ich sonst noch helfen?",
        "",
    ],
)
def test_all_else_is_an_answer(text: str) -> None:
    assert endings.told(text, called=True) is Ending.ANSWERED


@pytest.mark.parametrize(
    "text",
    [
        "None of these tools can book a flight.",
        "There is no tool for sending a fax in this menu.",
        "I don’t have a tool that translates documents. Could you give me one?",
        "The tools of this menu do not include a calendar.",
        "Keines dieser Werkzeuge kann das.",
        "Dafür gibt es kein passendes Werkzeug.",
    ],
)
def test_words_that_name_no_fitting_tool_decline_where_no_call_succeeded(text: str) -> None:
    assert endings.told(text, called=False) is Ending.DECLINED


def test_a_missing_tool_beside_a_result_is_an_answer() -> None:
    text = "The order was shipped on 3 May. There is no tool here to notify the customer."
    assert endings.told(text, called=True) is Ending.ANSWERED
