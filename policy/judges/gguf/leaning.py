"""What the model leans to: the log-odds of yes against no in the probabilities of its next token."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from policy.judges.gguf.known import Platt
from policy.judges.local.choice import says_none
from policy.judges.local.numbers import softmax

TOP_TOKENS = 300
SHORTLIST = 8
# What the options that were not asked about share between them, by their closeness.
UNASKED_SHARE = 0.01
NEVER = -60.0


class NoLeaning(ValueError):
    """The reply holds no probabilities to read."""


def leaning(reply: Mapping[str, Any]) -> float:
    """log P(yes) - log P(no), over every spelling of the two among the likeliest next tokens.

    A word that is not among them is at most as likely as the last that is. 0 where neither is there.
    """
    try:
        listed = reply["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
        found = [(str(each["token"]).strip(" \t\n.,!▁Ġ\"'*").lower(), float(each["logprob"])) for each in listed]
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise NoLeaning("the reply holds no probabilities of tokens") from error
    known = [(word, number) for word, number in found if not math.isnan(number)]
    if not known:
        raise NoLeaning("the reply holds no probabilities of tokens")
    least = max(min(number for _, number in known), NEVER)
    yes, no = (_together(number for word, number in known if word == wanted) for wanted in ("yes", "no"))
    return (least if yes is None else yes) - (least if no is None else no)


def shortlist(closeness: Mapping[str, float]) -> list[str]:
    """The options to ask about, nearest first: all but `none`, at most `SHORTLIST`."""
    real = [label for label in closeness if not says_none(label)]
    return sorted(real, key=lambda label: -closeness[label])[:SHORTLIST]


def distribution(labels: Sequence[str], asked: Mapping[str, float], closeness: Mapping[str, float]) -> list[float]:
    """One probability per label, from the probability of yes of each that was asked.

    Exactly one of them is right, or none: an option counts by its odds, and `none`, where it is offered, by 1.
    """
    odds = {label: _log_odds(probability) for label, probability in asked.items()}
    odds |= {label: 0.0 for label in labels if says_none(label)}
    shares = dict(zip(odds, softmax(list(odds.values())), strict=True)) if odds else {}
    left = [label for label in labels if label not in odds]
    total = sum(closeness[label] for label in left)
    rest = UNASKED_SHARE if left and odds else float(bool(left))
    for label in left:
        shares[label] = rest * (closeness[label] / total if total > 0 else 1 / len(left))
    for label in odds:
        shares[label] *= 1 - rest
    return [shares[label] for label in labels]


def read(reply: Mapping[str, Any], constants: Platt) -> float:
    """The probability of yes; raises `NoLeaning`."""
    return constants.probability(leaning(reply))


def _together(logs: Iterable[float]) -> float | None:
    numbers = [number for number in logs if number > NEVER]
    if not numbers:
        return None
    highest = max(numbers)
    return highest + math.log(sum(math.exp(number - highest) for number in numbers))


def _log_odds(probability: float) -> float:
    held = min(max(probability, 1e-9), 1 - 1e-9)
    return math.log(held / (1 - held))
