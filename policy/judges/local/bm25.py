"""Words that two texts share: BM25 within one question (rarity is counted there only), and plain overlaps."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from policy.judges.local.text import words

K1 = 1.2
B = 0.75
RUN = 4


def bm25(query: Sequence[str], documents: Sequence[Sequence[str]]) -> list[float]:
    """One score of at least 0 per document for the distinct stems of `query`."""
    counts = [Counter(document) for document in documents]
    mean_length = sum(len(document) for document in documents) / max(1, len(documents)) or 1.0
    rarity = {term: _rarity(term, counts) for term in dict.fromkeys(query)}
    return [
        sum(weight * _saturation(count[term], len(document) / mean_length) for term, weight in rarity.items())
        for count, document in zip(counts, documents, strict=True)
    ]


def overlap(query: Sequence[str], document: Sequence[str]) -> float:
    """Share in [0, 1] of the distinct stems of `query` that `document` holds; 0 for an empty query."""
    wanted = set(query)
    return len(wanted & set(document)) / len(wanted) if wanted else 0.0


def letter_overlap(query: str, document: str) -> float:
    """How many runs of four letters both hold, over the root of the document's; finds parts of compound words."""
    offered = _runs(document)
    return len(_runs(query) & offered) / math.sqrt(len(offered)) if offered else 0.0


@lru_cache(maxsize=1_024)
def _runs(text: str) -> frozenset[str]:
    spaced = f" {' '.join(words(text))} "
    return frozenset(spaced[start : start + RUN] for start in range(len(spaced) - RUN + 1))


def _rarity(term: str, counts: Sequence[Counter[str]]) -> float:
    having = sum(1 for count in counts if term in count)
    return math.log(1 + (len(counts) - having + 0.5) / (having + 0.5))


def _saturation(frequency: int, relative_length: float) -> float:
    return frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * relative_length)) if frequency else 0.0
