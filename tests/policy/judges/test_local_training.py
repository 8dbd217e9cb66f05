"""The training data is our own, and the constants are what the command makes of it."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from policy.judges.local import profile, verbs
from policy.judges.local import text as texts
from policy.judges.local.constants import Backend, Constants, Linear, fitted
from policy.judges.local.text import stem, stems, words
from policy.judges.local.vectors import Centres, Vectors, unavailable_reason

pytest.importorskip("numpy")
from policy.judges.local import fitting
from policy.judges.local.fitting import folds, labelled, readouts, training
from policy.judges.local.fitting.measured import measure
from policy.judges.local.fitting.solve import Example, solve, yes_no

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "fixtures" / "judges"
ARENA = ROOT / "fixtures" / "cases"
FOREIGN = ROOT.parent / "shared" / "conformance"
MEASURING = ("selection-cases.jsonl", "assessment-cases.jsonl")
KNOWN = training.read(FOLDER)
ROWS = [json.loads(line) for line in (FOLDER / "local-selection.jsonl").read_text(encoding="utf-8").splitlines()]


def test_there_is_enough_of_every_kind_in_both_languages() -> None:
    kinds = Counter(row["kind"] for row in ROWS)
    languages = Counter(row["lang"] for row in ROWS)
    assert all(kinds[kind] >= least for kind, least in {"one": 150, "multi": 30, "none": 25, "absent": 15}.items())
    assert all(languages[language] >= least for language, least in {"en": 150, "de": 60}.items())
    assert len(KNOWN.pairs) >= 80


def test_no_id_and_no_task_occurs_twice() -> None:
    tasks = [case.task for case in KNOWN.cases] + [text for pair in KNOWN.pairs for text in (pair.clear, pair.vague)]
    ids = [case.id for case in KNOWN.cases] + [pair.id for pair in KNOWN.pairs]
    assert len(set(tasks)) == len(tasks)
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("cut", [stems, lambda text: [stem(word) for word in words(text)]])
def test_no_case_of_ours_resembles_a_case_that_measures_us(cut: Callable[[str], list[str]]) -> None:
    if not FOREIGN.exists():
        pytest.skip("the measuring cases are not here")
    theirs = [
        set(cut(text)) for path in FOREIGN.glob("*-cases.jsonl") if path.name in MEASURING for text in _texts(path)
    ]
    ours = [text for path in FOLDER.glob("*.jsonl") for text in _texts(path)]
    assert _close(ours, theirs, cut) == []


@pytest.mark.parametrize("cut", [stems, lambda text: [stem(word) for word in words(text)]])
def test_no_training_task_resembles_a_case_of_the_arena(cut: Callable[[str], list[str]]) -> None:
    theirs = [set(cut(tomllib.loads(path.read_text(encoding="utf-8"))["task"])) for path in ARENA.glob("*.toml")]
    ours = [text for path in FOLDER.glob("local-*.jsonl") for text in _texts(path)]
    assert len(theirs) >= 100
    assert _close(ours, theirs, cut) == []


def test_no_task_that_was_kept_aside_is_trained_on() -> None:
    kept = {text for path in FOLDER.glob("check-*.jsonl") for text in _texts(path)}
    trained = {text for path in FOLDER.glob("local-*.jsonl") for text in _texts(path)}
    assert len(kept) >= 100
    assert kept & trained == set()


def test_there_are_enough_calls_in_both_languages_and_of_both_labels() -> None:
    rows = [json.loads(line) for line in (FOLDER / "local-calls.jsonl").read_text(encoding="utf-8").splitlines()]
    labels = Counter((row["kind"], row["label"]) for row in rows)
    assert len(rows) >= 120
    assert all(labels[kind.name, 0] == labels[kind.name, 1] >= 15 for kind in labelled.KINDS)
    assert Counter(row["lang"] for row in rows)["de"] >= 20


def test_the_constants_name_the_data_that_they_were_fitted_on() -> None:
    assert fitted().data["sha256"] == KNOWN.sha256
    assert fitted().data["seed"] == fitting.SEED


@pytest.fixture
def remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """All cases are held against the same tools: what their lines are made of is worked out once."""
    for room, name in ((texts, "words"), (texts, "stems"), (verbs, "of_offer"), (verbs, "of_clause")):
        monkeypatch.setattr(room, name, cache(getattr(room, name)))


@pytest.mark.usefixtures("remembered")
def test_the_constants_for_words_and_for_asking_first_come_out_again() -> None:
    cases = measure(KNOWN, comparer=None, centre=fitted().centre)
    again = readouts.fit_selecting(cases, readouts.WORDS_ONLY)
    for name in ("choice", "none", "relevance", "bare_relevance"):
        _same(getattr(again, name), getattr(fitted().lexical, name))
    for kind in labelled.KINDS:
        found = labelled.examples(KNOWN.calls, kind, comparer=None, centre=fitted().centre)
        again_of_call = labelled.fit_kind(kind, found, vectors=False, seed=fitting.SEED)
        _same(again_of_call, getattr(fitted().lexical, kind.readout))
    _same(readouts.fit_vagueness(fitting.vagueness_examples(KNOWN)), fitted().ask_first)


@pytest.mark.simulate
def test_all_constants_come_out_again_from_the_training_files() -> None:
    if reason := unavailable_reason():
        pytest.skip(reason)
    found = fitting.fit(FOLDER, vectors=Vectors(threads=2), version=fitted().version)
    again = found.constants
    for field in fields(Backend):
        _same(getattr(again.vectors, field.name), getattr(fitted().vectors, field.name))
    for field in fields(Centres):
        assert getattr(again.centre, field.name) == pytest.approx(getattr(fitted().centre, field.name), abs=1e-3)
    assert again.data == fitted().data
    assert found.profile == json.loads(profile.PATH.read_text(encoding="utf-8"))


def test_held_out_vague_tasks_rank_above_clear_ones() -> None:
    figures = folds.vagueness_figures(fitting.vagueness_examples(KNOWN), seed=fitting.SEED)
    assert figures["auc"] == fitted().data["held_out"]["ask_first"]["auc"] >= 0.9


def test_constants_survive_the_way_to_json_and_back() -> None:
    assert Constants.from_json(json.loads(json.dumps(fitted().to_json()))) == fitted()


def test_the_solver_finds_the_odds_of_a_plain_count() -> None:
    examples = [yes_no([], yes=number < 3) for number in range(4)]
    assert solve(examples, penalty=[0.0]) == pytest.approx([1.0986], abs=1e-3)


def test_the_solver_respects_offsets_and_weights() -> None:
    free = [Example([[0.0], [1.0]], [number < 2, number >= 2], offsets=[1.0, 0.0]) for number in range(4)]
    assert solve(free, penalty=[0.0]) == pytest.approx([1.0], abs=1e-3)
    weighed = [replace(example, weight=3.0 if example.wanted[1] else 1.0) for example in free]
    assert solve(weighed, penalty=[0.0]) == pytest.approx([1.0 + 1.0986], abs=1e-3)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("local-tools.toml", "[files", "is not TOML"),
        ("local-selection.jsonl", "{", "line 1 is not JSON"),
        ("local-vague.jsonl", None, "cannot be read"),
        ("local-selection.jsonl", '{"id": "x", "task": "t", "acceptable": [], "menu": ["nope"]}', "x: nope is missing"),
    ],
)
def test_a_broken_training_file_is_named(tmp_path: Path, name: str, content: str | None, said: str) -> None:
    for path in FOLDER.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / name).unlink() if content is None else (tmp_path / name).write_text(content)
    with pytest.raises(fitting.BrokenTraining, match=said):
        training.read(tmp_path)


def test_the_command_says_which_file_is_missing(tmp_path: Path) -> None:
    if reason := unavailable_reason():
        pytest.skip(reason)
    with pytest.raises(CommandError, match=r"local-tools\.toml cannot be read"):
        call_command("fit-local", folder=tmp_path, output=tmp_path / "out.json")


def test_the_command_without_vectors_says_why_it_cannot_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    command = import_module("policy.management.commands.fit-local")
    monkeypatch.setattr(command, "unavailable_reason", lambda: "the processor has no AVX2")
    with pytest.raises(CommandError, match="no AVX2; run it on another machine"):
        call_command("fit-local")


def _texts(path: Path) -> list[str]:
    """The tasks of a file; of a call the rules, the call and all of it together, too."""
    found = []
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        found += [row[name] for name in ("task", "clear", "vague") if name in row]
        if "tool" in row:
            rules = " ".join(row.get("restrictions", []))
            found += [
                text for text in (rules, f"{rules} {row['task']} {row['tool']} {row['arguments']}") if text.strip()
            ]
    return found


def _close(ours: Iterable[str], theirs: list[set[str]], cut: Callable[[str], list[str]]) -> list[str]:
    """Those of our texts that share at least half of their words with one of theirs."""
    cuts = ((text, set(cut(text))) for text in ours)
    return [text for text, own in cuts if any(_jaccard(own, held) >= 0.5 for held in theirs)]


def _jaccard(one: set[Any], other: set[Any]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0


def _same(again: Linear, shipped: Linear) -> None:
    assert dict(again.weights) == pytest.approx(dict(shipped.weights), rel=0.02, abs=0.01)
    assert again.bias == pytest.approx(shipped.bias, rel=0.02, abs=0.01)
