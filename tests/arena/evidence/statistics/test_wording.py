from __future__ import annotations

from arena.evidence.statistics.forecast import Forecast
from arena.evidence.statistics.verdicts import verdict
from arena.evidence.statistics.wording import about, figure, sentence
from tests.arena.evidence.statistics.conftest import series


def test_better_says_when_and_how_much() -> None:
    said = sentence(verdict(series([1] * 8 + [0] * 12)), arm="selected")
    assert said.startswith("selected is better in success after 8 pairs: +40 points (+")


def test_worse_and_cheaper_have_their_own_words() -> None:
    assert "selected is worse in success" in sentence(verdict(series([-1] * 9)), arm="selected")
    cheaper = verdict(series([-0.5] * 30), direction="lower", scale="ratio")
    assert sentence(cheaper, arm="selected", metric="cost").startswith("selected is better in cost after")
    assert figure(cheaper).startswith("0.50× (")


def test_no_difference_names_the_margin() -> None:
    assert "does not differ in success by more than 10 points" in sentence(verdict(series([0] * 100)), arm="selected")


def test_inconclusive_says_how_many_more_as_a_range() -> None:
    ahead = Forecast(20, 81, 1_300, 1.0, 2_000, 300, 1)
    said = sentence(verdict(series([1, 0, -1, 0, 0])), arm="selected", forecast=ahead)
    assert said.startswith("Inconclusive after 5 pairs: 0 points (")
    assert said.endswith("About 81 more pairs (10 to 90 %: 20 to 1,300).")


def test_beyond_the_limit_and_before_the_first_pair() -> None:
    assert about(Forecast(None, None, None, 0.2, 2_000, 300, 1)) == "Unlikely to be decided within 2,000 more pairs."
    assert about(Forecast(9, 40, None, 0.7, 2_000, 300, 1)).endswith("(10 to 90 %: 9 to more than 2,000).")
    assert sentence(verdict(series([])), arm="selected") == "Inconclusive: no pairs count yet."
