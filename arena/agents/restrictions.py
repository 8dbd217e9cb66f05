"""What the restrictions of a task rule out, read by words: a simple reader that errs on the side of leaving alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from arena.agents import clauses, lexicon, words
from arena.catalogs.tool import Tool, ToolEffect

_CHANGE = frozenset(map(words.stem, lexicon.word_set("change modify edit write update alter touch")))
_DELETE = frozenset(map(words.stem, lexicon.word_set("delete remove erase drop destroy purge")))
_EVERYTHING = frozenset(map(words.stem, lexicon.word_set("anything something nothing data record file entry")))
_REST = lexicon.word_set("else other others otherwise apart sonst anderes andere weiteres")
_READ_ONLY = ("read-only", "read only", "only read", "nur lesen", "look but do not touch", "without changing anything")


@dataclass(frozen=True, slots=True)
class Ban:
    """What is ruled out: whole effects, changing tools whose name says one of `deeds`, or two of `words`."""

    effects: frozenset[ToolEffect] = frozenset()
    deeds: frozenset[str] = frozenset()
    words: tuple[frozenset[str], ...] = ()

    def covers(self, tool: Tool) -> bool:
        about = _about(tool)
        if tool.effect == "observe":
            return False
        return (
            tool.effect in self.effects or bool(self.deeds & about) or any(len(each & about) > 1 for each in self.words)
        )


def read(texts: Iterable[str]) -> Ban:
    """The ban of restriction sentences and of the prohibitions inside a task."""
    bans = [_ban(sentence) for text in texts for sentence in _sentences(text)]
    return Ban(
        frozenset().union(*(ban.effects for ban in bans)),
        frozenset().union(*(ban.deeds for ban in bans)),
        tuple(words_of for ban in bans for words_of in ban.words),
    )


def _sentences(text: str) -> list[str]:
    reading = clauses.read(text)
    return [*reading.prohibitions, *(step.text for step in reading.steps if _read_only(step.text))]


def _read_only(sentence: str) -> bool:
    return any(mark in sentence.lower() for mark in _READ_ONLY)


def _ban(sentence: str) -> Ban:
    if _read_only(sentence):
        return Ban(frozenset({"modify", "destructive"}))
    raw = set(words.raw_words(sentence))
    if raw & _REST:
        return Ban()
    stems = _stems(sentence)
    targets = set(stems) - _CHANGE - _DELETE - _EVERYTHING
    if not targets and (_CHANGE & set(stems) or not stems):
        return Ban(frozenset({"modify", "destructive"}))
    if not targets and _DELETE & set(stems):
        return Ban(frozenset({"destructive"}))
    if _CHANGE & set(stems):
        return Ban(deeds=frozenset(targets))
    deeds = (_stems(clauses.after_negation(sentence)) or stems)[:1]
    return Ban(deeds=frozenset(deeds), words=(frozenset(targets),))


def _stems(text: str) -> list[str]:
    return [stem for concept in words.concepts(text, german=words.is_german(text)) for stem in concept]


def _about(tool: Tool) -> set[str]:
    """The name of a tool and the verb that its description begins with."""
    return {*words.content_words(tool.id), words.stem(clauses.first_word(tool.description))}
