"""How a question is put to the model: one yes-or-no question a time, what stays the same first.

The server keeps the beginning of a prompt, so instructions, examples and state are read once for all options.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from policy.engine.questions import Choice, Noul

MOST_STATE_CHARS = 6_000
MOST_CRITERION_CHARS = 2_000

INSTRUCTIONS = "You check statements about a piece of work. Read the state and answer the question with Yes or No only."
# Two of each answer, none of them about anything that a case of ours or a tool of the catalog is about.
EXAMPLES = (
    ("task: Water the ferns on the balcony.", "Which device serves the task?\nCandidate: hose: Pours water.", True),
    ("task: Water the ferns on the balcony.", "Which device serves the task?\nCandidate: oven: Bakes bread.", False),
    ("task: Hang the coats in the hall.\nrule: Drive no nails into walls.", "Does a glued hook keep the rule?", True),
    ("task: Hang the coats in the hall.\nrule: Drive no nails into walls.", "Does a nailed hook keep the rule?", False),
)


def conversation(state: Mapping[str, Any] | str, question: str) -> list[dict[str, str]]:
    """The messages of one yes-or-no question about a state."""
    messages = [{"role": "system", "content": INSTRUCTIONS}]
    for told, asked, answer in EXAMPLES:
        messages += [_user(told, asked), {"role": "assistant", "content": "Yes" if answer else "No"}]
    return [*messages, _user(told_state(state), question)]


def of_option(question: Choice, label: str) -> str:
    """Whether one option of a choice is the right one."""
    return f"{question.instructions}\nCandidate: {_named(label, question.criteria.get(label))}"


def of_noul(question: Noul) -> str:
    """The question itself, with what its answers mean."""
    parts = [question.instructions]
    parts += [f"Yes means: {_cut(question.true)}"] if question.true else []
    parts += [f"No means: {_cut(question.false)}"] if question.false else []
    return "\n".join(parts)


def told_state(state: Mapping[str, Any] | str) -> str:
    """The state as lines, cut at `MOST_STATE_CHARS`; `lost` says by how much."""
    return _whole(state)[:MOST_STATE_CHARS]


def lost(state: Mapping[str, Any] | str) -> int:
    """How many characters of the state the model does not read."""
    return max(0, len(_whole(state)) - MOST_STATE_CHARS)


VERSION = hashlib.sha256(json.dumps([INSTRUCTIONS, EXAMPLES]).encode()).hexdigest()[:8]
"""Changes with the wording: constants that were fitted under another one no longer hold."""


def _user(state: str, question: str) -> dict[str, str]:
    return {"role": "user", "content": f"State:\n{state}\n\nQuestion: {question}\nAnswer Yes or No."}


def _whole(state: Mapping[str, Any] | str) -> str:
    if isinstance(state, str):
        return state
    return "\n".join(f"{name}: {_plain(value)}" for name, value in state.items())


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _named(label: str, description: str | None) -> str:
    return f"{label}: {_cut(description)}" if description else label


def _cut(text: str) -> str:
    return text[:MOST_CRITERION_CHARS]
