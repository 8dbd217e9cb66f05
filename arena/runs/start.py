"""Starting a comparison: validated, its inputs kept, its row and first events written, a worker woken."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from arena.library import library
from arena.models import Lane, Run, RunState, Snapshot
from arena.runs import dispatch, inputs, setup
from arena.runs.log import Draft, append
from policy.engine.profile import Profile
from policy.people.models import Role, User
from policy.people.services import require


def start(
    case_id: str,
    *,
    by: User,
    origin: str,
    arms: Sequence[str] = ("full", "selected"),
    menu_size: int = 40,
    judge: str = "local",
    agent: str = "offline",
    profile: Profile | None = None,
    seed: int = 1,
    pause_s: float | None = None,
    retry_of: Run | None = None,
) -> Run:
    """Store a run in state `queued` and return it; workers do the rest.

    `pause_s` is the offline agent's mean pause before a step, for people who watch (None: the site's setting).
    Raises `Unknown` or `Invalid` with the allowed names before anything is written.
    """
    require(Role.MEMBER, by=by)
    shelf = library()
    case = shelf.case(case_id)
    chosen = setup.checked(
        arms=arms,
        menu_size=menu_size,
        judge=judge,
        agent=agent,
        profile=profile or setup.profile_of(judge),
        seed=seed,
        pause_s=settings.AGENT_PAUSE_S if pause_s is None else pause_s,
    )
    with transaction.atomic():
        kept_case = inputs.keep(Snapshot.Kind.CASE, case.to_json())
        kept_world = inputs.keep(Snapshot.Kind.WORLD, shelf.worlds[case.world].to_json())
        kept_catalog = inputs.keep(Snapshot.Kind.CATALOG, shelf.catalog.to_json())
        run = Run.objects.create(
            by=by,
            origin=origin,
            case_id=case.id,
            case_title=case.title,
            case_snapshot=kept_case,
            world_snapshot=kept_world,
            catalog_snapshot=kept_catalog,
            setup=chosen.to_json(),
            setup_digest=chosen.comparison_key(
                case=kept_case.digest, world=kept_world.digest, catalog=kept_catalog.digest
            ),
            queued_at=Now(),
            retry_of=retry_of,
        )
        Lane.objects.bulk_create(Lane(run=run, position=n, arm=arm) for n, arm in enumerate(chosen.arms))
        created = {"case": case.id, "arms": list(chosen.arms), "by": by.username, "origin": origin}
        append(run.pk, [Draft("run.created", created), Draft("run.state", {"state": RunState.QUEUED.value})])
        dispatch.publish("route", run.pk)
    run.refresh_from_db()
    return run
