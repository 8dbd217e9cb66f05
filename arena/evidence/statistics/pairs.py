"""From pairs of lanes to one number a case: what counts, what is void, in which order, and how far one may look.

A pair is one repeat of a case: a lane of the baseline A and a lane of the arm B. The case is the unit: it enters once,
as the mean over its planned repeats. Cases start in an order that a seed shuffled, and the ones that count are the
longest row of started cases without an open one; whoever counts completions instead favours the arm that fails slowly.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from arena.errors import Invalid

Broke = Literal["a", "b", "both"]
ORDER = "ascending SHA-256 of 'seed:case' in UTF-8"
MOST_RATIO = 4.0


@dataclass(frozen=True, slots=True)
class Void:
    """A pair in which a lane failed for a reason that no arm can influence: which one broke, and why."""

    broke: Broke
    reason: str


@dataclass(frozen=True, slots=True)
class Pair:
    """One closed repeat. `a` and `b` in the unit of the metric; None is unknown, which is never 0."""

    a: float | None
    b: float | None
    void: Void | None = None


@dataclass(frozen=True, slots=True)
class CaseRecord:
    """A started case with its closed pairs; how many repeats it gets was fixed before it started."""

    case: str
    pairs: tuple[Pair, ...]
    planned: int = 1

    @property
    def closed(self) -> bool:
        return len(self.pairs) >= self.planned


@dataclass(frozen=True, slots=True)
class Left:
    """A pair that does not count: repeat from 1, `broke` empty where a number is unknown."""

    case: str
    repeat: int
    reason: str
    broke: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """One number in [-1, 1] for each case that counts, in order, and what was left out. `open` cases are started."""

    cases: tuple[str, ...]
    values: tuple[float, ...]
    left: tuple[Left, ...] = ()
    waiting: tuple[str, ...] = ()

    @property
    def mean(self) -> float | None:
        return math.fsum(self.values) / len(self.values) if self.values else None

    @property
    def ternary(self) -> bool:
        """Whether every case says better, equal or worse and nothing between, as with one repeat of a success."""
        return set(self.values) <= {-1.0, 0.0, 1.0}

    def voids(self) -> dict[str, int]:
        """Void pairs by the arm that broke."""
        return dict(Counter(pair.broke for pair in self.left if pair.broke))

    def to_json(self) -> dict[str, Any]:
        return {
            "cases": list(self.cases),
            "values": list(self.values),
            "left_out": [asdict(pair) for pair in self.left],
            "started_and_waiting": list(self.waiting),
        }


def shuffled(cases: Iterable[str], seed: int) -> list[str]:
    """The order in which an experiment starts its cases: by the seed alone, whatever order they came in."""
    names = list(cases)
    if doubles := sorted(name for name, count in Counter(names).items() if count > 1):
        raise Invalid(f"Case {doubles[0]!r} is named twice. A case is one unit: name it once and set its repeats.")
    return sorted(names, key=lambda name: hashlib.sha256(f"{seed}:{name}".encode()).digest())


def prefix(started: Sequence[CaseRecord]) -> list[CaseRecord]:
    """The started cases, in the order of their start, up to the first one that is still open."""
    _sound(started)
    closed: list[CaseRecord] = []
    for record in started:
        if not record.closed:
            break
        closed.append(record)
    return closed


def successes(started: Sequence[CaseRecord]) -> Series:
    """Differences of success, B minus A: each lane's value is 0 or 1."""
    return _series(started, _success)


def successes_with_voids_as_failures(started: Sequence[CaseRecord]) -> Series:
    """The same where the arm that broke a pair has failed in it: the second word beside the first."""
    blamed = [replace(record, pairs=tuple(map(_blamed, record.pairs))) for record in started]
    return _series(blamed, _success)


def log_ratios(started: Sequence[CaseRecord], *, most: float = MOST_RATIO) -> Series:
    """ln(B / A) of numbers such as tokens, clipped where one is more than `most` times the other, over ln(most).

    Only pairs in which both lanes have the number count. Two zeros are equal; one zero is beyond any ratio.
    """
    return _series(started, lambda pair: _log_ratio(pair, most))


def ratio(value: float, *, most: float = MOST_RATIO) -> float:
    """A mean of clipped log ratios as the typical B / A."""
    return math.exp(value * math.log(most))


def _series(started: Sequence[CaseRecord], of: Callable[[Pair], float | None]) -> Series:
    closed = prefix(started)
    cases, values, left = [], [], []
    for record in closed:
        numbers = []
        for repeat, pair in enumerate(record.pairs, 1):
            number = None if pair.void else _named(of, pair, record.case, repeat)
            if number is not None:
                numbers.append(number)
            elif pair.void:
                left.append(Left(record.case, repeat, pair.void.reason, pair.void.broke))
            else:
                left.append(Left(record.case, repeat, f"no number for {_unknown(pair)}"))
        if numbers:
            cases.append(record.case)
            values.append(math.fsum(numbers) / len(numbers))
    waiting = tuple(record.case for record in started[len(closed) :])
    return Series(tuple(cases), tuple(values), tuple(left), waiting)


def _named(of: Callable[[Pair], float | None], pair: Pair, case: str, repeat: int) -> float | None:
    try:
        return of(pair)
    except ValueError as error:
        raise Invalid(f"Repeat {repeat} of case {case!r}: {error}") from error


def _success(pair: Pair) -> float | None:
    for value in (pair.a, pair.b):
        if value is not None and value not in (0, 1):
            raise ValueError(f"a success of {value} is neither 0 nor 1. Book a lane as failed, passed or void.")
    return None if pair.a is None or pair.b is None else float(pair.b - pair.a)


def _log_ratio(pair: Pair, most: float) -> float | None:
    for value in (pair.a, pair.b):
        if value is not None and not (math.isfinite(value) and value >= 0):
            raise ValueError(f"{value} is no amount. Amounts are finite and not below 0; leave out what is unknown.")
    if pair.a is None or pair.b is None:
        return None
    if pair.a == pair.b:
        return 0.0
    if not pair.a or not pair.b:
        return 1.0 if pair.b else -1.0
    return min(1.0, max(-1.0, math.log(pair.b / pair.a) / math.log(most)))


def _unknown(pair: Pair) -> str:
    return " and ".join(name for name, value in (("A", pair.a), ("B", pair.b)) if value is None)


def _blamed(pair: Pair) -> Pair:
    if pair.void is None:
        return Pair(pair.a or 0, pair.b or 0) if pair.a is None or pair.b is None else pair
    broke = pair.void.broke
    return Pair(0 if broke in ("a", "both") else pair.a or 0, 0 if broke in ("b", "both") else pair.b or 0)


def _sound(started: Sequence[CaseRecord]) -> None:
    seen: set[str] = set()
    for record in started:
        if record.case in seen:
            raise Invalid(f"Case {record.case!r} was started twice. Its repeats belong to one record.")
        seen.add(record.case)
        if record.planned < 1 or len(record.pairs) > record.planned:
            raise Invalid(
                f"Case {record.case!r} has {len(record.pairs)} pairs where {record.planned} were planned. "
                "A repeat that is tried again replaces the void one."
            )
