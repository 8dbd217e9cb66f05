"""Strict reading of one table of a case file: every wrong field is named with what it may hold."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Mapping, Sequence
from typing import Any

Scalar = str | int | float | bool


class CaseFault(Exception):
    """One wrong field of a case: which, why, and how to mend it."""

    def __init__(self, field: str, reason: str, mend: str) -> None:
        super().__init__(f"{field}: {reason}; {mend}")
        self.field = field
        self.reason = reason
        self.mend = mend


def named(names: Collection[str]) -> str:
    """`a, b, c` for a sentence, in the given order; `(none)` when there is nothing to name."""
    return ", ".join(names) or "(none)"


class Fields:
    """The fields of one table; `done` refuses whatever nobody asked for."""

    def __init__(self, data: Any, where: str = "") -> None:
        if not isinstance(data, Mapping):
            raise CaseFault(where or "file", "is not a table", "write `name = value` lines")
        self._data = data
        self._where = where
        self._read: list[str] = []

    def path(self, name: str) -> str:
        return f"{self._where}.{name}" if self._where else name

    def fault(self, name: str, reason: str, mend: str) -> CaseFault:
        return CaseFault(self.path(name), reason, mend)

    def raw(self, name: str) -> Any:
        """The value as it stands, None when absent."""
        self._read.append(name)
        return self._data.get(name)

    def text(self, name: str) -> str:
        value = self.raw(name)
        if not isinstance(value, str) or not value.strip():
            raise self.fault(name, "is missing or empty" if value in (None, "") else "is not a text", "give it a text")
        return value.strip()

    def optional_text(self, name: str, default: str = "") -> str:
        self._read.append(name)
        return self.text(name) if name in self._data else default

    def choice(self, name: str, allowed: Sequence[str], default: str | None = None) -> str:
        value = self.text(name) if default is None else self.optional_text(name, default)
        if value not in allowed:
            raise self.fault(name, f"is “{value}”", f"use one of: {named(allowed)}")
        return value

    def count(self, name: str, default: int) -> int:
        value = self.raw(name)
        if value is None:
            return default
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise self.fault(name, "is not a whole number from 1", "write a number such as 1")
        return value

    def texts(self, name: str, *, least: int = 0) -> tuple[str, ...]:
        """A list of texts; absent counts as empty."""
        value = self.raw(name)
        value = [] if value is None else value
        if not isinstance(value, list | tuple) or not all(isinstance(item, str) and item.strip() for item in value):
            raise self.fault(name, "is not a list of texts", 'write it as ["one", "two"]')
        if len(value) < least:
            raise self.fault(name, f"holds {len(value)} of at least {least} texts", "add what is missing")
        return tuple(value)

    def scalars(self, name: str) -> dict[str, Scalar | list[Scalar]]:
        """A table of scalars and lists of scalars; absent counts as empty, a date becomes its ISO text."""
        value = self.raw(name)
        inner = Fields({} if value is None else value, self.path(name))
        return {key: _plain(inner, key, item) for key, item in inner._data.items()}

    def tables(self, name: str) -> list[Any]:
        value = self.raw(name)
        value = [] if value is None else value
        if not isinstance(value, list | tuple):
            raise self.fault(name, "is not a list of tables", f"begin each with [[{self.path(name)}]]")
        return list(value)

    def done(self) -> None:
        """Refuse the first field that was never read."""
        for name in self._data:
            if name not in self._read:
                raise self.fault(name, "is not a field of this table", f"use one of: {named(sorted(set(self._read)))}")


def _plain(fields: Fields, name: str, value: Any) -> Scalar | list[Scalar]:
    if isinstance(value, list | tuple):
        return [_scalar(fields, name, item) for item in value]
    return _scalar(fields, name, value)


def _scalar(fields: Fields, name: str, value: Any) -> Scalar:
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if not isinstance(value, str | int | float):
        raise fields.fault(name, "is neither a scalar nor a list of scalars", "write a text, a number, true or false")
    return value
