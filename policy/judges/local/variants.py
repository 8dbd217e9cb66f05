"""The judge with parts of it left out, to see what each adds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

from policy.judges.local.constants import Backend, Constants, Linear, fitted
from policy.judges.local.judge import LocalJudge
from policy.judges.local.vectors import unavailable_reason

OF_VECTORS = frozenset({"near", "whole", "several"})
# Neither words nor vectors: how many options there are.
NEUTRAL = frozenset({"log_options"})


def variants(*, cache_dir: Path | None = None) -> dict[str, LocalJudge]:
    """By name: words only (fitted for themselves), the fitted weights of vectors only, every weight 1 and no bias.

    Where the machine has no vectors, only the variants that need none.
    """
    known = fitted()
    found = {"lexical only": LocalJudge(lexical_only=True)}
    if unavailable_reason() is None:
        found["vectors only"] = LocalJudge(cache_dir=cache_dir, constants=_weighed(known, _vectors_only))
    found["constants at 1"] = LocalJudge(cache_dir=cache_dir, constants=_weighed(known, _at_one))
    return found


def _weighed(known: Constants, weigh: Callable[[Linear], Linear]) -> Constants:
    return replace(
        known,
        vectors=Backend(**{field.name: weigh(getattr(known.vectors, field.name)) for field in fields(Backend)}),
        lexical=Backend(**{field.name: weigh(getattr(known.lexical, field.name)) for field in fields(Backend)}),
        ask_first=known.ask_first if weigh is _vectors_only else weigh(known.ask_first),
    )


def _vectors_only(readout: Linear) -> Linear:
    kept = {name: weight for name, weight in readout.weights.items() if name in OF_VECTORS | NEUTRAL}
    return Linear(kept, readout.bias)


def _at_one(readout: Linear) -> Linear:
    return Linear(dict.fromkeys(readout.weights, 1.0), 0.0)
