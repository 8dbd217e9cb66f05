"""What a person can compare: the cases of the files and their own, with the catalog and worlds of the chosen one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from arena.cases.case import Case
from arena.cases.fields import CaseFault
from arena.cases.load import BrokenCase
from arena.errors import Invalid
from arena.library import Library, library
from arena.own_cases import reading, services
from arena.own_cases.models import OwnCase
from policy.people.models import User


@dataclass(frozen=True, slots=True)
class RealTools:
    """Where the tools of a case really run: a catalog of a server, and the arms in which that is allowed."""

    catalog: str = ""
    arms: tuple[str, ...] = ()


def books(*, by: User, chosen: str = "") -> Library:
    """The library of this person; `catalog` and `worlds` are those of the chosen case where it is their own.

    A case of theirs that cannot be used now, because its catalog changed for instance, is among the broken ones.
    """
    base = library()
    cases: list[Case] = []
    broken: list[BrokenCase] = []
    catalog, worlds = base.catalog, base.worlds
    for row in services.of(by):
        try:
            case, own = services.case_of(row)
        except CaseFault as fault:
            broken.append(BrokenCase(row.title, row.public_id, fault.field, fault.reason, fault.mend))
        except Invalid as refusal:
            reason = f"cannot be used: {refusal.message.rstrip('.')}"
            broken.append(BrokenCase(row.title, row.public_id, "catalog", reason, "approve or change its catalog"))
        else:
            cases.append(case)
            if row.public_id == chosen:
                catalog = own
                worlds = {**base.worlds, case.world: reading.world(case.world, row.files, base.worlds)}
    mine = tuple(sorted(cases, key=lambda case: case.title.casefold()))
    return replace(base, cases=(*base.cases, *mine), broken=(*base.broken, *broken), catalog=catalog, worlds=worlds)


def real_tools(case_id: str, *, by: User) -> RealTools:
    """What of a case really runs; nothing for a case of the files and for one with an imported catalog."""
    row = OwnCase.objects.filter(by=by, public_id=case_id, archived_at__isnull=True).select_related("catalog").first()
    if row is None or row.catalog is None or not row.catalog.is_server:
        return RealTools()
    return RealTools(row.catalog.public_id, tuple(row.real_arms))
