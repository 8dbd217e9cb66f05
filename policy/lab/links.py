"""Addresses that open the lab with the same request: only what differs from its example, and never a secret."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from django.urls import reverse

from policy.lab.forms import LabForm
from policy.lab.functions import Function
from policy.lab.secrets import holds_secret

MAX_CHARS = 6_000
"""Of the whole address: what every browser, server and chat takes."""
TOO_LONG = "The request is too long for an address; take it along as JSON or as an API call."
SECRET = "The request holds what looks like a secret, so no address is made of it."


class NoLink(Exception):
    """Why there is no address for this request."""


def address(
    function: Function, form: LabForm, filled: Mapping[str, str], *, example: str, call: str = "", under: str = ""
) -> str:
    """The address of this request, and of its stored judgment where `call` names one; raises `NoLink`.

    `under` is the digest of the profile that it was decided with.
    """
    shown = form.shown
    if any(map(holds_secret, shown.values())):
        raise NoLink(SECRET)
    known = {**form.DEFAULTS, **filled}
    given = {name: text for name, text in shown.items() if text != known.get(name, "")}
    query = {"example": example, **given, **({"judgment": call, "under": under[:12]} if call else {})}
    found = f"{reverse('policy:lab', args=[function.key])}?{urlencode(query)}"
    if len(found) > MAX_CHARS:
        raise NoLink(TOO_LONG)
    return found
