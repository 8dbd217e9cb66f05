"""False words stay rare however often one looks; the naive ways break on the same data; and the word does come."""

from __future__ import annotations

import numpy as np
import pytest

from arena.evidence.statistics.families import holm
from arena.evidence.statistics.forecast import forecast
from arena.evidence.statistics.pairs import Series
from arena.evidence.statistics.planning import plan
from arena.evidence.statistics.verdicts import MARGIN, Word, verdict
from tests.prove import paired
from tests.prove.figures import at_least, at_most, draws, told

FULL = 10_000
PAIRS = 400


@pytest.mark.parametrize("discordant", [0.10, 0.20, 0.40])
def test_null_experiments_looked_at_after_every_pair(discordant: float) -> None:
    number = draws(FULL)
    values = paired.signs(number, PAIRS, 0.0, discordant, np.random.default_rng(1))
    logs = paired.of_signs(values)
    at_most(f"false better or worse, 400 looks, {discordant:.0%} discordant", paired.ever(logs), number, 0.05)
    at_least(f"naive McNemar after each pair, {discordant:.0%} discordant", paired.mcnemar_peeked(values), number, 0.12)


def test_the_product_says_the_words_that_were_simulated() -> None:
    values = paired.signs(40, 120, 0.15, 0.25, np.random.default_rng(2))
    differs, above, below = paired.of_signs(values), paired.against(values, MARGIN), paired.against(values, -MARGIN)
    apart = paired.first(differs)
    same = paired.first(np.minimum(above, below))
    for line, numbers in enumerate(values):
        said = verdict(Series(tuple(map(str, range(120))), tuple(map(float, numbers))))
        end = min(apart[line], same[line])
        assert (said.at or np.inf) == end
        assert (said.word == Word.SAME) == bool(same[line] < apart[line])


# Where every discordant pair is a win (10 % here) the word is least rare, and still far below what is promised.
@pytest.mark.parametrize(("discordant", "bar"), [(0.10, 0.02), (0.15, 0.01), (0.20, 0.01), (0.40, 0.01)])
def test_no_difference_is_hardly_ever_said_of_a_difference_of_the_margin(discordant: float, bar: float) -> None:
    number = draws(FULL)
    values = paired.signs(number, PAIRS, MARGIN, discordant, np.random.default_rng(3))
    same = paired.first(np.minimum(paired.against(values, MARGIN), paired.against(values, -MARGIN)))
    false = int((same < paired.first(paired.of_signs(values))).sum())
    at_most(f"false no difference at a difference of 10 points, {discordant:.0%} discordant", false, number, bar)


def test_a_mean_is_ruled_out_as_rarely_where_it_is_not_zero() -> None:
    number = draws(4_000)
    for difference in (0.1, 0.3, -0.05):
        values = paired.signs(number, 300, difference, 0.35, np.random.default_rng(4))
        false = paired.ever(paired.against(values, difference))
        at_most(f"interval ever leaves out the true difference of {difference:+.2f}", false, number, 0.05)


def test_repeats_of_one_case_are_no_pairs() -> None:
    number, cases, repeats = draws(FULL), 40, 5
    rng = np.random.default_rng(5)
    effect = rng.choice([-0.45, 0.0, 0.45], (number, cases, 1))
    a = rng.random((number, cases, repeats)) < 0.5 - effect
    b = rng.random((number, cases, repeats)) < 0.5 + effect
    values = b.astype(np.int64) - a
    ours = paired.ever(paired.of_means(values.mean(axis=2)))
    naive = paired.ever(paired.of_signs(values.reshape(number, -1)))
    at_most("false words, 40 cases x 5 repeats of unequal effect", ours, number, 0.05)
    at_least("naive: the same 200 repeats counted as pairs", naive, number, 0.10)


def test_the_word_comes_about_as_soon_as_a_fixed_sample_would_say_it() -> None:
    values = paired.signs(draws(FULL), 1_000, 0.20, 0.25, np.random.default_rng(6))
    stops, fixed = paired.first(paired.of_signs(values)), plan(0.20, 0.25).fixed
    assert fixed == 47
    for share, most in ((0.5, 1.2), (0.8, 1.7)):
        stop = float(np.quantile(stops, share)) / fixed
        told(f"+20 points, 25 % discordant: {share:.0%} stop over the fixed 47", stop, "<=", most)
        assert stop <= most


SETTINGS = ((0.25, 0.35), (0.20, 0.25), (0.20, 0.30), (0.15, 0.25), (0.10, 0.20), (0.10, 0.30), (0.05, 0.15))


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_plan_is_kept_on_average(setting: tuple[float, float]) -> None:
    # Always so many experiments: quantiles of a tenth of them would be too rough for the bar.
    rng, longest, stops = np.random.default_rng(7), 16 * plan(*setting).fixed, []
    for _ in range(15):
        stops.append(paired.first(paired.of_signs(paired.signs(100, longest, *setting, rng))))
    for share in (0.5, 0.8):
        planned, found = plan(*setting).any_time[share], float(np.quantile(np.concatenate(stops), share))
        assert planned is not None
        name = f"pairs at {setting[0]:+.0%}, {setting[1]:.0%} discordant, {share:.0%} done: realised over planned"
        told(name, found / planned, "within 10 % of", 1.0)
        assert abs(found / planned - 1) <= 0.10


def test_five_arms_without_a_difference() -> None:
    number, arms = draws(FULL), 5
    rng = np.random.default_rng(8)
    baseline = rng.random((number, PAIRS)) < 0.5
    largest = np.stack(
        [
            paired.of_signs((rng.random((number, PAIRS)) < 0.5).astype(np.int64) - baseline).max(axis=1)
            for _ in range(arms)
        ],
        axis=1,
    )
    chances = np.exp(-np.maximum(largest, 0))
    ours = sum(min(holm(dict(enumerate(line))).values()) <= 0.05 for line in chances)
    at_most("any false word among five arms that share a baseline, Holm", ours, number, 0.05)
    at_least("naive: the same without a correction", int((chances <= 0.05).any(axis=1).sum()), number, 0.07)


def test_the_range_of_how_many_more_holds_what_comes() -> None:
    number, closed, limit = draws(300), 40, 1_500
    values = paired.signs(4 * number, closed + limit, 0.20, 0.30, np.random.default_rng(9))
    stops, held, open_ones = paired.first(paired.of_signs(values)), 0, 0
    for line, stop in zip(values, stops, strict=True):
        if open_ones == number:
            break
        said = verdict(Series(tuple(map(str, range(closed))), tuple(map(float, line[:closed]))))
        ahead = forecast(said, limit=limit, futures=100)
        if ahead is not None:
            open_ones += 1
            held += (ahead.low or limit) <= stop - closed <= (ahead.high or np.inf)
    at_least("about N more: 10-90 % range holds the realised number, open at 40 pairs", held, open_ones, 0.65)
