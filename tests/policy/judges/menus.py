"""Questions that several tests put to the judge."""

from __future__ import annotations

from policy.engine.questions import Choice, Noul, Question, Score
from policy.engine.selection.questions import ASK_FIRST_QUESTION

TOOLS = {
    "list_holidays": "The public holidays of a country in a year.",
    "water_plants": "Switch the garden sprinkler on for some minutes.",
    "convert_temperature": "Turn degrees Celsius into Fahrenheit and back.",
    "lend_book": "Note that a reader borrows a book from the library.",
    "__none__": "No tool fits.",
}
PICK = Choice("Which tool fits the current task?", TOOLS)
GARDEN = "Look after the garden.\nwater_plants: Switch the garden sprinkler on for some minutes."
FALSE = "No tool from this category is needed for this task."
DRY_LAWN = {"task": "The lawn looks dry, sprinkle it for ten minutes."}


def relevance(true: str | None = GARDEN) -> Noul:
    return Noul('Is a tool from the category "garden" relevant for completing the current task?', true, FALSE)


ALL_KINDS: dict[str, Question] = {
    "pick": PICK,
    "rel_garden": relevance(),
    "ask_first": ASK_FIRST_QUESTION,
    "urgent": Noul("Is it urgent?", "It must happen today.", "It can wait."),
    "harm": Score("How bad is a mistake?", ("harmless", "annoying", "dangerous")),
}
