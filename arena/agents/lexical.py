"""How well the words of a clause fit each tool of a menu: an own small weighted overlap, no vectors, no judge.

Rare words of the menu weigh more, so more tools mean more doubt. The score is a share of the clause's weight,
between 0 and about 1, so that one threshold serves menus of every size.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence

from arena.agents import words
from arena.catalogs.tool import Tool

NAME_WEIGHT = 1.6
DESCRIPTION_WEIGHT = 1.0
ARGUMENT_WEIGHT = 0.5
SATURATION = 0.6
"""How fast repeated words stop counting, as k1 of BM25."""
LENGTH_PENALTY = 0.35
"""How much longer tool texts lose, as b of BM25."""
UNSEEN_TOOLS = 20
"""Every menu is weighed as if it were part of one larger by this number, so that a menu of one has rare words too."""


class Menu:
    """The searchable words of the tools that a lane was given."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self.tools = tuple(tools)
        self._weights = [_weights(tool) for tool in self.tools]
        self._holders = Counter(word for weights in self._weights for word in weights)
        sizes = [sum(weights.values()) for weights in self._weights]
        mean = sum(sizes) / len(sizes) if sizes else 1.0
        self._norms = [1 - LENGTH_PENALTY + LENGTH_PENALTY * size / mean for size in sizes]

    def rank(self, concepts: Sequence[tuple[str, ...]]) -> list[tuple[Tool, float]]:
        """Every tool with its score for these concepts, best first; equal scores keep the order of the menu."""
        concepts = [*concepts, *self._compounds(concepts)]
        total = sum(max(map(self._rarity, concept)) for concept in concepts)
        scores = [
            self._score(concepts, *fields) / total if total else 0.0
            for fields in zip(self._weights, self._norms, strict=True)
        ]
        ranked = zip(self.tools, (round(score, 6) for score in scores), strict=True)
        return sorted(ranked, key=lambda pair: -pair[1])

    def _compounds(self, concepts: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
        """Neighbouring words that a tool writes as one: `roll back` is `rollback`."""
        pairs = (f"{one[0]}{two[0]}" for one, two in itertools.pairwise(concepts))
        return [(pair,) for pair in pairs if pair in self._holders]

    def _rarity(self, word: str) -> float:
        return math.log((len(self.tools) + UNSEEN_TOOLS + 1) / (self._holders[word] + 1))

    def _score(self, concepts: Sequence[tuple[str, ...]], weights: Mapping[str, float], norm: float) -> float:
        """The sum over concepts of the best of their words; a word counts less the more of it was seen."""
        return (1 + SATURATION) * sum(
            max(
                self._rarity(word) * weights.get(word, 0.0) / (weights.get(word, 0.0) + SATURATION * norm)
                for word in concept
            )
            for concept in concepts
        )


def _weights(tool: Tool) -> dict[str, float]:
    """Word weights of one tool: its name, its description, the names of its arguments."""
    weights: dict[str, float] = {}
    fields = (
        (NAME_WEIGHT, words.content_words(tool.id)),
        (DESCRIPTION_WEIGHT, words.content_words(tool.description)),
        (ARGUMENT_WEIGHT, words.content_words(" ".join(tool.properties))),
    )
    for weight, stems in fields:
        for word in stems:
            weights[word] = weights.get(word, 0.0) + weight
    return weights
