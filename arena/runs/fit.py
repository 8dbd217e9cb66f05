"""Whether a saved profile fits a comparison before it begins: what its passport would say of the call."""

from __future__ import annotations

from arena import offers
from arena.cases.case import Case
from arena.catalogs.catalog import Catalog
from arena.catalogs.menus import menu_for
from policy.calibration.fixtures import Kind
from policy.calibration.passport import Judged, Saved, mismatches
from policy.engine.profile import InvalidConfig
from policy.engine.selectors import TWO_STAGE
from policy.people.models import Purpose, User
from policy.services import arming, judges

LOCAL = "local"


def disarmed(
    saved: Saved, case: Case, catalog: Catalog, *, menu_size: int, seed: int, judge: str, selector: str, by: User
) -> tuple[str, ...]:
    """Why this profile would decide nothing in a run like that; empty where it is armed.

    Only what is known before the judge answers: another model that answers disarms in the run. `top-k` reads no
    threshold of a profile, so nothing of it can be disarmed there.
    """
    if selector != TWO_STAGE:
        return ()
    members = judge == LOCAL
    menu = menu_for(case, catalog, menu_size, seed)
    call = offers.two_stage(case, menu, catalog, profile=saved.profile, ask_first=True, member_lines=members)
    offered = arming.tools_menu(call.candidates, call.categories)
    asked = arming.asked(Kind.SELECTION, menu=offered, member_lines=members, limits=saved.profile.limits)
    return mismatches(saved.passport, asked, _judged(judge, by))


def _judged(judge: str, by: User) -> Judged:
    try:
        model = judges.model_for(judge, by=by, purpose=Purpose.ARENA)
        return Judged.of(judges.judge(judge, by=by, model=model, recovery="probability_sum_only"))
    except InvalidConfig:
        # Without a key there is no judge to compare; the slip says what it lacks elsewhere.
        return Judged(judge)
