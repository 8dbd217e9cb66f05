"""The variables and headers of a tool server, at rest."""

from __future__ import annotations

import json
from collections.abc import Mapping

from django.conf import settings

from arena.servers.models import OwnCatalog, Source
from arena.servers.target import Target, of_address, of_command
from arena.servers.trouble import ServerTrouble
from policy.engine.profile import InvalidConfig
from policy.people import vault
from policy.people.key_sources import allowances

LOST = "its secrets cannot be opened with the master key that is here; enter them again"


def sealed(secrets: Mapping[str, str], *, row: OwnCatalog) -> str:
    """The secrets as a text that may be stored; empty for none. Raises `VaultClosed`."""
    return vault.seal(json.dumps(dict(secrets)), owner=_owner(row)) if secrets else ""


def opened(row: OwnCatalog) -> dict[str, str]:
    """The secrets again; raises `ServerTrouble`."""
    if not row.sealed:
        return {}
    try:
        found: dict[str, str] = json.loads(vault.opened(row.sealed, owner=_owner(row)))
    except vault.VaultClosed as closed:
        raise ServerTrouble(str(closed)) from None
    except vault.NotOurs:
        raise ServerTrouble(LOST) from None
    return found


def target(row: OwnCatalog, secrets: Mapping[str, str] | None = None) -> Target:
    """Where the server is, with its secrets (None: the stored ones); raises `ServerTrouble`.

    The operator's rules may have changed since it was entered, so everything is checked again.
    """
    given = opened(row) if secrets is None else secrets
    try:
        if row.source == Source.STDIO:
            if not settings.TOOL_COMMANDS:
                raise ServerTrouble("this site runs no commands any more (TOOL_COMMANDS is no)")
            return of_command(row.name, row.command, folder=row.folder, secrets=given)
        return of_address(row.name, row.url, private=allowances().private_addresses, secrets=given)
    except InvalidConfig as wrong:
        raise ServerTrouble(str(wrong)) from None


def _owner(row: OwnCatalog) -> str:
    """A row that is copied to another person or catalog does not open."""
    return f"{row.by_id} {row.public_id}"
