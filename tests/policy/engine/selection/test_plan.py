"""From picks to a plan: winners, alternatives, the floor, the cap."""

from __future__ import annotations

import dataclasses

from policy.engine.profile import Thresholds
from policy.engine.selection import Candidate, Chosen, Pick
from policy.engine.selection.menu import arrange
from policy.engine.selection.plan import Offer, Plan, Standing, offers, plan

WINNER, WEAK, OTHER = Standing.WINNER, Standing.WEAK_WINNER, Standing.ALTERNATIVE
MENU = arrange([Candidate(id, ("x",), priority={"d": 1}.get(id)) for id in "abcd"], [])


def pick(choice: str | None, confidence: float = 0.9, **shares: float) -> Pick:
    probability = shares[choice] if choice else 1 - sum(shares.values())
    return Pick(choice or "__none__", choice, probability, confidence, {**shares, "__none__": 0}, shares)


def put_forward(read: Pick) -> list[tuple[str, Standing]]:
    return [(offer.chosen.id, offer.standing) for offer in offers("x", read, Thresholds())]


def planned(*given: tuple[str, float, Standing], cap: int) -> Plan:
    return plan([Offer(Chosen(id, share, "x"), standing) for id, share, standing in given], MENU, cap=cap)


def ids(offered: tuple[Offer, ...]) -> str:
    return "".join(offer.chosen.id for offer in offered)


def test_a_certain_winner_comes_alone() -> None:
    assert put_forward(pick("a", a=0.8, b=0.2)) == [("a", WINNER)]


def test_low_confidence_adds_the_two_best_others_and_keeps_the_winner() -> None:
    assert put_forward(pick("a", 0.29, a=0.4, b=0.2, c=0.3, d=0.1)) == [("a", WINNER), ("c", OTHER), ("b", OTHER)]


def test_a_weak_winner_comes_before_the_two_best_others() -> None:
    assert put_forward(pick("a", a=0.3, b=0.1, c=0.301, d=0.2)) == [("a", WEAK), ("c", OTHER), ("d", OTHER)]


def test_none_puts_the_two_best_tools_forward_ties_by_id() -> None:
    assert put_forward(pick(None, a=0.1, b=0.06, c=0.1)) == [("a", OTHER), ("c", OTHER)]


def test_nothing_below_the_floor_is_put_forward() -> None:
    assert put_forward(pick(None, a=0.05, b=0.049, c=0.0)) == [("a", OTHER)]
    assert put_forward(pick("a", 0.0, a=0.04, b=0.04)) == []


def test_the_union_holds_each_tool_once_with_its_best_standing() -> None:
    made = planned(("a", 0.2, OTHER), ("a", 0.5, WINNER), ("b", 0.1, OTHER), ("b", 0.3, OTHER), cap=9)
    assert made.chosen(WINNER) == (Chosen("a", 0.5, "x"),)
    assert made.chosen(OTHER) == (Chosen("b", 0.3, "x"),)


def test_the_cap_keeps_winners_then_weak_winners_then_others() -> None:
    made = planned(("a", 0.9, OTHER), ("b", 0.2, WEAK), ("c", 0.4, WINNER), cap=2)
    assert ids(made.kept) == "bc"
    assert ids(made.cut) == "a"


def test_within_a_standing_the_cap_goes_by_priority_then_probability() -> None:
    given = [("a", 0.5, WINNER), ("b", 0.6, WINNER), ("d", 0.4, WINNER)]
    assert ids(planned(*given, cap=1).kept) == "d"
    assert ids(planned(*given, cap=2).kept) == "bd"
    assert ids(planned(*given, cap=0).cut) == "dba"


def test_what_is_kept_stays_in_category_order() -> None:
    assert ids(planned(("a", 0.5, WINNER), ("b", 0.9, WINNER), cap=5).kept) == "ab"


def test_a_pick_is_not_changed_by_reading_it() -> None:
    read = pick("a", a=0.3, b=0.2)
    before = dataclasses.replace(read)
    put_forward(read)
    assert read == before
