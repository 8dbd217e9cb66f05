"""Wilson's interval, for shares whose number of cases need not be whole."""

from __future__ import annotations

import math

Z = 1.959963984540054


def wilson(share: float, n: float) -> tuple[float, float]:
    """The 95 % interval of a share of `n` cases; (0, 1) where there are none."""
    if n <= 0:
        return 0.0, 1.0
    middle, scale = share + Z * Z / (2 * n), 1 + Z * Z / n
    half = Z * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)
