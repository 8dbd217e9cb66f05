"""Addresses that open the lab with the same request: only what differs from its example, and never a secret."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from policy.engine.redaction import masked, secret_name
from policy.lab.forms import LabForm
from policy.lab.functions import Function

MAX_CHARS = 6_000
"""Of the whole address: what every browser, server and chat takes."""
TOO_LONG = "The request is too long for an address; take it along as JSON or as an API call."
SECRET = "The request holds what looks like a secret, so no address is made of it."


class NoLink(Exception):
    """Why there is no address for this request."""


def address(function: Function, form: LabForm, filled: Mapping[str, str], *, example: str, call: str = "") -> str:
    """The address of this request, and of its stored judgment where `call` names one; raises `NoLink`."""
    shown = form.shown
    if holds_secret(shown):
        raise NoLink(SECRET)
    known = {**form.DEFAULTS, **filled}
    given = {name: text for name, text in shown.items() if text != known.get(name, "")}
    query = {"example": example, **given, **({"judgment": call} if call else {})}
    found = f"{reverse('policy:lab', args=[function.key])}?{urlencode(query)}"
    if len(found) > MAX_CHARS:
        raise NoLink(TOO_LONG)
    return found


def holds_secret(shown: Mapping[str, str]) -> bool:
    """Whether a field has a secret in its text, or a JSON field a value under a secret name."""
    return any(masked(text) != text or _named_secret(text) for text in shown.values())


def _named_secret(text: str) -> bool:
    try:
        return _has_secret_key(json.loads(text)) if text.lstrip()[:1] in ("{", "[") else False
    except (ValueError, RecursionError):
        return False


def _has_secret_key(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(secret_name(str(key)) or _has_secret_key(item) for key, item in value.items())
    return isinstance(value, list) and any(_has_secret_key(item) for item in value)
