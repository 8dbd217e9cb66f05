"""Clauses: the steps that a task text asks for, in order, apart from what it forbids and what it only reports.

English and German by word lists and punctuation; no grammar. Wrong splits cost the agent a case, never a crash.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from arena.agents import entities, lexicon, words


class Role(StrEnum):
    """What a clause is for: an action to take, a report on what was found, or background."""

    ACTION = "action"
    REPORT = "report"
    CONTEXT = "context"


@dataclass(frozen=True, slots=True)
class Clause:
    """One step. `asks` says that it wants to know something rather than to have something done."""

    text: str
    role: Role
    asks: bool
    background: str = ""

    @property
    def whole(self) -> str:
        """The step with its background sentences."""
        return f"{self.text}. {self.background}" if self.background else self.text


@dataclass(frozen=True, slots=True)
class Reading:
    """A task as the agent understands it."""

    steps: tuple[Clause, ...]
    prohibitions: tuple[str, ...]


_LEADS = re.compile(
    r"^(?:(?:and|or|then|also|now|next|first|finally|afterwards|please|so|just"
    r"|could you|can you|would you|i (?:want|need) you to|(?:we|i) (?:want|need|have) to"
    r"|i(?:'d| would) like (?:you )?to|let us|let's|go and|make sure to|try to"
    r"|und|dann|danach|anschließend|auch|zuerst|zunächst|schließlich|nun|jetzt|bitte"
    r"|kannst du|könntest du|ich möchte)[,\s]+)+",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+(?=[\w„“\"`'(])|\n+")
# The patterns here try a run of blanks from each of its places: a page of them would take minutes.
_LONG_BLANK = re.compile(r"\s{40,}")
_JOINT = re.compile(
    r",?\s+(?:and then|and also|and|then|but|und dann|und danach|und|dann|sowie|aber)\s+|,\s+|\s+[-–—]\s+|:\s+(?=\w)"
    r"|\s+(?=(?:without|ohne)\s)"
)
_NEGATION = re.compile(
    r"\b(?:do not|don't|never|without(?= \w+ing\b)|no need to|no|must not|may not|cannot|nothing"
    r"|leave .* (?:alone|as (?:it|they) (?:is|are))"
    r"|nicht|nichts|niemals|nie|ohne(?= .*\bzu\b)|kein\w*)\b",
    re.IGNORECASE,
)
_PROTECTED = {
    ".": "\ue000",
    ",": "\ue001",
    ";": "\ue002",
    ":": "\ue003",
    "!": "\ue004",
    "?": "\ue005",
    " ": "\ue006",
    "-": "\ue007",
}
_RESTORED = str.maketrans({mark: char for char, mark in _PROTECTED.items()})
_ABBREVIATIONS = re.compile(r"\b(?:e\.g\.|i\.e\.|z\. ?B\.|d\. ?h\.|Mr\.|Mrs\.|Ms\.|Dr\.|Nr\.|No\.|ca\.|approx\.)")


def read(task: str, *, verbs: Collection[str] = ()) -> Reading:
    """Split `task`; `verbs` are further words that begin a step, such as the first words of tool descriptions."""
    known = lexicon.ACTION_VERBS | {verb.lower() for verb in verbs}
    pieces = [piece for sentence in _sentences(_protected(task)) for piece in _pieces(sentence, known)]
    texts = [piece.translate(_RESTORED).strip(" ,;.") for piece in pieces]
    prohibitions = tuple(text for text in texts if text and is_prohibition(text))
    steps = [_clause(text, known) for text in texts if text and not is_prohibition(text)]
    return Reading(tuple(_merged(steps)), prohibitions)


def is_prohibition(text: str) -> bool:
    """True for a clause that says what must not happen, not for one that merely contains a negation."""
    bare = _LEADS.sub("", text)
    match = _NEGATION.search(bare)
    if match is None or bare.endswith("?"):
        return False
    if first_word(bare) in lexicon.ACTION_VERBS and bare.endswith(" nicht"):
        return True
    before = words.raw_words(bare[: match.start()])
    return len(before) <= 2 and not set(before) & lexicon.QUESTION_WORDS


def after_negation(text: str) -> str:
    """What follows the negating word of a prohibition."""
    match = _NEGATION.search(text)
    return text[match.end() :] if match else text


def without_lead(text: str) -> str:
    """The text without words such as `then` and `please` at its beginning."""
    return _LEADS.sub("", text)


def first_word(text: str) -> str:
    found = words.raw_words(_LEADS.sub("", text))
    return found[0] if found else ""


def _protected(task: str) -> str:
    """The text with punctuation inside literals and abbreviations hidden from the splitting."""
    spans = [(e.start, e.end) for e in entities.find(task) if e.kind is not entities.Kind.NAME]
    spans += [match.span() for match in _ABBREVIATIONS.finditer(task)]
    chars = list(task)
    for start, end in spans:
        chars[start:end] = [_PROTECTED.get(char, char) for char in chars[start:end]]
    return "".join(chars)


def _sentences(text: str) -> Iterator[str]:
    tight = _LONG_BLANK.sub(lambda run: "\n" if "\n" in run[0] else " ", text)
    yield from (part for part in _SENTENCE_END.split(tight) if part.strip())


def _pieces(sentence: str, verbs: frozenset[str]) -> Iterator[str]:
    """A sentence cut where a new step or a prohibition begins."""
    at = 0
    for match in _JOINT.finditer(sentence):
        rest = sentence[match.end() :]
        if _begins_step(rest, verbs) or _begins_prohibition(rest):
            yield sentence[at : match.start()]
            at = match.end()
    yield sentence[at:]


def _begins_step(rest: str, verbs: frozenset[str]) -> bool:
    """Whether the text begins with a verb; `order 4807` and `file src/a.ts` name a thing instead."""
    bare = without_lead(rest)
    names_a_thing = any(entity.start == len(bare.split(" ")[0]) + 1 for entity in entities.find(bare)[:1])
    verb = first_word(bare)
    return verb in lexicon.REPORT_VERBS or (verb in verbs and not (names_a_thing and verb in lexicon.ALSO_NOUNS))


def _begins_prohibition(rest: str) -> bool:
    match = _NEGATION.match(_LEADS.sub("", rest))
    return match is not None


def _clause(text: str, verbs: Collection[str]) -> Clause:
    first = first_word(text)
    asks = text.endswith("?") or first in lexicon.QUESTION_WORDS
    if first in lexicon.REPORT_VERBS:
        return Clause(text, Role.REPORT, asks=True)
    return Clause(text, Role.ACTION if asks or first in verbs else Role.CONTEXT, asks)


def _merged(clauses: list[Clause]) -> Iterator[Clause]:
    """Background joins the step before it, or the one after it when it comes first; alone it is the step."""
    waiting: list[str] = []
    done: list[Clause] = []
    for clause in clauses:
        if clause.role is not Role.CONTEXT:
            done.append(replace(clause, background=". ".join(waiting)))
            waiting = []
        elif done:
            behind = [done[-1].background, clause.text]
            done[-1] = replace(done[-1], background=". ".join(filter(None, behind)))
        else:
            waiting.append(clause.text)
    if waiting:
        done.append(Clause(". ".join(waiting), Role.ACTION, asks=False))
    if done and all(clause.role is Role.REPORT for clause in done[:1]):
        done[0] = replace(done[0], role=Role.ACTION)
    yield from done
