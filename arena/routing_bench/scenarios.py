"""What is compared: a case with its menu and a judge; what was expected of it stays apart until the routing is over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from arena import offers
from arena.cases.case import Case
from arena.catalogs.catalog import Catalog
from arena.catalogs.menus import menu_for
from arena.routing_bench.scripts import SCRIPTS, script
from policy.engine.judge import Judge
from policy.engine.profile import Profile
from policy.engine.receipts import TopKCall
from policy.engine.routing import CLARIFICATION_ID, RoutingPolicy, Source
from policy.engine.routing.metrics import Labels
from policy.engine.selection import Outcome
from policy.judges.scripted import ScriptedJudge

# One choice has one answer for "unclear" and "nothing fits", so a case that nothing fits expects that one as well.
_EXPECTED = {
    "answer": Outcome.SELECTED,
    "question": Outcome.NEEDS_CLARIFICATION,
    "decline": Outcome.NEEDS_CLARIFICATION,
}
_UNAVAILABLE = frozenset({"outage", "invalid"})


@dataclass(frozen=True, slots=True)
class Scenario:
    """One routing to come. `measures` says whether the judge's bytes and time are its own, not a script's."""

    name: str
    case: Case
    catalog: Catalog
    call: TopKCall
    judge: Judge
    measures: bool

    @property
    def labels(self) -> Labels:
        """What was expected; looked at after the routing only."""
        expected = Outcome.UNAVAILABLE if self.name in _UNAVAILABLE else _EXPECTED[self.case.ending]
        return Labels(self.case.acceptable_ids, expected.value)


def from_cases(
    cases: Iterable[Case],
    catalog: Catalog,
    *,
    judge: Judge,
    policy: RoutingPolicy,
    profile: Profile,
    menu_size: int,
    seed: int,
) -> Iterator[Scenario]:
    """Every case with its menu of that size, asked of one judge."""
    for case in cases:
        call = offers.top_k(case, menu_for(case, catalog, menu_size, seed), policy=policy, profile=profile)
        yield Scenario(case.id, case, catalog, call, judge, measures=True)


def scripted(cases: Iterable[Case], catalog: Catalog, *, menu_size: int, seed: int) -> Iterator[Scenario]:
    """The scripted scenarios of these cases, under the limits of seed 002; an outage and a false answer among them."""
    by_id = {case.id: case for case in cases}
    for weights in SCRIPTS:
        if (case := by_id.get(weights.case)) is not None:
            menu = menu_for(case, catalog, menu_size, seed)
            call = offers.top_k(case, menu, policy=RoutingPolicy(), profile=Profile())
            judge = ScriptedJudge(script(weights, (*call.available_ids, CLARIFICATION_ID)))
            call = replace(call, source=Source.MOCK)
            yield Scenario(weights.name, case, catalog, call, judge, measures=False)
