"""What in a task says whether it names its goal and its object: counts of the task alone, English and German."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from policy.judges.local.lexicon import ASKING, POINTING, SCOPE, VAGUE
from policy.judges.local.text import NAMES, stems, words

_NUMBER = re.compile(r"\d")
_PROPER = re.compile(r"(?<=[\w,] )[A-ZÄÖÜ][\w-]+")
_DEFINITE = re.compile(r"\b(?:the|der|die|das|den|dem|des)\b", re.IGNORECASE)
MOST = 3


def features(task: str) -> Mapping[str, float]:
    """Counts (at most `MOST`) and logarithms that the fitted readout weighs; nothing but the task is looked at."""
    spoken = words(task)
    named = _count(sum(len(pattern.findall(task)) for pattern, _ in NAMES))
    number = float(bool(_NUMBER.search(task)))
    return {
        "length": math.log1p(len(spoken)),
        "content": math.log1p(len(set(stems(task)))),
        "named": named,
        "number": number,
        "proper": _count(len(_PROPER.findall(task))),
        "vague": _count(sum(word in VAGUE for word in spoken)),
        "pointing": _count(sum(word in POINTING for word in spoken)),
        "bare": 0.0 if named or number else _count(len(_DEFINITE.findall(task))),
        "scope": float(any(word in SCOPE for word in spoken)),
        "asking": float(bool(spoken) and spoken[0] in ASKING),
    }


def _count(found: int) -> float:
    return float(min(MOST, found))
