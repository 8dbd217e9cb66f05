"""What in a task says whether it names its goal and its object: counts of the task alone, English and German."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from policy.judges.local.lexicon import ASKING, POINTING, VAGUE
from policy.judges.local.text import stems, words

_NAMED = re.compile(
    r"""
    [\w.-]+/[\w./-]+            # a path
    | \b\w[\w-]*\.[a-z]{1,5}\b  # a file name
    | \b[a-z]+_[a-z_0-9]+\b     # snake_case
    | \b[a-z]+[A-Z]\w*\b        # camelCase
    | \b[A-Z]{2,}[-_]?\d+\b     # an id like INC-12
    | [\w.+-]+@[\w.-]+          # an address
    | ["„“”'`][^"„“”'`]{2,}["„“”'`]
    """,
    re.VERBOSE,
)
_NUMBER = re.compile(r"\d")
_NAME = re.compile(r"(?<=[\w,] )[A-ZÄÖÜ][\w-]+")


def features(task: str) -> Mapping[str, float]:
    """Counts and shares that the fitted readout weighs; no feature looks at anything but the task."""
    spoken = words(task)
    content = stems(task)
    total = max(1, len(spoken))
    return {
        "length": math.log1p(len(spoken)),
        "content": math.log1p(len(set(content))),
        "named": float(min(3, len(_NAMED.findall(task)))),
        "number": float(bool(_NUMBER.search(task))),
        "names": float(min(3, len(_NAME.findall(task)))),
        "vague": sum(word in VAGUE for word in spoken) / total,
        "pointing": sum(word in POINTING for word in spoken) / total,
        "asking": float(bool(spoken) and spoken[0] in ASKING),
    }
