"""What a clause, a tool or a call does to the world, by the first verb in it that the word lists know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from policy.judges.local.lexicon import ASKING, VERBS
from policy.judges.local.text import stem, words

# A tool's id and the first words of its description: what comes later describes things.
FIRST_WORDS = 6


class Deed(StrEnum):
    """The class of a verb; everything but `observe` leaves the world another than before."""

    OBSERVE = "observe"
    MAKE = "make"
    CHANGE = "change"
    SEND = "send"
    REMOVE = "remove"


def _classes() -> dict[str, frozenset[Deed]]:
    found: dict[str, frozenset[Deed]] = {}
    for name, verbs in VERBS.items():
        for verb in verbs:
            found[stem(verb)] = found.get(stem(verb), frozenset()) | {Deed(name)}
    return found


_BY_STEM = _classes()


def of_clause(clause: str) -> frozenset[Deed]:
    """What a clause of a task wants done; a question wants to know. Empty where no verb is known."""
    spoken = words(clause)
    return frozenset({Deed.OBSERVE}) if spoken and spoken[0] in ASKING else _first(spoken)


def of_offer(text: str) -> frozenset[Deed]:
    """What a tool does, by its id and the beginning of its description."""
    return _first(words(text)[:FIRST_WORDS])


def all_of(text: str) -> frozenset[Deed]:
    """Every deed that a text names."""
    return frozenset(deed for word in words(text) for deed in _BY_STEM.get(stem(word), ()))


def agreement(wanted: Iterable[frozenset[Deed]], offered: frozenset[Deed]) -> float:
    """1 where one of the clauses wants what is offered, looking or doing; -1 where none does; 0 where it is unknown."""
    told = [doing for each in wanted if (doing := _doing(each)) is not None]
    does = _doing(offered)
    if does is None or not told:
        return 0.0
    return 1.0 if does in told else -1.0


def same_deed(wanted: Iterable[frozenset[Deed]], offered: frozenset[Deed]) -> float:
    """1 where one of the clauses wants a deed of the very class that is offered; -1 where none does; 0 if unknown."""
    told = [deeds for deeds in wanted if deeds]
    if not offered or not told:
        return 0.0
    return 1.0 if any(deeds & offered for deeds in told) else -1.0


def _doing(deeds: frozenset[Deed]) -> bool | None:
    """Whether something changes; None where nothing is known or the verb can mean either."""
    looks = Deed.OBSERVE in deeds
    return None if not deeds or (looks and len(deeds) > 1) else not looks


def _first(spoken: Sequence[str]) -> frozenset[Deed]:
    return next((found for word in spoken if (found := _BY_STEM.get(stem(word)))), frozenset())
