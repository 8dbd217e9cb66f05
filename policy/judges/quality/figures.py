"""The figures of one set of answers: ranks, what sorts yes from no, and whether the probabilities are true."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from policy.judges.quality import calibration
from policy.judges.quality.asking import Answered, Ranked, Stated
from policy.judges.quality.intervals import Figure, rate, resampled

FIRST_THREE = 3

Scored = tuple[float, bool]


def figures(answers: Sequence[Answered]) -> dict[str, Any]:
    """One JSON object; every figure is `{value, low, high, n}`, value None where no case speaks about it."""
    ranked = [answer for answer in answers if isinstance(answer, Ranked)]
    ranks = [answer.rank for answer in ranked if answer.rank is not None]
    pairs = stated(answers)
    return {
        "n": len(answers),
        "top1": rate([rank < 1 for rank in ranks]).to_json(),
        "top3": rate([rank < FIRST_THREE for rank in ranks]).to_json(),
        "mrr": resampled(ranks, lambda drawn: sum(1 / (1 + rank) for rank in drawn) / len(drawn)).to_json(),
        "none_auc": separation([(answer.none, answer.rank is None) for answer in ranked]).to_json(),
        "auc": {kind: separation(found).to_json() for kind, found in _by_kind(answers).items()},
        "ece": calibration.error(pairs),
        "brier": resampled(pairs, calibration.brier).to_json(),
    }


def separation(scored: Sequence[Scored]) -> Figure:
    """AUC: how often an answer whose label is yes lies above one whose label is no; unknown where one is missing."""
    return resampled(scored, auc)


def auc(scored: Sequence[Scored]) -> float | None:
    """By rank sums, equal ones counted half; None without both labels."""
    ordered = sorted(scored)
    yes = sum(label for _, label in ordered)
    no = len(ordered) - yes
    if not yes or not no:
        return None
    total, start = 0.0, 0
    while start < len(ordered):
        end = start
        while end < len(ordered) and ordered[end][0] == ordered[start][0]:
            end += 1
        total += (start + end + 1) / 2 * sum(label for _, label in ordered[start:end])
        start = end
    return (total - yes * (yes + 1) / 2) / (yes * no)


def stated(answers: Sequence[Answered]) -> list[Scored]:
    """Every stated probability with whether it came true: of a menu its first label, of a yes-or-no question yes."""
    return [
        (answer.stated, answer.right) if isinstance(answer, Ranked) else (answer.probability, answer.label)
        for answer in answers
    ]


def host_check(answers: Sequence[Answered]) -> dict[str, Any] | None:
    """How often the schema check finds what is missing, and how often it is wrong; None without such cases."""
    checked = [answer for answer in answers if isinstance(answer, Stated) and answer.host is not None]
    if not checked:
        return None
    return {
        "found": rate([bool(each.host) for each in checked if each.label]).to_json(),
        "false_alarms": rate([bool(each.host) for each in checked if not each.label]).to_json(),
    }


def _by_kind(answers: Sequence[Answered]) -> dict[str, list[Scored]]:
    found: dict[str, list[Scored]] = {}
    for answer in answers:
        if isinstance(answer, Stated):
            found.setdefault(answer.kind, []).append((answer.probability, answer.label))
    return found
