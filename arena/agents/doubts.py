"""When a task leaves open what is wanted or of which thing, so that guessing would be wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.agents import clauses, entities, lexicon, words
from arena.agents.clauses import Clause
from arena.agents.entities import Kind

MIN_CONTENT_WORDS = 2
_TARGETS = frozenset(Kind) - {Kind.NAME}


def all_vague(steps: Sequence[Clause], values: Mapping[str, Any]) -> bool:
    """Whether no step says enough to begin with."""
    return all(is_vague(step, values) for step in steps)


def is_vague(clause: Clause, values: Mapping[str, Any]) -> bool:
    """True for a step such as “improve it”: an unspecific verb, no literal target, and hardly any word of content."""
    if values or clause.asks or any(entity.kind in _TARGETS for entity in entities.find(clause.whole)):
        return False
    raw = words.raw_words(clauses.without_lead(clause.whole))
    spoken = [word for word in raw if word not in lexicon.FILLERS]
    left = [word for word in spoken if word not in lexicon.STOP_WORDS | lexicon.PRONOUNS | lexicon.VAGUE_VERBS]
    unspecific = bool(set(spoken[:1]) & lexicon.VAGUE_VERBS) or not left
    return len(left) < MIN_CONTENT_WORDS and (unspecific or bool(set(spoken[1:]) & lexicon.PRONOUNS))
