"""Reading stored JSON: a field of exactly its kind, or a `ValueError` that names it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

Kind = TypeVar("Kind")


def field_of(value: object, name: str, kind: type[Kind]) -> Kind:
    """The field of a stored object, of exactly that kind."""
    item = value.get(name) if isinstance(value, Mapping) else None
    if not isinstance(item, kind) or (isinstance(item, bool) and kind is not bool):
        raise ValueError(f'"{name}" is not a {kind.__name__}')
    return item


def optional(value: Mapping[str, Any], name: str, kind: type[Kind]) -> Kind | None:
    """The same for a field that may be null or absent."""
    return None if value.get(name) is None else field_of(value, name, kind)


def texts(value: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """A list of texts."""
    items = field_of(value, name, list)
    if not all(isinstance(item, str) for item in items):
        raise ValueError(f'"{name}" is not a list of texts')
    return tuple(items)
