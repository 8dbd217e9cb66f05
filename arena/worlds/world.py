"""A world: synthetic records that the built-in tools act on, and the effects that change them.

Nothing here touches the real file system: a source file is a record of the collection `files`
(`{"path", "content"}`). A world at any time is its fixture plus the effects so far, so every
process can rebuild it from the events of a lane.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal, Self

Record = dict[str, Any]
Operation = Literal["create", "update", "delete"]


@dataclass(frozen=True, slots=True)
class Effect:
    """One change of one record. `fields` is the whole record for `create`, the changed fields for `update`."""

    op: Operation
    collection: str
    id: str
    fields: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        return {"op": self.op, "collection": self.collection, "id": self.id, "fields": dict(self.fields)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(op=data["op"], collection=data["collection"], id=data["id"], fields=dict(data["fields"]))


class World:
    """Collections of records by id; reads return copies, only `apply` changes anything."""

    def __init__(self, collections: Mapping[str, Mapping[str, Record]], *, name: str = "", now: str = "") -> None:
        self.name = name
        self.now = now
        self._collections: dict[str, dict[str, Record]] = {
            collection: {key: deepcopy(record) for key, record in records.items()}
            for collection, records in collections.items()
        }

    def all(self, collection: str) -> list[Record]:
        """Every record of a collection in fixture order, newest additions last; empty if there is none."""
        return [deepcopy(record) for record in self._collections.get(collection, {}).values()]

    def find(self, collection: str, key: str) -> Record | None:
        record = self._collections.get(collection, {}).get(key)
        return None if record is None else deepcopy(record)

    def next_id(self, collection: str, prefix: str) -> str:
        """The first unused `<prefix><n>`; deterministic, so that a replay names records alike."""
        number = len(self._collections.get(collection, {})) + 1
        while f"{prefix}{number}" in self._collections.get(collection, {}):
            number += 1
        return f"{prefix}{number}"

    def apply(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            records = self._collections.setdefault(effect.collection, {})
            if effect.op == "create":
                records[effect.id] = deepcopy(dict(effect.fields))
            elif effect.op == "update":
                records[effect.id] = {**records[effect.id], **deepcopy(dict(effect.fields))}
            else:
                records.pop(effect.id, None)

    def changed_since(self, before: World) -> list[tuple[str, str]]:
        """Collection and id of every record that is new, gone or different; nothing is copied to find them."""
        names = dict.fromkeys((*before._collections, *self._collections))
        pairs = [(name, before._collections.get(name, {}), self._collections.get(name, {})) for name in names]
        return [
            (name, key)
            for name, old, new in pairs
            for key in dict.fromkeys((*old, *new))
            if old.get(key) != new.get(key)
        ]

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "now": self.now, "collections": deepcopy(self._collections)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any], effects: Iterable[Effect] = ()) -> Self:
        """The world of a snapshot, brought up to date by `effects`."""
        world = cls(data["collections"], name=data["name"], now=data["now"])
        world.apply(effects)
        return world
