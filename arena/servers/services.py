"""What can be done with catalogs of one's own: connect, import, list again, mark, approve, put away.

Everything is a person's own: what belongs to somebody else is not there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from arena.catalogs import differences, imports, listed, own
from arena.catalogs.catalog import Catalog
from arena.catalogs.differences import Difference
from arena.catalogs.listed import Listed, Listing, ListingFault
from arena.catalogs.own import Marks
from arena.errors import Conflict, Invalid, Unknown
from arena.servers import secrets as kept
from arena.servers import warming
from arena.servers.connection import Connection
from arena.servers.models import OwnCatalog, Source
from arena.servers.trouble import ServerTrouble
from policy.people import audit, vault
from policy.people.models import Role, User
from policy.people.services import require

MAX_OWN = 50


def of(by: User) -> list[OwnCatalog]:
    """The person's catalogs by name."""
    return list(OwnCatalog.objects.filter(by=by, archived_at__isnull=True))


def find(public_id: str, *, by: User) -> OwnCatalog:
    """One of the person's catalogs, by id or name; raises `Unknown`."""
    rows = OwnCatalog.objects.none() if "\x00" in public_id else OwnCatalog.objects.filter(by=by)
    row = rows.filter(archived_at__isnull=True).filter(public_id=public_id).first()
    row = row or rows.filter(archived_at__isnull=True).filter(name=public_id).first()
    if row is None:
        raise Unknown(f"You have no catalog {public_id[:40]!r}. The page Catalogs shows what there is.")
    return row


def connect(
    *,
    name: str,
    by: User,
    command: Sequence[str] = (),
    folder: str = "",
    url: str = "",
    secrets: Mapping[str, str] | None = None,
) -> OwnCatalog:
    """Connect a tool server, by command or by address, and list its tools; nothing is stored where that fails.

    A command runs as this site does, so it needs the role operator; an address needs the role member. Raises
    `Invalid` with the field and the cause, `NotAllowed`, and `Conflict` for a name that is taken.
    """
    require(Role.OPERATOR if command else Role.MEMBER, by=by)
    if command and not settings.TOOL_COMMANDS:
        raise Invalid("This site runs no commands (TOOL_COMMANDS is no): give the server's address instead.")
    if bool(command) == bool(url):
        raise Invalid("Give either a command or an address: a tool server is reached in one way.")
    given = dict(secrets or {})
    source = Source.STDIO if command else Source.HTTP
    row = OwnCatalog(by=by, name=_name(name), source=source, command=list(command), folder=folder, url=url.strip())
    row.secret_names = sorted(given)
    _refuse_taken(row)
    try:
        where = kept.target(row, given)
        row.url = "" if where.base is None else where.base.text
        with Connection(where) as server:
            listing, row.title = server.tools(), server.title
        row.sealed = kept.sealed(given, row=row)
    except ServerTrouble as trouble:
        raise Invalid(f"{row.name} cannot be used: {trouble}.") from None
    except ListingFault as fault:
        raise Invalid(f"{row.name} cannot be used: {fault}") from None
    except vault.VaultClosed as closed:
        raise Invalid(str(closed)) from None
    return _stored(row, listing, action="catalog.connected")


def import_document(*, name: str, text: str, by: User) -> OwnCatalog:
    """A catalog from a JSON document. Its tools run nowhere: what they would do is for the gate and the menu only.

    Raises `Invalid` with the entry, the field and the mend; then nothing is imported.
    """
    require(Role.MEMBER, by=by)
    row = OwnCatalog(by=by, name=_name(name), source=Source.JSON)
    _refuse_taken(row)
    try:
        listing, form = imports.read(text)
    except ListingFault as fault:
        raise Invalid(f"Nothing was imported. {fault}") from None
    row.title = {"openai": "OpenAI tools", "mcp": "MCP tools/list", "anthropic": "Anthropic tools"}[form]
    return _stored(row, listing, action="catalog.imported")


def list_again(row: OwnCatalog, *, by: User) -> OwnCatalog:
    """Ask the server what it lists now. What differs from the approved listing blocks every run until approved."""
    require(Role.MEMBER, by=by)
    if not row.is_server:
        raise Invalid(f"{row.name} is a document; import it again under another name.")
    try:
        with Connection(kept.target(row)) as server:
            listing, row.title = server.tools(), server.title
    except (ServerTrouble, ListingFault) as trouble:
        row.trouble = f"{trouble}".rstrip(".") + "."
        row.save(update_fields=["trouble"])
        return row
    return relist(row, listing)


def relist(row: OwnCatalog, listing: Listing) -> OwnCatalog:
    """Keep what the server lists now; marks of what stays are kept, new tools get a proposal."""
    row.marks = own.filled(row.name, listing, marks_of(row)).to_json()
    row.listing, row.listing_digest = [each.to_json() for each in listing], listed.digest(listing)
    row.listed_at, row.trouble = timezone.now(), ""
    row.save(update_fields=["marks", "listing", "listing_digest", "listed_at", "trouble", "title"])
    return row


def mark(row: OwnCatalog, marks: Marks, *, by: User) -> OwnCatalog:
    """Keep what the person says of the tools; runs see it after the next approval. Raises `Invalid`."""
    require(Role.MEMBER, by=by)
    _catalog(row, marks)
    row.marks, row.proposed = marks.to_json(), {}
    row.save(update_fields=["marks", "proposed"])
    return row


def approve(row: OwnCatalog, *, digest: str, by: User) -> OwnCatalog:
    """Let runs use the catalog as it was seen: `digest` is that of the listing on the person's page.

    Raises `Conflict` where the server lists something else by now, `Invalid` for marks that do not fit.
    """
    require(Role.MEMBER, by=by)
    if digest != row.listing_digest:
        raise Conflict(f"{row.name} lists other tools than those you saw. Look at them, then approve again.")
    catalog = _catalog(row, marks_of(row))
    with transaction.atomic():
        row.approved = {"listing": row.listing, "catalog": catalog.to_json()}
        row.approved_digest, row.approved_at = row.listing_digest, timezone.now()
        row.save(update_fields=["approved", "approved_digest", "approved_at"])
        audit.note("catalog.approved", f"{row.name} {digest[:12]}", by=by)
    warming.begin(catalog)
    return row


def archive(row: OwnCatalog, *, by: User) -> None:
    """Put the catalog away: no new run uses it, its secrets are gone, old runs stay as they are."""
    require(Role.MEMBER, by=by)
    with transaction.atomic():
        row.archived_at, row.sealed, row.secret_names = timezone.now(), "", []
        row.save(update_fields=["archived_at", "sealed", "secret_names"])
        audit.note("catalog.archived", row.name, by=by)


def listing_of(row: OwnCatalog) -> Listing:
    return tuple(Listed.from_json(each) for each in row.listing)


def marks_of(row: OwnCatalog) -> Marks | None:
    return Marks.from_json(row.marks) if row.marks else None


def catalog_of(row: OwnCatalog) -> Catalog:
    """The approved catalog; raises `Invalid` where runs may not use it now."""
    if reason := why_not(row):
        raise Invalid(reason)
    return Catalog.from_json((row.approved or {})["catalog"])


def why_not(row: OwnCatalog) -> str:
    """Why no run may use the catalog now, with the mend; empty where it may."""
    if row.archived_at is not None:
        return f"The catalog {row.name} was put away; choose another."
    if row.approved is None:
        return f"The catalog {row.name} is not approved yet: look at its tools on the page Catalogs and approve them."
    if row.approved_digest != row.listing_digest:
        return f"The tools of {row.name} have changed since you approved them: look at the difference and approve it."
    return ""


def changes(row: OwnCatalog) -> tuple[Difference, ...]:
    """What differs from the approved listing; empty before the first approval."""
    if row.approved is None:
        return ()
    before = tuple(Listed.from_json(each) for each in row.approved["listing"])
    return differences.between(before, listing_of(row))


def marks_changed(row: OwnCatalog) -> bool:
    """Whether the person marked something since the last approval; runs still use what was approved."""
    if row.approved is None:
        return False
    marks = marks_of(row)
    try:
        return marks is not None and _catalog(row, marks).to_json() != row.approved["catalog"]
    except Invalid:
        return True


def _stored(row: OwnCatalog, listing: Listing, *, action: str) -> OwnCatalog:
    row.marks = own.filled(row.name, listing).to_json()
    row.listing, row.listing_digest = [each.to_json() for each in listing], listed.digest(listing)
    row.listed_at = timezone.now()
    try:
        with transaction.atomic():
            row.save()
            audit.note(action, row.name, by=row.by)
    except IntegrityError:
        raise _taken(row.name) from None
    return row


def _catalog(row: OwnCatalog, marks: Marks | None) -> Catalog:
    listing = listing_of(row)
    try:
        return own.catalog(row.name, listing, marks or own.filled(row.name, listing), of_server=row.is_server)
    except ListingFault as fault:
        raise Invalid(str(fault)) from None


def _name(name: str) -> str:
    if not own.NAME.fullmatch(name):
        raise Invalid(f"The name {name[:40]!r} cannot be used: 1 to 31 small letters, digits and -, a letter first.")
    return name


def _refuse_taken(row: OwnCatalog) -> None:
    mine = OwnCatalog.objects.filter(by=row.by, archived_at__isnull=True)
    if mine.filter(name=row.name).exists():
        raise _taken(row.name)
    if mine.count() >= MAX_OWN:
        raise Invalid(f"You have {MAX_OWN} catalogs, and more are not kept; put one away first.")


def _taken(name: str) -> Conflict:
    return Conflict(f"You have a catalog {name} already; choose another name, or put that one away.")


def document(row: OwnCatalog) -> dict[str, Any]:
    """The catalog as the API tells it: never a secret, only their names."""
    return {
        "id": row.public_id,
        "name": row.name,
        "source": row.source,
        "title": row.title,
        "command": row.command,
        "folder": row.folder,
        "url": row.url,
        "secret_names": row.secret_names,
        "digest": row.listing_digest,
        "listed_at": row.listed_at.isoformat() if row.listed_at else None,
        "trouble": row.trouble,
        "approved_at": row.approved_at.isoformat() if row.approved_at else None,
        "usable": not why_not(row),
        "why_not": why_not(row),
        "tools": row.listing,
        "marks": row.marks,
        "proposed": row.proposed,
        "changes": [
            {"name": each.name, "kind": each.kind, "lines": [f"{line.sign}{line.text}" for line in each.lines]}
            for each in changes(row)
        ],
    }
