"""Rankings that are no judgment: texts by nearness to a query, without a question, a threshold or an abstention.

A comparison sets them beside a judge to see what asking one is worth. Both are plain: BM25 as it is printed in every
textbook, and the cosine of sentence vectors as the model gives it, neither fitted to our cases.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from policy.judges.local.bm25 import bm25
from policy.judges.local.text import plain, stems
from policy.judges.local.vectors import TooSlow, Vectors, VectorsUnavailable

THREADS = 1


class NoRanking(Exception):
    """This process cannot rank by vectors; the text says why, as the end of a sentence."""


def by_words(query: str, passages: Sequence[str]) -> list[float]:
    """One BM25 score of at least 0 per passage: shared word stems, rare ones of these passages count more.

    A path or an address in the query also stands for the word of its kind: `src/sum.ts` is a file.
    """
    return bm25(stems(f"{query} {plain(query)}"), [stems(passage) for passage in passages])


def by_vectors(query: str, passages: Sequence[str], *, cache_dir: Path | None, timeout_s: float) -> list[float]:
    """One cosine in [-1, 1] per passage, from the vectors that the judge `local` uses; raises `NoRanking`."""
    if not passages:
        return []
    deadline = time.monotonic() + timeout_s
    vectors = _vectors(cache_dir)
    try:
        offered = vectors.embed("passage", list(passages), deadline=deadline)
        wanted = vectors.embed("query", [query], deadline=deadline)
    except VectorsUnavailable as missing:
        raise NoRanking(str(missing)) from missing
    except TooSlow as slow:
        raise NoRanking(f"the vectors were not done within {timeout_s:g} s") from slow
    nearness: list[float] = (offered @ wanted[0]).tolist()
    return nearness


@lru_cache(maxsize=4)
def _vectors(cache_dir: Path | None) -> Vectors:
    return Vectors(cache_dir=cache_dir, threads=THREADS)
