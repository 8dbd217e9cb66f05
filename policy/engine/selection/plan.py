"""From answered picks to a plan: winners, alternatives, the cap, and a reason for everything left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import IntEnum

from policy.engine.answers import ChoiceAnswer
from policy.engine.profile import Thresholds
from policy.engine.selection.menu import Group, Menu
from policy.engine.selection.questions import PickQuestion
from policy.engine.selection.records import CategoryResult, Chosen, Dropped, DropReason, Pick, Rule

EXPANSION_FLOOR = 0.05
ALTERNATIVES = 2


class Standing(IntEnum):
    """Under the cap a winner goes before a too-weak winner, and that before an alternative."""

    WINNER = 0
    WEAK_WINNER = 1
    ALTERNATIVE = 2


@dataclass(frozen=True, slots=True)
class Offer:
    """A tool that one pick puts forward."""

    chosen: Chosen
    standing: Standing


@dataclass(frozen=True, slots=True)
class Plan:
    """What is kept under the cap, in category order, and what the cap took."""

    kept: tuple[Offer, ...] = ()
    cut: tuple[Offer, ...] = ()

    def chosen(self, *standings: Standing) -> tuple[Chosen, ...]:
        return tuple(offer.chosen for offer in self.kept if offer.standing in standings)


def read_pick(question: PickQuestion, answer: ChoiceAnswer) -> Pick:
    """The answer with its labels turned back into tool ids; a valid answer has them in the order of the question."""
    shares = answer.probabilities
    return Pick(
        choice=answer.choice,
        tool=question.tools.get(answer.choice),
        probability=shares[answer.choice],
        confidence=answer.confidence,
        probabilities=shares,
        tools={tool: shares[label] for label, tool in question.tools.items()},
    )


def offers(category: str, pick: Pick, thresholds: Thresholds) -> Iterator[Offer]:
    """What one pick puts forward: its winner, and when it is uncertain the best others (at least 0.05).

    Low confidence never blocks a winner, it only adds alternatives; a too-weak winner comes before them.
    """
    winner = pick.tool is not None and pick.probability >= thresholds.selection
    if pick.tool is not None and (winner or pick.probability >= EXPANSION_FLOOR):
        standing = Standing.WINNER if winner else Standing.WEAK_WINNER
        yield Offer(Chosen(pick.tool, pick.probability, category), standing)
    if winner and pick.confidence >= thresholds.confidence:
        return
    others = sorted((-share, tool) for tool, share in pick.tools.items() if tool != pick.tool)
    for share, tool in others[:ALTERNATIVES]:
        if -share >= EXPANSION_FLOOR:
            yield Offer(Chosen(tool, -share, category), Standing.ALTERNATIVE)


def plan_picks(results: Iterable[CategoryResult], menu: Menu, *, cuts: Thresholds, cap: int) -> Plan:
    """The plan of answered picks under these thresholds."""
    return plan(
        (offer for result in results for pick in result.picks for offer in offers(result.category, pick, cuts)),
        menu,
        cap=cap,
    )


def plan(put_forward: Iterable[Offer], menu: Menu, *, cap: int) -> Plan:
    """The union of all offers, each tool once, cut to `cap`: by standing, priority, then probability."""
    best: dict[str, Offer] = {}
    for offer in put_forward:
        known = best.get(offer.chosen.id)
        if known is None or _strength(offer) < _strength(known):
            best[offer.chosen.id] = offer

    def rank(offer: Offer) -> tuple[Standing, bool, int, float]:
        priority = menu.priorities.get(offer.chosen.id)
        return offer.standing, priority is None, priority or 0, -offer.chosen.probability

    ranked = sorted(best.values(), key=rank)
    kept = {offer.chosen.id for offer in ranked[:cap]}
    return Plan(tuple(offer for tool, offer in best.items() if tool in kept), tuple(ranked[cap:]))


def _strength(offer: Offer) -> tuple[Standing, float]:
    return offer.standing, -offer.chosen.probability


def left_out(menu: Menu, results: Sequence[CategoryResult], made: Plan, rule: Rule) -> tuple[Dropped, ...]:
    """Every candidate that is not in the plan, once, with the reason and its best probability."""
    by_category = {result.category: result for result in results}
    settled = {offer.chosen.id for offer in (*made.kept, *made.cut)}
    dropped: dict[str, Dropped] = {}
    for group in menu.groups:
        for entry in _unpicked(group, by_category[group.category.id], rule, settled):
            known = dropped.get(entry.id)
            if known is None or _closeness(entry) < _closeness(known):
                dropped[entry.id] = entry
    capped = (
        Dropped(offer.chosen.id, DropReason.CAP, offer.chosen.probability, offer.chosen.category) for offer in made.cut
    )
    return (*menu.dropped, *capped, *dropped.values())


def _unpicked(group: Group, result: CategoryResult, rule: Rule, settled: Set[str]) -> Iterator[Dropped]:
    shares = _shares(result.picks)
    reason = DropReason.NOT_PICKED if result.relevant else DropReason.CATEGORY_NOT_RELEVANT
    if rule is Rule.ASK_FIRST:
        reason = DropReason.QUESTION_FIRST
    category = group.category.id
    for member in group.members:
        if member.id not in settled:
            yield Dropped(member.id, reason, shares.get(member.id), category)


def _shares(picks: Sequence[Pick]) -> Mapping[str, float]:
    if len(picks) == 1:
        return picks[0].tools
    return {tool: share for pick in picks for tool, share in pick.tools.items()}


def _closeness(dropped: Dropped) -> float:
    """A tool of several categories keeps the entry that came nearest to a pick."""
    return -1.0 if dropped.probability is None else -2.0 - dropped.probability
