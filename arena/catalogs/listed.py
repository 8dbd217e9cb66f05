"""A tool as a stranger lists it: by a server of the user's own, or in a document that was imported."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from arena.catalogs import foreign_schemas
from arena.catalogs.schemas import SchemaError
from arena.catalogs.tool import ToolEffect
from arena.worlds import storable

MAX_TOOLS = 254
MAX_NAME_CHARS = 128
MAX_DESCRIPTION_CHARS = 8_000
_READS = ("get", "list", "read", "search", "find", "show", "describe", "fetch", "query", "count", "lookup", "view")


class ListingFault(Exception):
    """One wrong entry: which, in which field, why, and how to mend it. Nothing of its list is taken then."""

    def __init__(self, item: str, field: str, cause: str, mend: str) -> None:
        super().__init__(f"{item}: `{field}` {cause}; {mend}.")
        self.item = item
        self.field = field
        self.cause = cause
        self.mend = mend


@dataclass(frozen=True, slots=True)
class Hints:
    """What a server says of a tool's effects; None where it says nothing. A proposal, never a permission."""

    read_only: bool | None = None
    destructive: bool | None = None

    def to_json(self) -> dict[str, bool | None]:
        return {"read_only": self.read_only, "destructive": self.destructive}


@dataclass(frozen=True, slots=True)
class Listed:
    """One entry of a listing. `digest` covers name, description and schema: what a judge and an agent read."""

    name: str
    description: str
    schema: Mapping[str, Any]
    hints: Hints = Hints()

    @property
    def digest(self) -> str:
        text = [self.name, self.description, self.schema]
        return hashlib.sha256(json.dumps(text, sort_keys=True, separators=(",", ":")).encode()).hexdigest()

    @property
    def proposal(self) -> tuple[ToolEffect, str]:
        """The effect to propose and on whose word; the cautious one where nobody says anything."""
        if self.hints.read_only:
            return "observe", "the server says that it only reads"
        if self.hints.destructive is False:
            return "modify", "the server says that it destroys nothing"
        if self.hints.destructive or self.hints.read_only is False:
            return "destructive", "the server says that it may destroy"
        if self.name.lower().replace("-", "_").split("_")[0] in _READS:
            return "observe", "by its name; nobody says what it does"
        return "destructive", "nobody says what it does"

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "description": self.description,
            "schema": dict(self.schema),
            "hints": self.hints.to_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """A listing that was kept; it was checked when it came."""
        return cls(data["name"], data["description"], data["schema"], Hints(**data["hints"]))


Listing = tuple[Listed, ...]


def digest(listing: Listing) -> str:
    """SHA-256 over the digests of the tools by name: the order in which a server lists them says nothing."""
    return hashlib.sha256(" ".join(sorted(each.digest for each in listing)).encode()).hexdigest()


def entry(item: str, *, name: Any, description: Any, schema: Any, hints: Hints = Hints()) -> Listed:
    """One checked entry; `item` names it in a fault. Raises ListingFault."""
    if not isinstance(name, str) or not name.strip():
        raise ListingFault(item, "name", "is missing or empty", "give the tool a name")
    called = f"{item} ({name[:60]})"
    if len(name) > MAX_NAME_CHARS or not name.isprintable():
        raise ListingFault(called, "name", "is too long or holds a character that is not shown", "shorten it")
    description = "" if description is None else description
    if not isinstance(description, str):
        raise ListingFault(called, "description", "is no text", "write a text")
    if len(description) > MAX_DESCRIPTION_CHARS:
        cause = f"has {len(description):,} characters"
        raise ListingFault(called, "description", cause, f"keep to {MAX_DESCRIPTION_CHARS:,}")
    try:
        kept = foreign_schemas.checked({} if schema is None else schema)
    except SchemaError as wrong:
        raise ListingFault(called, wrong.field, wrong.cause, wrong.mend) from None
    listed = Listed(name, description.strip(), kept, hints)
    if unstorable := storable.problem(listed.to_json()):
        raise ListingFault(called, "tool", unstorable, "take that out")
    return listed


def together(entries: list[Listed], *, what: str) -> Listing:
    """The entries as one listing; raises ListingFault for none, too many, and two of one name."""
    if not entries:
        raise ListingFault(what, "tools", "holds no tool", "list at least one")
    if len(entries) > MAX_TOOLS:
        raise ListingFault(what, "tools", f"holds {len(entries):,} tools", f"keep to {MAX_TOOLS}")
    seen: set[str] = set()
    for each in entries:
        if each.name in seen:
            raise ListingFault(what, "name", f"“{each.name[:60]}” is there twice", "rename one")
        seen.add(each.name)
    return tuple(entries)
