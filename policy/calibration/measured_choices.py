"""Measured selections, skill routings and model routings as cases: what the engine decides of them at thresholds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from policy.calibration.boxes import Case
from policy.calibration.cuts import Floats
from policy.engine.answers import ChoiceAnswer
from policy.engine.model_routing import KEEP
from policy.engine.model_routing import Status as RouteStatus
from policy.engine.profile import Thresholds
from policy.engine.selection import CategoryResult, Outcome, Status
from policy.engine.selection.menu import Menu
from policy.engine.selection.outcome import Conclusion, conclude
from policy.engine.selection.plan import Plan, Standing, plan_picks
from policy.engine.skill_routing import NONE
from policy.engine.skill_routing import Status as SkillStatus


@dataclass(frozen=True, slots=True)
class MeasuredSelection:
    """Every category with its relevance and its pick, asked at thresholds 0, and what should come of it.

    `expected` are the tools to be selected, none where it should abstain; an `outcome` is compared where it is given.
    """

    results: tuple[CategoryResult, ...]
    status: Status
    expected: frozenset[str]
    outcome: Outcome | None = None
    priorities: Mapping[str, int] = field(default_factory=dict)
    cap: int = 12
    ask_first: float | None = None

    def decided(self, cuts: Thresholds) -> tuple[Conclusion, Plan]:
        """The engine's own plan and conclusion of these answers."""
        results = [replace(each, relevant=_reaches(each.relevance, cuts.relevance)) for each in self.results]
        menu = Menu((), (), frozenset(), priorities=self.priorities)
        asks = self.ask_first is not None and self.ask_first >= cuts.ask_first
        relevant = [each for each in results if each.relevant]
        made = Plan() if asks else plan_picks(relevant, menu, cuts=cuts, cap=self.cap)
        return conclude(made, results, self.ask_first, cuts), made

    def agrees(self, cuts: Thresholds) -> bool:
        """Whether status, tools and (where expected) outcome are as labelled."""
        conclusion, made = self.decided(cuts)
        tools = frozenset(chosen.id for chosen in made.chosen(Standing.WINNER))
        same = conclusion.status is self.status and tools == self.expected
        return same and self.outcome in (None, conclusion.outcome)

    def visible(self, cuts: Thresholds) -> frozenset[str]:
        """What a menu would show: winners, too-weak winners and alternatives."""
        _, made = self.decided(cuts)
        return frozenset(chosen.id for chosen in made.chosen(*Standing))

    def recall(self, cuts: Thresholds) -> float:
        """The share of the expected tools that are visible; 1 where none is expected."""
        return len(self.expected & self.visible(cuts)) / len(self.expected) if self.expected else 1.0

    def cells(self) -> Floats | None:
        """Agreement in every cell of its own relevances and shares, a tool at a time; None where the engine must say.

        A tool is selected where one of its picks reaches both thresholds. That is all there is to it unless the cap
        may bind, a question may come first, or one of the outcomes of an abstention is expected.
        """
        picks = [(each.relevance, pick) for each in self.results for pick in each.picks]
        tools = self.tools
        if self.outcome is not None or self.ask_first is not None or len(tools) > self.cap:
            return None
        relevances, shares = (np.unique(np.array(values)) for values in (self.relevances, self.shares))
        sides = tuple(len(points) + (not len(points) or points[-1] < 1) for points in (relevances, shares))
        selected = {tool: np.zeros(sides, dtype=np.bool_) for tool in tools}
        for relevance, pick in picks:
            if relevance is not None and pick.tool is not None:
                rows, columns = np.searchsorted(relevances, relevance), np.searchsorted(shares, pick.probability)
                selected[pick.tool][: rows + 1, : columns + 1] = True
        sound = self.expected <= tools and (self.status is Status.SELECTED) is bool(self.expected)
        right = np.full(sides, sound and self.status in (Status.SELECTED, Status.ABSTAINED))
        for tool, where in selected.items():
            right &= where == (tool in self.expected)
        return right.astype(np.float64)

    @property
    def relevances(self) -> list[float]:
        return [each.relevance for each in self.results if each.relevance is not None]

    @property
    def tools(self) -> frozenset[str]:
        """Every tool that was picked somewhere."""
        return frozenset(pick.tool for each in self.results for pick in each.picks if pick.tool is not None)

    @property
    def shares(self) -> list[float]:
        return [pick.probability for each in self.results for pick in each.picks if pick.tool is not None]

    @property
    def confidences(self) -> list[float]:
        return [pick.confidence for each in self.results for pick in each.picks]


@dataclass(frozen=True, slots=True)
class MeasuredSkill:
    """Both answers of a skill routing; `expected` is the skill that should be selected, None where none should."""

    needs: float
    answer: ChoiceAnswer
    expected: str | None

    def decided(self, cuts: Thresholds) -> tuple[SkillStatus, str | None]:
        """Selected where all three values reach their thresholds (seed 000, Skill routing)."""
        share = self.answer.probabilities[self.answer.choice]
        reached = self.needs >= cuts.skill and share >= cuts.selection and self.answer.confidence >= cuts.confidence
        if self.answer.choice == NONE or not reached:
            return SkillStatus.NONE, None
        return SkillStatus.SELECTED, self.answer.choice

    def agrees(self, cuts: Thresholds) -> bool:
        return self.decided(cuts)[1] == self.expected


@dataclass(frozen=True, slots=True)
class MeasuredRoute:
    """The answer of a model routing; `expected` is the class to be routed to, None where the model should be kept.

    `available` are the classes whose target is there.
    """

    answer: ChoiceAnswer
    expected: str | None
    available: frozenset[str]

    def decided(self, cuts: Thresholds) -> tuple[RouteStatus, str | None]:
        """Routed where the class reaches its threshold and is there; confidence plays no part (seed 000)."""
        choice = self.answer.choice
        if choice == KEEP or self.answer.probabilities[choice] < cuts.model_route or choice not in self.available:
            return RouteStatus.FALLBACK, None
        return RouteStatus.ROUTED, choice

    def agrees(self, cuts: Thresholds) -> bool:
        return self.decided(cuts)[1] == self.expected


Measured = MeasuredSelection | MeasuredSkill | MeasuredRoute

SELECTION = ("relevance", "selection")
SKILL = ("skill", "selection", "confidence")
ROUTE = ("model_route",)


def cases(measured: Sequence[Measured], names: Sequence[str], *, base: Thresholds = Thresholds()) -> list[Case]:  # noqa: B008
    """One case per measurement over the thresholds `names`, the others at `base`, worth 1 where it is as labelled."""
    return [
        Case(tuple(_values(each, name) for name in names), _weigh(each.agrees, names, base), _cells(each, names))
        for each in measured
    ]


def weighed(
    measured: Sequence[MeasuredSelection],
    figure: Callable[[MeasuredSelection, Thresholds], float],
    names: Sequence[str],
    *,
    base: Thresholds,
) -> list[Case]:
    """The same for any figure of a selection, for instance how many tools are visible."""

    def bound(each: MeasuredSelection) -> Callable[[Thresholds], float]:
        return lambda cuts: figure(each, cuts)

    return [Case(tuple(_values(each, name) for name in names), _weigh(bound(each), names, base)) for each in measured]


def _cells(measured: Measured, names: Sequence[str]) -> Floats | None:
    return measured.cells() if isinstance(measured, MeasuredSelection) and tuple(names) == SELECTION else None


def _weigh(
    figure: Callable[[Thresholds], float], names: Sequence[str], base: Thresholds
) -> Callable[[tuple[float, ...]], float]:
    def weigh(thresholds: tuple[float, ...]) -> float:
        return float(figure(replace(base, **dict(zip(names, thresholds, strict=True)))))

    return weigh


def _values(measured: Measured, name: str) -> Sequence[float]:
    match measured, name:
        case MeasuredSelection(), "relevance":
            return measured.relevances
        case MeasuredSelection(), "selection":
            return measured.shares
        case MeasuredSelection(), "confidence":
            return measured.confidences
        case MeasuredSkill(), "skill":
            return [measured.needs]
        case MeasuredSkill(), "selection":
            return [measured.answer.probabilities[measured.answer.choice]]
        case MeasuredSkill(), "confidence":
            return [measured.answer.confidence]
        case MeasuredRoute(), "model_route":
            return [measured.answer.probabilities[measured.answer.choice]]
    raise ValueError(f"{type(measured).__name__} is not decided by the threshold {name}")


def _reaches(value: float | None, cut: float) -> bool:
    return value is not None and value >= cut
