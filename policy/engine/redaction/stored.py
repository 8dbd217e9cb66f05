"""A request as it may be kept: what was sent, without the credentials that a host left in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from policy.engine.redaction.names import REDACTED, secret_name
from policy.engine.redaction.strings import masked


@dataclass(frozen=True, slots=True)
class Stored:
    """`changed` says that this is not what was sent, and that its digest is another one."""

    value: Any
    changed: bool


def stored(wire: Mapping[str, Any]) -> Stored:
    """The wire form of a request with secrets masked: in the state by field name, and in every string by its form.

    Names in the questions are ids and labels (a tool may be called `rotate_token`), so they hide nothing.
    """
    kept = {name: _kept(value, named=name == "state") for name, value in wire.items()}
    return Stored(kept, kept != wire)


def _kept(value: Any, *, named: bool) -> Any:
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, Mapping):
        return {
            masked(key) if isinstance(key, str) else key: (
                REDACTED if named and secret_name(str(key)) else _kept(item, named=named)
            )
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_kept(item, named=named) for item in value]
    return value
