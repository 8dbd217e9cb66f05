"""Writing, changing and putting away cases of one's own; what belongs to somebody else is not there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from arena.cases.case import Case
from arena.cases.fields import CaseFault, named
from arena.catalogs.catalog import Catalog
from arena.errors import Conflict, Invalid, Unknown
from arena.library import library
from arena.models import Arm
from arena.own_cases import reading
from arena.own_cases.models import OwnCase, case_id
from arena.own_cases.reading import OwnParts
from arena.servers import services as catalogs
from arena.servers.models import OwnCatalog
from policy.people import audit
from policy.people.models import Role, User
from policy.people.services import require

MAX_OWN = 500


class InvalidCase(Invalid):
    """One wrong field of a case: `field` says which, so that a form can say it there."""

    def __init__(self, fault: CaseFault) -> None:
        super().__init__(f"{fault.field} {fault.reason}; {fault.mend}.")
        self.field = fault.field
        self.cause = f"{fault.reason}; {fault.mend}."


def of(by: User) -> list[OwnCase]:
    """The person's cases, the newest change first."""
    rows = OwnCase.objects.filter(by=by, archived_at__isnull=True)
    return list(rows.select_related("catalog"))


def titles(*, by: User) -> dict[str, str]:
    """Titles by id of all the person's cases, those that were put away too: old runs have them."""
    return dict(OwnCase.objects.filter(by=by).values_list("public_id", "title"))


def find(public_id: str, *, by: User) -> OwnCase:
    """One of the person's cases; raises `Unknown`."""
    rows = OwnCase.objects.none() if "\x00" in public_id else OwnCase.objects.filter(by=by, archived_at__isnull=True)
    row = rows.filter(public_id=public_id).select_related("catalog").first()
    if row is None:
        raise Unknown(f"You have no case {public_id[:40]!r}. The page Cases shows what there is.")
    return row


def make(document: Any, *, by: User) -> OwnCase:
    """A new case of this document; raises `InvalidCase` with the field, and then nothing is kept."""
    require(Role.MEMBER, by=by)
    if OwnCase.objects.filter(by=by, archived_at__isnull=True).count() >= MAX_OWN:
        raise Invalid(f"You have {MAX_OWN} cases, and more are not kept; put one away first.")
    row = OwnCase(by=by, public_id=case_id(), changed_at=timezone.now())
    _read_into(row, document)
    with transaction.atomic():
        row.save()
        audit.note("case.made", row.public_id, by=by)
    return row


def change(row: OwnCase, document: Any, *, version: int, by: User) -> OwnCase:
    """A new version; `version` is the one that the person changed. Raises `InvalidCase` and `Conflict`."""
    require(Role.MEMBER, by=by)
    _read_into(row, document)
    values: dict[str, Any] = {
        "title": row.title,
        "document": row.document,
        "files": row.files,
        "catalog": row.catalog,
        "real_arms": row.real_arms,
        "changed_at": timezone.now(),
        "version": version + 1,
    }
    same = OwnCase.objects.filter(pk=row.pk, version=version, archived_at__isnull=True)
    if not same.update(**values):
        raise Conflict("This case was changed in the meantime; open it again and repeat your change.")
    row.version = version + 1
    return row


def archive(row: OwnCase, *, by: User) -> None:
    """Put the case away: no new run uses it, old runs stay as they are."""
    require(Role.MEMBER, by=by)
    row.archived_at = timezone.now()
    row.save(update_fields=["archived_at"])
    audit.note("case.archived", row.public_id, by=by)


def document(row: OwnCase) -> dict[str, Any]:
    """The case as `make` would take it again, with its id and version."""
    more: dict[str, Any] = {}
    if row.files:
        more["files"] = row.files
    if row.catalog is not None:
        more["catalog"] = row.catalog.name
    if row.real_arms:
        more["real_arms"] = row.real_arms
    return {**row.document, **more}


def case_of(row: OwnCase) -> tuple[Case, Catalog]:
    """The case with its catalog as runs may use it now; raises `Invalid` (the catalog) and `CaseFault`."""
    catalog = library().catalog if row.catalog is None else catalogs.catalog_of(row.catalog)
    found = reading.case(row.document, case_id=row.public_id, catalog=catalog, worlds=library().worlds)
    return found, catalog


def why_not(row: OwnCase) -> str:
    """Why no run of the case can be started now; empty where it can."""
    try:
        case_of(row)
    except CaseFault as fault:
        return f"{fault.field} {fault.reason}; {fault.mend}."
    except Invalid as refusal:
        return refusal.message
    return ""


def _read_into(row: OwnCase, document: Any) -> None:
    try:
        plain, parts = reading.split(_without_own_keys(document))
        row.catalog = _catalog(parts, row.by)
        catalog = library().catalog if row.catalog is None else _approved(row.catalog)
        found = reading.case(plain, case_id=row.public_id, catalog=catalog, worlds=library().worlds)
        reading.refuse_patterns(found)
        row.real_arms = _real_arms(parts, row.catalog)
    except CaseFault as fault:
        raise InvalidCase(fault) from None
    kept = found.to_json()
    del kept["id"]
    row.title, row.document, row.files = found.title, kept, dict(parts.files)


def _without_own_keys(document: Any) -> Any:
    """What the API adds to a document is no fault when it comes back."""
    if not isinstance(document, Mapping):
        return document
    return {name: value for name, value in document.items() if name not in ("id", "version")}


def _catalog(parts: OwnParts, by: User) -> OwnCatalog | None:
    if not parts.catalog:
        return None
    try:
        return catalogs.find(parts.catalog, by=by)
    except Unknown:
        mine = [row.name for row in catalogs.of(by)]
        raise CaseFault("catalog", f"is “{parts.catalog[:40]}”", f"use one of yours: {named(mine)}") from None


def _approved(row: OwnCatalog) -> Catalog:
    try:
        return catalogs.catalog_of(row)
    except Invalid as refusal:
        raise CaseFault("catalog", f"cannot be used now. {refusal.message.rstrip('.')}", "then save again") from None


def _real_arms(parts: OwnParts, catalog: OwnCatalog | None) -> list[str]:
    allowed = [arm.value for arm in Arm]
    for arm in parts.real_arms:
        if arm not in allowed:
            raise CaseFault("real_arms", f"holds “{arm[:40]}”", f"use some of: {named(allowed)}")
    if parts.real_arms and (catalog is None or not catalog.is_server):
        raise CaseFault("real_arms", "allows real tools, and the catalog has none", "leave it out")
    return list(parts.real_arms)
