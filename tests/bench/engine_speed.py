"""`python -m tests.bench.engine_speed`: what the engine costs, as ratios to work that any program would do anyway.

Each ratio is measured in one run: both sides in turn, many short rounds, the fastest round of each divided, because
whatever else the machine does only adds. The absolute figures say how fast this machine is and no more; no test asserts
a time.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from policy.engine.contract import validate
from policy.engine.questions import Choice, Noul, Question, Score
from tests.bench.engine_calls import assessment, selection

ROUNDS = 60
ROUND_S = 0.004


@dataclass(frozen=True)
class Ratio:
    """`ours` against `base`, and the ratio that we promise, if any; `per` divides the figures of both sides."""

    name: str
    limit: float | None
    ours: Callable[[], object]
    base: Callable[[], object]
    per: tuple[int, int] = (1, 1)


@dataclass(frozen=True)
class Measured:
    """The fastest round of both sides, in microseconds for each time."""

    name: str
    limit: float | None
    ours_us: float
    base_us: float

    @property
    def ratio(self) -> float:
        return self.ours_us / self.base_us

    @property
    def line(self) -> str:
        held = f"<= {self.limit:<4}" if self.limit is not None else " " * 7
        verdict = "" if self.limit is None else "ok" if self.ratio <= self.limit else "MISSED"
        return f"{self.name:44} {self.ratio:6.2f} {held} {self.ours_us:10.1f} {self.base_us:10.1f}  {verdict}".rstrip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    print(f"{'':44} {'ratio':>6}    {'limit':<4} {'ours µs':>9} {'base µs':>10}")
    for ratio in ratios():
        print(measure(ratio, rounds=options.rounds).line, flush=True)


def ratios() -> Iterator[Ratio]:
    """Every promise, built one after the other."""
    yield validation()
    one = assessment()
    yield Ratio("assessment, 500 bytes and 3 restrictions", 3, one.whole, one.bare())
    yield Ratio("  the engine alone, replies at hand", None, one.alone(), one.bare())
    one = selection(100, 10)
    yield Ratio("selection, 10 categories and 100 tools", 3, one.alone(), one.bare())
    yield Ratio("  with what the scripted judge costs", None, one.whole, one.bare())
    yield Ratio("  the first one from its menu", None, selection(100, 10, first=True).alone(), one.bare())
    for first, name in ((True, "a tool of 10,000 against one of 100"), (False, "  not for the first time")):
        small, large = selection(100, 10, first=first), selection(10_000, 10, first=first)
        yield Ratio(name, 1.3, large.whole, small.whole, per=(10_000, 100))


def measure(ratio: Ratio, *, rounds: int = ROUNDS) -> Measured:
    """Both sides in turn, so that a busy moment of the machine hits both."""
    times = _repeats(ratio.ours), _repeats(ratio.base)
    ours, base = [], []
    gc.collect()
    gc.freeze()  # what the bench itself keeps is not looked through again and again
    for _ in range(rounds):
        ours.append(_us(ratio.ours, times[0]) / ratio.per[0])
        base.append(_us(ratio.base, times[1]) / ratio.per[1])
    return Measured(ratio.name, ratio.limit, min(ours), min(base))


def _repeats(work: Callable[[], object]) -> int:
    work()
    return max(1, round(ROUND_S * 1_000_000 / max(_us(work, 1), 0.1)))


def _us(work: Callable[[], object], times: int) -> float:
    """Processor time, so that what others compute beside us counts least."""
    began = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - began) / times * 1_000_000


def validation() -> Ratio:
    """A reply with 32 answers from its text: 12 nouls, 12 choices of 6, 8 scores of 5."""
    questions = _questions()
    text = json.dumps({"model": "jev-1.13.0", "answers": _answers(questions), "usage": {"input_tokens": 900}})
    checked = validate(json.loads(text), questions)
    assert len(checked.answers) == len(questions) == 32
    assert not checked.violations
    return Ratio(
        "reply of 32 answers, validated from text",
        2.5,
        lambda: validate(json.loads(text), questions),
        lambda: ReplyModel.model_validate(json.loads(text)),
    )


def _questions() -> dict[str, Question]:
    labels, levels = [f"option_{letter}" for letter in "abcdef"], tuple(f"level {number}" for number in range(5))
    kinds: Sequence[Question] = (
        *[Noul("Is it so?")] * 12,
        *[Choice("Which one?", dict.fromkeys(labels))] * 12,
        *[Score("How much?", levels)] * 8,
    )
    return {f"question_{number}": question for number, question in enumerate(kinds)}


def _answers(questions: dict[str, Question]) -> dict[str, Any]:
    """Two decimals each, as judges send them; two totals of 0.99 among them, as recorded."""
    return {name: _answer(question, number) for number, (name, question) in enumerate(questions.items())}


def _answer(question: Question, number: int) -> dict[str, Any]:
    match question:
        case Noul():
            return {"type": "noul", "noul": round(number / 32, 2)}
        case Choice():
            shares = [0.62, 0.2, 0.1, 0.05, 0.02, 0.0 if number in (12, 13) else 0.01]
            spread = dict(zip(question.criteria, shares, strict=True))
            return {"type": "choice", "choice": "option_a", "confidence": 0.54, "probabilities": spread}
        case Score():
            spread = dict(zip("01234", [0.01, 0.23, 0.66, 0.1, 0.0], strict=True))
            legend = {str(level): text for level, text in enumerate(question.levels)}
            return {"type": "score", "score": 1.85, "confidence": 0.71, "legend": legend, "probabilities": spread}


class NoulModel(BaseModel):
    type: Literal["noul"]
    noul: float


class ChoiceModel(BaseModel):
    type: Literal["choice"]
    choice: str
    confidence: float
    probabilities: dict[str, float]


class ScoreModel(BaseModel):
    type: Literal["score"]
    score: float
    confidence: float
    legend: dict[str, str]
    probabilities: dict[str, float]


class UsageModel(BaseModel):
    input_tokens: int | None = None
    output_tokens: int | None = None


class ReplyModel(BaseModel):
    """What a program without the engine would write down: shapes and types, none of the rules."""

    model: str
    answers: dict[str, Annotated[NoulModel | ChoiceModel | ScoreModel, Field(discriminator="type")]]
    usage: UsageModel = UsageModel()


if __name__ == "__main__":
    main()
