"""What an approval is bound to, and how its arguments are kept until it is used."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.utils.crypto import constant_time_compare, salted_hmac

from arena.approvals.models import Approval
from policy.engine.redaction.stored import stored
from policy.people import vault


class Unbindable(Exception):
    """The arguments are no JSON object, or cannot be kept sealed; the text says why."""


def digest(lane: str, call: int, tool: str, arguments: Mapping[str, Any]) -> str:
    """Over lane, number of the call, tool and every argument, in 64 hex digits; raises `Unbindable`.

    Keyed with the site's secret: who sees it beside the redacted form cannot try out what was redacted.
    """
    bound = json.dumps([lane, call, tool]) + written(arguments)
    return salted_hmac("arena.approvals", bound, algorithm="sha256").hexdigest()


def same(one: str, other: str) -> bool:
    return constant_time_compare(one, other)


def written(arguments: Mapping[str, Any]) -> str:
    """The arguments as canonical JSON: keys sorted, nothing cut; raises `Unbindable`."""
    try:
        return json.dumps(dict(arguments), sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as wrong:
        raise Unbindable("the arguments are no plain JSON") from wrong


def sealed(approval: str, arguments: Mapping[str, Any]) -> str:
    """The arguments, readable for the one execution only; raises `Unbindable` where there is no master key."""
    try:
        return vault.seal(written(arguments), owner=approval)
    except vault.VaultClosed as closed:
        raise Unbindable(f"the arguments cannot be kept sealed: {closed}") from closed


def opened(row: Approval) -> dict[str, Any]:
    """The arguments as they were sealed; raises `Unbindable` where they were erased or exchanged."""
    try:
        arguments = json.loads(vault.opened(row.sealed, owner=row.public_id))
    except (vault.VaultClosed, vault.NotOurs, ValueError) as wrong:
        raise Unbindable("the sealed arguments cannot be read") from wrong
    if not isinstance(arguments, dict):
        raise Unbindable("the sealed arguments are no object")
    return arguments


def shown(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments as a page and an event may show them: secrets masked by name and by form."""
    redacted: dict[str, Any] = stored({"state": dict(arguments)}).value["state"]
    return redacted
