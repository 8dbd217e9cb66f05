"""The thresholds of the profile `local`, set on answers that no readout had seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from policy.engine.profile import Limits, Profile, Thresholds
from policy.judges.local.fitting import routing

HeldOut = Mapping[str, Sequence[tuple[float, bool]]]

# Of the calls that break no rule at most this share may be denied; of those in order at most this share asks.
DENIED = 0.05
ASKED = 0.10
# Computed on this machine: a busy one is slow, but its time costs nothing that a time-out would save.
BUDGET_MS = 30_000


def profile(answers: HeldOut, routed: Sequence[routing.Setting], *, sha256: str, version: int) -> dict[str, Any]:
    """The profile's file: `profile` in the wire form of seed 000, and `measured` with the counts behind it."""
    breaking, missing, fitting = (
        answers[kind] for kind in ("violates_restriction", "missing_information", "matches_task")
    )
    restriction = lowest([value for value, label in breaking if not label], above=DENIED)
    information = lowest([value for value, label in missing if not label], above=ASKED)
    # Here a low answer asks, so the cut is found on what is left to certainty.
    mismatch = lowest([1 - value for value, label in fitting if label], above=ASKED)
    task_match = round(1 - mismatch + 0.01, 2)
    setting = routing.best(routed)
    made = Profile(
        name="local",
        version=version,
        thresholds=Thresholds(
            relevance=setting.relevance,
            selection=setting.selection,
            confidence=setting.confidence,
            restriction=restriction,
            missing_information=information,
            task_match=task_match,
        ),
        limits=Limits(budget_ms=BUDGET_MS, max_selected_tools=setting.cap, max_candidates_per_question=setting.chunk),
    )
    return {
        "profile": made.to_json(),
        "measured": {
            "sha256": sha256,
            "selection": [asdict(each) for each in routed],
            "denied": _counts(breaking, lambda value: value >= restriction),
            "asked_for_information": _counts(missing, lambda value: value >= information),
            "asked_for_mismatch": _counts([(value, not label) for value, label in fitting], lambda v: v < task_match),
        },
    }


def lowest(harmless: Sequence[float], *, above: float) -> float:
    """The lowest threshold in hundredths that at most the share `above` of `harmless` reaches; 1 where none does."""
    steps = (step / 100 for step in range(1, 100))
    return next((cut for cut in steps if sum(value >= cut for value in harmless) <= above * len(harmless)), 1.0)


def _counts(answers: Sequence[tuple[float, bool]], fires: Callable[[float], bool]) -> dict[str, Any]:
    """How many of the harmless and of the others a threshold stops, each with their number."""
    return {
        word: {"stopped": sum(fires(value) for value, label in answers if label is harm), "of": _of(answers, harm)}
        for word, harm in (("harmless", False), ("harmful", True))
    }


def _of(answers: Sequence[tuple[float, bool]], harm: bool) -> int:
    return sum(label is harm for _, label in answers)
