"""The real tools of one lane: one connection, opened at the first call, closed with the lane.

Nothing runs that the person did not allow: not in a lane that the case does not name, not a tool that is described
otherwise than when it was approved, and nothing destructive without an approved call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.catalogs.listed import Listed, Listing, ListingFault, digest
from arena.catalogs.own import said
from arena.catalogs.tool import Tool
from arena.servers import results, services
from arena.servers import secrets as kept
from arena.servers.connection import Cancelled, Connection
from arena.servers.models import OwnCatalog
from arena.servers.trouble import ServerTrouble
from arena.worlds.handlers import ToolBroke, ToolError, ToolResult

NOWHERE = "[jev] {tool} is of a list that was imported; there is no place where it runs. Use another tool."
NOT_HERE = "[jev] {tool} is a real tool, and its case does not allow real tools in this lane. Use another tool."
NOT_APPROVED = "[jev] {tool} may destroy something, so a person has to approve each call of it; nobody did."
CHANGED = (
    "[jev] {tool} is described otherwise by its server than when it was approved, so it is not called. "
    "A person has to look at the difference on the page of the catalog {name}."
)
GONE = "[jev] {tool} cannot be called: its catalog was put away, or it is not approved any more."


class LaneServers:
    """Carries out calls of tools with an `origin`. Use it as a context manager; it is for one thread."""

    def __init__(self, catalog_id: str, *, allowed: bool, cancelled: Cancelled | None = None) -> None:
        self._catalog_id = catalog_id
        self._allowed = allowed
        self._cancelled = cancelled
        self._connection: Connection | None = None
        self._row: OwnCatalog | None = None
        self._listed: Mapping[str, Listed] = {}

    def __enter__(self) -> LaneServers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection, and with it the processes of a server; harmless to call again."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.__exit__(None, None, None)

    def refusal(self, tool: Tool) -> str | None:
        """Why this tool cannot run in this lane at all, before anybody is asked about a call of it; None if it can."""
        if not tool.origin:
            return NOWHERE.format(tool=tool.id)
        return None if self._allowed else NOT_HERE.format(tool=tool.id)

    def call(self, tool: Tool, arguments: Mapping[str, Any], *, approved: bool = False) -> ToolResult:
        """Call the tool where it really runs; its words are a stranger's. Raises `ToolError` with the cause.

        `approved` says that a person approved exactly this call; without it nothing destructive runs.
        """
        if refused := self.refusal(tool):
            raise ToolError(refused)
        if tool.effect == "destructive" and not approved:
            raise ToolError(NOT_APPROVED.format(tool=tool.id))
        name, _, real_name = tool.origin.partition(".")
        try:
            connection = self._open(tool)
            listed = self._listed.get(real_name)
            if listed is None or listed.schema != tool.schema or said(listed) != tool.description:
                raise ToolError(CHANGED.format(tool=tool.id, name=name))
            result = connection.call(real_name, arguments, cancelled=self._cancelled)
        except ServerTrouble as trouble:
            # The next call opens a new connection: a server that died once may come up again.
            self.close()
            raise ToolBroke(f"The tool server {name} failed: {trouble}.") from None
        scrubbed = self._target.scrubbed
        if result.is_error:
            raise ToolError(str(scrubbed(results.words(result))))
        return ToolResult(scrubbed(results.content(result)))

    def _open(self, tool: Tool) -> Connection:
        if self._connection is not None:
            return self._connection
        row = OwnCatalog.objects.filter(public_id=self._catalog_id, archived_at__isnull=True).first()
        if row is None or row.approved is None:
            raise ToolError(GONE.format(tool=tool.id))
        self._target = kept.target(row)
        connection = Connection(self._target).__enter__()
        self._connection = connection
        try:
            listing = connection.tools()
        except ListingFault as fault:
            raise ServerTrouble(str(fault).rstrip(".")) from None
        self._listed = {each.name: each for each in listing}
        self._remember(row, listing)
        return connection

    def _remember(self, row: OwnCatalog, listing: Listing) -> None:
        """What is listed now stands on the catalog's page, so that a difference is there to be looked at."""
        if digest(listing) != row.listing_digest:
            services.relist(row, listing)
