from __future__ import annotations

import pytest

from arena.evidence.statistics import planning

FIXED = {
    (0.25, 0.35): 42, (0.20, 0.25): 47, (0.20, 0.30): 57, (0.15, 0.25): 85, (0.10, 0.20): 155,
    (0.086, 0.15): 157, (0.10, 0.30): 234, (0.05, 0.15): 469, (0.02, 0.10): 1_960,
}  # fmt: skip


@pytest.mark.parametrize(("setting", "pairs"), FIXED.items())
def test_pairs_for_one_look(setting: tuple[float, float], pairs: int) -> None:
    assert planning.fixed_pairs(*setting) == pairs


def test_pairs_for_any_time_at_twenty_points() -> None:
    found = planning.plan(0.20, 0.25)
    assert found.any_time == {0.1: 24, 0.5: 45, 0.8: 70, 0.9: 86}
    assert planning.plan(-0.20, 0.25).any_time == found.any_time


def test_where_every_pair_is_won_eight_do() -> None:
    assert planning.plan(1.0, 1.0).any_time == {0.1: 8, 0.5: 8, 0.8: 8, 0.9: 8}


def test_stopping_by_hand() -> None:
    # Eight of eight for either side; ten decided pairs need nine or more for one side.
    chances = planning.stopping(0.6)
    assert chances[:7].sum() == 0
    assert chances[7] == pytest.approx(0.6**8 + 0.4**8)


def test_without_a_difference_evidence_is_rare() -> None:
    assert planning.stopping(0.5, most=3_000).sum() == pytest.approx(0.0375, abs=5e-4)


def test_a_difference_beyond_the_discordant_pairs_cannot_be() -> None:
    for difference, discordant in ((0.3, 0.2), (0.0, 0.2), (0.2, 1.2)):
        with pytest.raises(ValueError, match="cannot be"):
            planning.plan(difference, discordant)


@pytest.mark.parametrize(
    ("discordant", "margin", "one_look", "any_time"),
    [(0.1, 0.05, 420, 429), (0.2, 0.10, 210, 205), (0.3, 0.03, 3_502, 4_269), (0.1, 0.10, 105, 122)],
)
def test_pairs_for_no_difference(discordant: float, margin: float, one_look: int, any_time: int) -> None:
    usual, ours = planning.pairs_for_no_difference(discordant, margin)
    assert usual == pytest.approx(one_look, abs=2)
    assert ours == pytest.approx(any_time, rel=0.05)
