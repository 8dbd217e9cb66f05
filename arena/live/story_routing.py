"""What the selector `top-k` measured: one choice over the offered tools, against the limits of the setup."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.live import figures
from arena.live.story_meters import Meter, meter
from policy.engine.routing import CLARIFICATION_ID as CLARIFICATION
from policy.engine.selectors import TOP_K, TWO_STAGE

NEAREST = 6
LISTED = 15


@dataclass(frozen=True, slots=True)
class Option:
    """One line of the answer: a tool with its probability, its cost in the host's units, and what came of it."""

    tool: str
    probability: str
    cost: str
    verdict: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A tool that was never offered, or not with all its arguments, and why."""

    tool: str
    reason: str


@dataclass(frozen=True, slots=True)
class RoutingStory:
    """One answered choice: how sure it is and the nearest tools as meters, then its lines in a table.

    `limits` says in words what a tool had to keep to. `left_out` are tools that the flat form of one choice cannot
    express, `narrowed` offered tools that lack an argument in it.
    """

    limits: str
    sure: tuple[Meter, ...]
    nearest: tuple[Meter, ...]
    options: tuple[Option, ...]
    unlisted: str
    below: str
    left_out: tuple[LeftOut, ...]
    narrowed: tuple[LeftOut, ...]

    @property
    def not_offered(self) -> str:
        """How many tools of the menu the judge never saw, or not with all their arguments; empty for none."""
        said = []
        if self.left_out:
            said.append(f"{figures.plural(len(self.left_out), 'tool')} cannot be offered in one flat choice")
        if self.narrowed:
            verb = "is" if len(self.narrowed) == 1 else "are"
            said.append(f"{figures.plural(len(self.narrowed), 'tool')} {verb} offered without a list or object")
        return f"{'; '.join(said)}." if said else ""


def named(setup: Mapping[str, Any]) -> tuple[str, str]:
    """The selector of a setup, and for `top-k` how many tools it picks at most."""
    selector = setup.get("selector", TWO_STAGE)
    most = f"at most {setup['routing']['topK']}" if selector == TOP_K else ""
    return selector, most


def tell(selection: Mapping[str, Any] | None, setup: Mapping[str, Any]) -> RoutingStory | None:
    """The story of a `top-k` selection; None for another selector and before the decision."""
    if selection is None or setup.get("selector") != TOP_K:
        return None
    policy, evidence = selection["policy"], selection["evidence"]
    shares = _by_share(evidence)
    return RoutingStory(
        limits=_limits(policy),
        sure=tuple(_sure(evidence, policy)) if evidence else (),
        nearest=tuple(meter(tool, share, policy["probabilityFloor"]) for tool, share in shares[:NEAREST]),
        options=(*_sure_rows(evidence, policy), *_options(selection, shares[:LISTED])) if evidence else (),
        unlisted=_beyond(shares, LISTED),
        below=_beyond(shares, NEAREST),
        left_out=_left_out(selection["left_out"]),
        narrowed=_left_out(selection["narrowed"]),
    )


def _left_out(rows: Iterable[Mapping[str, str]]) -> tuple[LeftOut, ...]:
    return tuple(LeftOut(each["id"], each["reason"]) for each in rows)


def _limits(policy: Mapping[str, Any]) -> str:
    return (
        f"At most {figures.plural(policy['topK'], 'tool')}, the cheapest first: each at "
        f"{figures.probability(policy['probabilityFloor'])} or more, at most "
        f"{figures.probability(policy['relevanceWindow'])} behind the best, "
        f"at most {policy['maxCostUnits']:g} cost units each."
    )


def _sure(evidence: Mapping[str, Any], policy: Mapping[str, Any]) -> Iterator[Meter]:
    """How sure the choice is, and how near asking back came to the lead (where it leads or ties, it asks)."""
    yield meter("confidence", evidence["confidence"], policy["confidenceFloor"])
    back = evidence["probabilities"][CLARIFICATION]
    yield meter("asking back", back, max(evidence["probabilities"].values()))


def _by_share(evidence: Mapping[str, Any] | None) -> list[tuple[str, float]]:
    shares = evidence["probabilities"].items() if evidence else ()
    return sorted(((tool, share) for tool, share in shares if tool != CLARIFICATION), key=lambda pair: -pair[1])


def _sure_rows(evidence: Mapping[str, Any], policy: Mapping[str, Any]) -> Iterator[Option]:
    confidence, back = _sure(evidence, policy)
    limit = figures.probability(policy["confidenceFloor"])
    yield Option("confidence", confidence.text, "", f"{limit} or more is asked for")
    yield Option("asking back", back.text, "", "leads, so a question comes first" if back.fires else "does not lead")


def _beyond(shares: Sequence[tuple[str, float]], shown: int) -> str:
    rest = shares[shown:]
    return f"{len(rest)} more, {figures.probability(rest[0][1])} or less" if rest else ""


def _options(selection: Mapping[str, Any], shares: Iterable[tuple[str, float]]) -> Iterator[Option]:
    picked = {each["id"]: each for each in selection["selected"]}
    reasons = {each["id"]: each["reason"] for each in selection["dropped"]}
    costs = {each["id"]: each["cost_units"] for each in (*selection["selected"], *selection["dropped"])}
    for tool, share in shares:
        verdict = "selected" if tool in picked else reasons[tool]
        yield Option(tool, figures.probability(share), f"{costs[tool]:g}", verdict)
