"""Documents go through JSON and are computed again by a program that shares no line with the product."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest

from arena.evidence.statistics import comparison, gates
from arena.evidence.statistics.pairs import CaseRecord, Pair, Void, log_ratios, shuffled, successes
from tests.arena.evidence.statistics import plain

SEED = 11


def experiment(cases: int, repeats: int, wins: float, *, spread: float = 0.4, seed: int = 5) -> list[CaseRecord]:
    """Successes of lanes; every 17th pair is void, and the last case still open."""
    chance = random.Random(seed)
    records = []
    for number, case in enumerate(shuffled((f"case-{number}" for number in range(cases)), SEED)):
        pairs = []
        for repeat in range(repeats):
            a, b = float(chance.random() < 0.5), float(chance.random() < wins)
            broken = (number * repeats + repeat) % 17 == 16
            pairs.append(Pair(a, None, Void("b", "the provider answered 500")) if broken else Pair(a, b))
        records.append(CaseRecord(case, tuple(pairs), repeats))
    return [*records, CaseRecord("still-open", (), repeats)]


def amounts(cases: int, ratio: float, *, seed: int = 6) -> list[CaseRecord]:
    chance = random.Random(seed)
    sizes = [chance.lognormvariate(7, 0.5) for _ in range(cases)]
    return [
        CaseRecord(f"case-{place}", (Pair(size, size * ratio * chance.lognormvariate(0, 0.5)),))
        for place, size in enumerate(sizes)
    ]


def document(said: comparison.Comparison) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(said.to_json()))
    return found


@pytest.mark.parametrize(
    ("cases", "repeats", "wins"), [(40, 1, 0.5), (40, 1, 0.95), (30, 3, 0.55), (25, 3, 0.9), (6, 1, 0.5), (0, 1, 0.5)]
)
def test_a_comparison_of_success(cases: int, repeats: int, wins: float) -> None:
    plain.check(document(comparison.of_success(experiment(cases, repeats, wins), arm="selected", seed=SEED)))


@pytest.mark.parametrize(("cases", "ratio"), [(30, 0.6), (30, 1.0), (12, 3.0)])
def test_a_comparison_of_amounts(cases: int, ratio: float) -> None:
    plain.check(document(comparison.of_amounts(amounts(cases, ratio), arm="selected", metric="cost", seed=SEED)))


def test_a_figure_that_was_altered_is_found() -> None:
    said = document(comparison.of_success(experiment(40, 1, 0.8), arm="selected", seed=SEED))
    for name in ("mean", "low", "p", "p_same"):
        altered = copy.deepcopy(said)
        altered["verdict"][name] += 1e-6
        with pytest.raises(AssertionError):
            plain.check(altered)


def test_a_gate() -> None:
    gate = gates.parse(gates.EXAMPLE, metrics=("cost", "success"))
    series = {"cost": log_ratios(amounts(40, 0.5)), "success": successes(experiment(40, 1, 0.6))}
    found = json.loads(json.dumps(gates.decide(gate, series).to_json()))
    for clause in found["clauses"]:
        sides = ("a", "b") if ">=" in clause["clause"] else ("b", "a")
        paths = [
            plain.wealth(clause["inputs"]["values"], clause["bound_on_scale"], found["nodes"], side) for side in sides
        ]
        plain.near(clause["p_for"], 1 / max(1.0, *paths[0]))
        plain.near(clause["p_against"], 1 / max(1.0, *paths[1]))
        shown = next((look for look, money in enumerate(paths[0], 1) if money >= 1 / found["level_to_show"]), None)
        refuted = next((look for look, money in enumerate(paths[1], 1) if money >= 1 / found["level_to_refute"]), None)
        assert clause["state"] == ("shown" if shown else "refuted" if refuted else "undecided")
        assert clause["at"] == (shown or refuted)


def test_void_pairs_that_would_change_the_word_are_said() -> None:
    records = [CaseRecord(f"case-{number}", (Pair(0, 1),)) for number in range(9)]
    broken = [CaseRecord(f"broken-{number}", (Pair(1, None, Void("b", "500")),)) for number in range(9)]
    said = comparison.of_success([*broken, *records], arm="selected", seed=SEED)
    assert said.words_differ
    assert "With void pairs counted as failures of the arm that broke them it would be: worse." in said.says()
