"""What a selector is given of a run's menu: the one call that can be asked, stored and replayed."""

from __future__ import annotations

from arena import arms
from arena.cases.case import Case
from arena.catalogs.catalog import Catalog
from arena.catalogs.menus import Menu
from policy.engine.profile import Profile
from policy.engine.receipts import SelectionCall, TopKCall
from policy.engine.routing import HostTool, RoutingPolicy, flatten


def two_stage(
    case: Case, menu: Menu, catalog: Catalog, *, profile: Profile, ask_first: bool, member_lines: bool
) -> SelectionCall:
    """Relevance per category, then a pick per relevant one (seed 000)."""
    return SelectionCall(
        task=case.told,
        candidates=tuple(arms.candidates(menu, case.forbids)),
        categories=tuple(arms.categories(menu, catalog)),
        profile=profile,
        ask_first=ask_first,
        member_lines=member_lines,
    )


def top_k(case: Case, menu: Menu, *, policy: RoutingPolicy, profile: Profile) -> TopKCall:
    """One choice over the tools that the flat form can express (seed 002); what the case forbids is not available.

    Raises `RoutingRefused` where more than 254 tools would have to be offered.
    """
    flat = flatten(
        HostTool(tool.id, tool.description, tool.schema, tool.cost_units, tool.prerequisites) for tool in menu.tools
    )
    return TopKCall(
        task=case.told,
        catalog=flat.catalog,
        available_ids=tuple(tool.id for tool in flat.catalog if tool.id not in case.forbids),
        policy=policy,
        profile=profile,
        dependencies=flat.dependencies,
        left_out=flat.left_out,
        narrowed=flat.narrowed,
        loss=flat.loss,
    )
