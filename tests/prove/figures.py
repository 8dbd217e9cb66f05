"""How many draws a simulation makes, what it found, and the bar that it must meet."""

from __future__ import annotations

import math
import os

SHARE = float(os.environ.get("PROVE_SHARE", "1"))
LINES: list[str] = []


def draws(full: int) -> int:
    """So many draws for `make prove`, a share of them where `PROVE_SHARE` says so."""
    return max(10, round(full * SHARE))


def at_least(name: str, hits: float, number: int, bar: float) -> None:
    """The share of hits reaches the bar; a share of the draws may miss it by two standard errors."""
    _tell(name, hits, number, ">=", bar)
    assert hits / number >= bar - _slack(bar, number), f"{name}: {hits / number:.4f} of {number} draws, bar {bar}"


def at_most(name: str, hits: float, number: int, bar: float) -> None:
    _tell(name, hits, number, "<=", bar)
    assert hits / number <= bar + _slack(bar, number), f"{name}: {hits / number:.4f} of {number} draws, bar {bar}"


def told(name: str, value: float, sign: str, bar: float) -> None:
    """A figure that is no share of draws."""
    LINES.append(f"{name:72} {value:8.4f} {sign} {bar}")


def _tell(name: str, hits: float, number: int, sign: str, bar: float) -> None:
    LINES.append(f"{name:72} {hits / number:8.4f} {sign} {bar:<6} ({number} draws)")


def _slack(bar: float, number: int) -> float:
    return 0.0 if SHARE >= 1 else 2 * math.sqrt(bar * (1 - bar) / number)
