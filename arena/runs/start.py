"""Starting a comparison: validated, its inputs kept, its row and first events written, a worker woken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from arena import offers
from arena.cases.case import Case
from arena.catalogs.catalog import Catalog
from arena.catalogs.menus import menu_for
from arena.errors import Invalid
from arena.models import Lane, Run, RunState, Snapshot
from arena.own_cases import shelf as shelves
from arena.runs import agent_models, codex_seat, dispatch, inputs, local_model, seats, setup
from arena.runs.agent_models import AgentOrder
from arena.runs.log import Draft, append
from arena.worlds import storable
from arena.worlds.world import World
from policy.calibration.passport import Saved
from policy.engine.call_rules import CallRules
from policy.engine.profile import Profile
from policy.engine.routing import RoutingPolicy, RoutingRefused
from policy.engine.selectors import TOP_K, TWO_STAGE
from policy.people.models import Purpose, Role, User
from policy.people.services import require
from policy.services import judges


def start(
    case_id: str,
    *,
    by: User,
    origin: str,
    arms: Sequence[str] = ("full", "selected"),
    menu_size: int = 40,
    judge: str | None = None,
    agent: str = "offline",
    asked: AgentOrder | None = None,
    profile: Profile | Saved | None = None,
    selector: str = TWO_STAGE,
    routing: RoutingPolicy | None = None,
    seed: int = 1,
    pause_s: float | None = None,
    stable_menu: bool = False,
    find_tool: bool = False,
    retry_of: Run | None = None,
    gate: str = "off",
    rules: CallRules | None = None,
    attended: bool = True,
) -> Run:
    """Store a run in state `queued` and return it; workers do the rest.

    `judge` None is the one that the person set for the arena; the model of one behind HTTP is theirs, too.
    `asked` is what the agent's model is to be and how it is asked (None: the model that the person chose, as it is).
    `pause_s` is the offline agent's mean pause before a step, for people who watch (None: the site's setting).
    `routing` are the limits of the selector `top-k` (None: those that the judge brings along). A saved profile is
    disarmed where its passport does not fit: the lanes that need its selection are then withheld.
    `gate` (off, shadow, enforce, or compare for one arm without and with it) and `rules` stand before every call of
    every lane; without `attended` nobody is asked, and what a person would be asked counts as not approved.
    Raises `Unknown` or `Invalid` with the allowed names, or with what a judge lacks, before anything is written.
    """
    require(Role.MEMBER, by=by)
    shelf = shelves.books(by=by, chosen=case_id)
    case = shelf.case(case_id)
    judge = judge or judges.chosen(Purpose.ARENA, by=by).judge
    seats.check(agent)
    chosen = setup.checked(
        arms=arms,
        menu_size=menu_size,
        judge=judge,
        model=judges.model_for(judge, by=by, purpose=Purpose.ARENA),
        agent=agent,
        profile=profile or setup.profile_of(judge),
        selector=selector,
        routing=routing,
        seed=seed,
        pause_s=settings.AGENT_PAUSE_S if pause_s is None else pause_s,
        options=agent_models.checked(agent, asked or AgentOrder(), by=by),
        gate=gate,
        rules=rules,
        attended=attended,
        local_model=local_model.digest(agent=agent, judge=judge),
        stable_menu=stable_menu,
        find_tool=find_tool,
    )
    chosen = _with_real_tools(chosen, case_id, by=by)
    return _begin(
        _Order(case, shelf.worlds[case.world], shelf.catalog, chosen), by=by, origin=origin, retry_of=retry_of
    )


def again(old: Run, *, by: User, origin: str) -> Run:
    """The same comparison anew, with the whole setup of the old run, which stays as it is, and its answers.

    Case, world and catalog are read anew: where their files have changed since, the comparison key changes with them.
    Raises as `start` does.
    """
    require(Role.MEMBER, by=by)
    shelf = shelves.books(by=by, chosen=old.case_id)
    case = replace(shelf.case(old.case_id), turns=Case.from_json(old.case_snapshot.content).turns)
    chosen = _kept_setup(old, by=by)
    return _begin(_Order(case, shelf.worlds[case.world], shelf.catalog, chosen), by=by, origin=origin, retry_of=old)


def go_on(old: Run, answered: Case, *, by: User, origin: str) -> Run:
    """The comparison of `old` with `answered` in the place of its case; world, catalog and setup stay as they were.

    Real tools run where the case of this person allows them now. Raises as `start` does; whoever calls holds the lock
    of the old run.
    """
    require(Role.MEMBER, by=by)
    world = World.from_json(old.world_snapshot.content)
    catalog = Catalog.from_json(old.catalog_snapshot.content)
    chosen = _kept_setup(old, by=by)
    return _begin(_Order(answered, world, catalog, chosen), by=by, origin=origin, continues=old)


def _kept_setup(old: Run, *, by: User) -> setup.Setup:
    """The whole setup of an old run, where what it names is still there; raises `Invalid` with what is not."""
    chosen = _with_real_tools(setup.still_known(setup.Setup.from_json(old.setup)), old.case_id, by=by)
    agent_models.still_ready(chosen.agent, chosen.agent_model, by=by)
    local_model.refuse_another(chosen.local_model)
    if chosen.agent == codex_seat.NAME:
        return codex_seat.renewed(chosen, by=by)
    return chosen


def _with_real_tools(chosen: setup.Setup, case_id: str, *, by: User) -> setup.Setup:
    """The setup with the lanes in which real tools may run: what the case of this person allows now."""
    real = shelves.real_tools(case_id, by=by)
    arms = tuple(arm for arm in chosen.arms if arm in real.arms)
    return replace(chosen, own_catalog=real.catalog, real_arms=arms)


@dataclass(frozen=True, slots=True)
class _Order:
    """All that a run is made of."""

    case: Case
    world: World
    catalog: Catalog
    setup: setup.Setup


def _begin(order: _Order, *, by: User, origin: str, retry_of: Run | None = None, continues: Run | None = None) -> Run:
    """The row of the run, its lanes and first events, and a worker woken; refuses what could only fail."""
    case, chosen = order.case, order.setup
    if unstorable := storable.problem(chosen.to_json()):
        raise Invalid(f"The setup of the run {unstorable}; take that out.")
    if chosen.asks_judge and (missing := judges.why_not(chosen.judge, by=by)):
        raise Invalid(f"The judge {chosen.judge} cannot be asked: {missing}")
    _refuse_unofferable(order)
    with transaction.atomic():
        run = _kept(order, by=by, origin=origin, retry_of=retry_of, continues=continues)
        Lane.objects.bulk_create(
            Lane(run=run, position=n, arm=arm, gate=gate) for n, (arm, gate) in enumerate(chosen.lanes)
        )
        created = {"case": case.id, "arms": [arm for arm, _ in chosen.lanes], "by": by.username, "origin": origin}
        created |= {} if continues is None else {"continues": continues.public_id}
        append(run.pk, [Draft("run.created", created), Draft("run.state", {"state": RunState.QUEUED.value})])
        dispatch.publish("route", run.pk)
    run.refresh_from_db()
    return run


def _kept(order: _Order, *, by: User, origin: str, retry_of: Run | None, continues: Run | None) -> Run:
    """The row of the run, with all that it is made of kept as it is now."""
    case, chosen = order.case, order.setup
    kept_case = inputs.keep(Snapshot.Kind.CASE, case.to_json())
    kept_world = inputs.keep(Snapshot.Kind.WORLD, order.world.to_json())
    kept_catalog = inputs.keep(Snapshot.Kind.CATALOG, order.catalog.to_json())
    return Run.objects.create(
        by=by,
        origin=origin,
        case_id=case.id,
        case_title=case.title,
        case_snapshot=kept_case,
        world_snapshot=kept_world,
        catalog_snapshot=kept_catalog,
        setup=chosen.to_json(),
        setup_digest=chosen.comparison_key(case=kept_case.digest, world=kept_world.digest, catalog=kept_catalog.digest),
        queued_at=Now(),
        retry_of=retry_of,
        continues=continues,
    )


def _refuse_unofferable(order: _Order) -> None:
    """A menu that `top-k` could not offer as a whole is refused before a run is made of it."""
    case, chosen = order.case, order.setup
    if chosen.routing is None or not chosen.needs_judge:
        return
    menu = menu_for(case, order.catalog, chosen.menu_size, chosen.seed)
    try:
        offers.top_k(case, menu, policy=chosen.routing, profile=chosen.profile)
    except RoutingRefused as refused:
        raise Invalid(f"The selector {TOP_K} cannot offer this menu: {refused}. Choose a smaller one.") from refused
