"""The quality report of a judge: figures over all cases, per menu size, per language, and for each variant."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from policy.engine.judge import Judge
from policy.judges.quality import calibration
from policy.judges.quality.asking import Answered, Ranked, answered
from policy.judges.quality.cases import Cases
from policy.judges.quality.figures import figures, host_check, stated
from policy.judges.quality.intervals import DRAWS, SEED


def report(
    judge: Judge,
    files: Sequence[Cases],
    *,
    variants: Mapping[str, Judge],
    vague: Cases | None = None,
    model: str | None = None,
    progress: Callable[[], object] = lambda: None,
) -> dict[str, Any]:
    """One JSON object; raises `JudgeFailed` where a judge does.

    `vague` are pairs of a clear and a vague task that every report asks besides, for the figure of `ask_first`.
    """
    own = answered(judge, _cases(files), progress=progress)
    pairs = answered(judge, vague.all) if vague else []
    return {
        "judge": judge.name,
        "model": model,
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "files": [
            {"name": each.name, "sha256": each.sha256, "cases": len(each.all)} for each in (*files, vague) if each
        ],
        "interval": {"level": 0.95, "draws": DRAWS, "seed": SEED, "generator": "random.Random"},
        **_whole(own, pairs),
        "host_check": host_check(own),
        "reliability": {"all": _bins(own), **{name: _bins(found) for name, found in _readouts(own).items()}},
        "variants": {
            name: _whole(answered(each, _cases(files), progress=progress), answered(each, vague.all) if vague else [])
            for name, each in variants.items()
        },
    }


def _whole(own: Sequence[Answered], pairs: Sequence[Answered]) -> dict[str, Any]:
    """The pairs give the figure of `ask_first` and nothing else: the file that was asked about has none of them."""
    found = figures(own)
    found["auc"] = {**found["auc"], **figures(pairs)["auc"]} if pairs else found["auc"]
    return {
        **found,
        "by_menu_size": _split(own, lambda answer: answer.size if isinstance(answer, Ranked) else None),
        "by_language": _split(own, lambda answer: answer.lang),
    }


def _split(answers: Sequence[Answered], key: Callable[[Answered], Any]) -> dict[str, Any]:
    keys = sorted({key(answer) for answer in answers} - {None})
    return {str(each): figures([answer for answer in answers if key(answer) == each]) for each in keys}


def _readouts(answers: Sequence[Answered]) -> dict[str, list[Answered]]:
    """The answers by the kind of question, for a diagram each."""
    found: dict[str, list[Answered]] = {}
    for answer in answers:
        found.setdefault("choice" if isinstance(answer, Ranked) else answer.kind, []).append(answer)
    return found


def _bins(answers: Sequence[Answered]) -> list[dict[str, Any]]:
    return [each.to_json() for each in calibration.bins(stated(answers))]


def _cases(files: Sequence[Cases]) -> list[Any]:
    return [case for each in files for case in each.all]
