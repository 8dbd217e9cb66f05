"""Bodies of the API: JSON in which every name stands once."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest
from ninja.parser import Parser


class Twice(ValueError):
    """A name that stands twice in one object: of its two values, the next reader could take the other one."""


class BodyParser(Parser):
    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(request.body, object_pairs_hook=_object)
        return body


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise Twice(next(name for name in names if names.count(name) > 1))
    return found


def trouble(cause: ValueError | RecursionError) -> str:
    """Why a body could not be read, and how to mend it."""
    if isinstance(cause, RecursionError):
        return "The body is nested too deeply to be read. Send less depth."
    if isinstance(cause, Twice):
        return f"The body names {str(cause)[:80]!r} twice in one object. Leave one of them out."
    if isinstance(cause, json.JSONDecodeError | UnicodeDecodeError):
        return f"The body is not JSON: {cause}. Send one JSON object in UTF-8."
    return "The body holds a number of too many digits. Send it as a text."
