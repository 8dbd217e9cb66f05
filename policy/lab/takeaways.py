"""What people take along: the request and its judgment as JSON, and the same request as a call of the API."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import Any

from policy.engine.breakpoints import Breakpoints
from policy.engine.model_routing import Route
from policy.lab.forms import SCRIPTED, LabForm
from policy.lab.functions import Function
from policy.lab.secrets import without_secrets
from policy.services.asking import Judgment


def body(function: Function, form: LabForm) -> dict[str, Any]:
    """The body of the API call that asks the same, secrets masked; only what is not left to its default."""
    given = form.cleaned_data
    asked = {name: _plain(value) for name, value in form.inputs().items() if value not in (None, False, (), {})}
    saved = form.chosen_saved()
    named = form.chosen_profile().to_json() if saved is None else saved.reference
    own = {} if given["profile"] == "judge" else {"profile": named}
    return {**without_secrets(asked), "judge": given["judge"], **own, "mode": given["mode"]}


def curl(function: Function, form: LabForm, *, origin: str) -> str:
    """The API call for a shell; empty for the scripted judge, which takes its script from this page."""
    if form.cleaned_data["judge"] == SCRIPTED:
        return ""
    text = json.dumps(body(function, form), indent=2, ensure_ascii=False)
    head = "-H 'Content-Type: application/json'"
    return f"curl {origin}/api/policy/{function.api} {head} -d {shlex.quote(text)}"


def document(function: Function, form: LabForm, judgment: Judgment[Any], flips: Breakpoints | None) -> str:
    """Request, result, exchanges and break-points as one JSON document."""
    content = {
        "function": function.api,
        "request": body(function, form),
        "profile": judgment.profile.to_json(),
        **{key: value for key, value in judgment.to_json().items() if key != "profile"},
        "breakpoints": None if flips is None else flips.to_json(),
    }
    return json.dumps(content, indent=2, ensure_ascii=False, default=str)


def _plain(value: Any) -> Any:
    """The engine's values as the API takes them."""
    if isinstance(value, Route):
        return {name: item for name, item in value.to_json().items() if item is not None}
    if is_dataclass(value) and not isinstance(value, type):
        return {name: item for name, item in asdict(value).items() if item not in (None, False, ())}
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
