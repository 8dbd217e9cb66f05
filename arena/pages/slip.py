"""The order slip of the start page: the task, its check, and what every lane would see."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice

from arena import forms
from arena.agents.providers import EFFORTS
from arena.cases import specs
from arena.cases.case import Case
from arena.catalogs.menus import Menu, menu_for
from arena.codex import access
from arena.errors import Invalid
from arena.library import Library
from arena.listing import pages
from arena.listing.wanted import Wanted
from arena.live import story, story_menu, story_states
from arena.live.figures import GAP, plural
from arena.models import Arm, Run
from arena.own_cases import shelf as shelves
from arena.pages.cards import in_order
from arena.runs import agent_models, codex_seat, fit, local_model, seats
from arena.runs.agent_models import AgentOptions
from policy.engine.profile import InvalidConfig
from policy.engine.selectors import TOP_K, TWO_STAGE
from policy.judges import registry as judges
from policy.judges.registry import JudgeInfo
from policy.measurements import profiles
from policy.people.models import User
from policy.services import agents as models

LETTERS = "ABCDEFGH"
MOST_MODELS = 200
"""Models to choose from on the slip."""
NAMED = 8
"""Cases that a refusal names; more would be a wall of ids."""


@dataclass(frozen=True, slots=True)
class LanePreview:
    """A lane before the run: its strip, dotted where the judge will decide, and the words under it."""

    letter: str
    css: str
    groups: tuple[story_menu.Group, ...]
    sentence: str
    words: str
    known: bool


@dataclass(frozen=True, slots=True)
class ArmChoice:
    key: str
    title: str
    hint: str
    ticked: bool


@dataclass(frozen=True, slots=True)
class SelectorChoice:
    """One way to make a menu of a judge's answers; `hint` is what the judge is asked."""

    key: str
    hint: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Slip:
    """`case` is None where the address names a case that is not there; `trouble` says why."""

    case: Case | None
    trouble: str
    world: str
    real: str
    checks: tuple[str, ...]
    sizes: tuple[int, ...]
    lanes: tuple[LanePreview, ...]
    size_note: str
    arms: tuple[ArmChoice, ...]
    agents: tuple[tuple[str, str], ...]
    agent_trouble: str
    agent_to: str
    own_model: str
    models: tuple[str, ...]
    efforts: tuple[str, ...]
    steps: int
    judges: tuple[JudgeInfo, ...]
    judge: JudgeInfo
    selectors: tuple[SelectorChoice, ...]
    gates: tuple[SelectorChoice, ...]
    profile: str
    profiles: tuple[str, ...]
    disarmed: tuple[str, ...]
    took: str


_ARM_HINTS = {
    Arm.FULL: "every tool of the menu",
    Arm.SELECTED: "only what the judge picks, with prerequisites",
    Arm.SHADOW: "every tool; the judge is asked, not obeyed",
    Arm.BM25: "control: as many as selected, by shared words",
    Arm.EMBEDDING: "control: as many as selected, by sentence vectors",
    Arm.RANDOM: "control: as many as selected, by a seeded draw",
    Arm.ORACLE: "control: the tools that the case accepts, no others",
}
_SELECTOR_HINTS = {
    TWO_STAGE: "per category: is it relevant, then which of its tools",
    TOP_K: "one choice over all tools; among close ones the cheapest",
}
_GATE_HINTS = {
    "off": "calls are made as the agent makes them",
    "shadow": "every call is judged and recorded, none is stopped",
    "enforce": "loops, rules and the judge decide; what they ask waits for you, silence means no",
    "compare": "one lane twice: without a gate and with one that enforces",
}
_ENDINGS = {
    "question": "the agent asks instead of acting",
    "decline": "the agent says that nothing fits",
    "answer": "the lane ends with an answer",
}


def slip(books: Library, order: forms.Order, *, by: User) -> Slip:
    case = next((each for each in books.cases if each.id == order.case), None)
    broken = next((each for each in books.broken if each.id == order.case), None)
    return Slip(
        case=case,
        trouble="" if case else broken.sentence if broken else _no_case(books, order.case),
        world=_world(books, case) if case else "",
        real=_real(order, by),
        checks=_checks(case) if case else (),
        sizes=forms.sizes(len(books.catalog.tools)),
        lanes=_lanes(books, case, order) if case else (),
        size_note=_size_note(books, case, order) if case else "",
        arms=tuple(ArmChoice(arm.value, arm.label, _ARM_HINTS[arm], arm.value in order.arms) for arm in Arm),
        agents=tuple((seat.name, seat.label) for seat in seats.seats()),
        agent_trouble=_agent_trouble(order, by),
        agent_to=_agent_to(order, by),
        own_model=str(models.chosen(by=by)),
        models=_models(by),
        efforts=EFFORTS,
        steps=AgentOptions.max_steps,
        judges=_judges(order.judge, by),
        judge=judges.info(order.judge),
        selectors=tuple(SelectorChoice(key, hint, key == order.selector) for key, hint in _SELECTOR_HINTS.items()),
        gates=tuple(SelectorChoice(key, hint, key == order.gate) for key, hint in _GATE_HINTS.items()),
        profile=order.profile or forms.profile_name(order.judge),
        profiles=_profiles(order.profile),
        disarmed=_disarmed(books, case, order, by) if case and order.profile and _judged(order) else (),
        took=_took(order.case),
    )


def _agent_trouble(order: forms.Order, by: User) -> str:
    """Why the agent could not be started as it is ordered now; blank where it can."""
    try:
        agent_models.checked(order.agent, order.asked, by=by)
        local_model.digest(agent=order.agent, judge="")
    except Invalid as refused:
        return refused.message
    return ""


def _agent_to(order: forms.Order, by: User) -> str:
    """Who is sent the task and all that the agent reads; blank for an agent of this machine."""
    if order.agent == codex_seat.NAME:
        return access.address(by) or "OpenAI, by your sign-in of Codex CLI"
    if not order.modelled:
        return ""
    try:
        name = models.model_name(order.asked.model) if order.asked.model else models.chosen(by=by)
        return models.where(name.provider, by=by)
    except (InvalidConfig, LookupError):
        return "the agent’s provider"


def _models(by: User) -> tuple[str, ...]:
    """Models to choose from: what this person's providers listed at their last check."""
    listed = (
        f"{provider.name}:{model}"
        for provider in models.PROVIDERS.values()
        for model in models.connection(provider.house, by=by).models_listed
    )
    return tuple(islice(listed, MOST_MODELS))


def _judged(order: forms.Order) -> bool:
    return any(Arm(arm).asks_judge for arm in order.arms)


def _no_case(books: Library, asked: str) -> str:
    if not books.cases:
        return "There is no case that can be run."
    ids = [case.id for case in in_order(books.cases)]
    named = get_close_matches(asked, ids, n=NAMED) or ids[:NAMED]
    more = f" and {len(ids) - len(named)} more" if len(ids) > len(named) else ""
    return f"There is no case “{asked}”. Choose one of: {', '.join(named)}{more}."


def _judges(chosen: str, by: User) -> tuple[JudgeInfo, ...]:
    """What is offered, and what an address has named beside it."""
    offered = forms.offered(by)
    return tuple(offered if chosen in {info.name for info in offered} else [*offered, judges.info(chosen)])


def _profiles(chosen: str) -> tuple[str, ...]:
    """The newest saved profiles, and what an address has named beside them."""
    known = profiles.references()
    return tuple(known if not chosen or chosen in known else [*known, chosen])


def _disarmed(books: Library, case: Case, order: forms.Order, by: User) -> tuple[str, ...]:
    return fit.disarmed(
        profiles.saved(order.profile),
        case,
        books.catalog,
        menu_size=order.menu,
        seed=order.seed,
        judge=order.judge,
        selector=order.selector,
        by=by,
    )


def latest(run: Run | None) -> story.Story | None:
    """The newest settled comparison, as its own page would tell it."""
    return None if run is None else story.of(run)


def _world(books: Library, case: Case) -> str:
    world = books.worlds[case.world]
    if case.world == "none":
        return "none"
    return f"{world.name}, {plural(len(world.all('files')), 'source file')} and its records"


def _real(order: forms.Order, by: User) -> str:
    """In which lanes real tools may run; empty where the case has none."""
    real = shelves.real_tools(order.case, by=by)
    if not real.catalog:
        return ""
    letters = [letter for letter, arm in zip(LETTERS, order.arms, strict=False) if arm in real.arms]
    return f"run in {' and '.join(letters)}" if letters else "run in no lane of this comparison"


def _checks(case: Case) -> tuple[str, ...]:
    """The check in words: the sentence of each item, or how the lane has to end."""
    titles = [spec.title for spec in case.checks if not isinstance(spec, specs.Asked | specs.Declined)]
    return tuple(titles) if case.ending == "answer" else (_ENDINGS[case.ending], *titles)


def _lanes(books: Library, case: Case, order: forms.Order) -> tuple[LanePreview, ...]:
    menu = menu_for(case, books.catalog, order.menu, order.seed)
    return tuple(
        _preview(books, case, menu, Arm(arm), letter) for letter, arm in zip(LETTERS, order.arms, strict=False)
    )


def _preview(books: Library, case: Case, menu: Menu, arm: Arm, letter: str) -> LanePreview:
    tools = plural(menu.size, "tool")
    words = {
        Arm.FULL: f"Full menu, {tools}",
        Arm.SELECTED: "Selected menu, the judge picks",
        Arm.SHADOW: f"Full menu, {tools}; the judge is asked, not obeyed",
        Arm.BM25: "As many as selected, nearest by shared words",
        Arm.EMBEDDING: "As many as selected, nearest by sentence vectors",
        Arm.RANDOM: "As many as selected, drawn at random",
        Arm.ORACLE: "Just what the case needs",
    }
    seen = _seen(menu, case, arm)
    groups = story_menu.preview(menu.tools, books.catalog, seen=seen)
    sentence = "not known before the judge answers" if seen is None else f"{len(seen) or 'none'} of {tools}"
    return LanePreview(letter, story_states.lane_class(letter), groups, sentence, words[arm], seen is not None)


def _seen(menu: Menu, case: Case, arm: Arm) -> frozenset[str] | None:
    """The tools that an arm will see, None where that depends on the judge."""
    if arm.sees_everything:
        return frozenset(menu.ids)
    return menu.needed - set(case.forbids) if arm == Arm.ORACLE else None


def _size_note(books: Library, case: Case, order: forms.Order) -> str:
    size = menu_for(case, books.catalog, order.menu, order.seed).size
    return f"This case needs {size} tools, so its menu is not smaller." if size > order.menu else ""


def _took(case_id: str) -> str:
    """About how long the last runs of this case took, in the middle; empty where there are none."""
    runs = pages.page(Wanted(case=case_id), limit=9).runs if case_id else []
    times = sorted((run.settled_at - run.created_at).total_seconds() for run in runs if run.settled_at)
    return _about(times[len(times) // 2]) if times else ""


def _about(amount: float) -> str:
    """An estimate has no decimals: `1 s`, `6 s`, `2 min`."""
    return f"{max(round(amount), 1)}{GAP}s" if amount < 90 else f"{round(amount / 60)}{GAP}min"
