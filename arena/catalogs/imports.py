"""A catalog from a JSON document: the tools array of OpenAI or Anthropic, or the answer to MCP's tools/list."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from arena.catalogs.listed import MAX_TOOLS, Hints, Listed, Listing, ListingFault, entry, together

Form = Literal["openai", "mcp", "anthropic"]
MAX_BYTES = 2_000_000
_WHAT = "The document"
_FORMS = "OpenAI's tools array, MCP's tools/list or Anthropic's tools"


def read(text: str) -> tuple[Listing, Form]:
    """The tools of a document and the form that it has; raises ListingFault, and then nothing is taken."""
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise ListingFault(_WHAT, "text", f"has more than {MAX_BYTES:,} bytes", "split it")
    try:
        document = json.loads(text)
    except json.JSONDecodeError as wrong:
        place = f"line {wrong.lineno}, column {wrong.colno}"
        raise ListingFault(_WHAT, "text", f"is no JSON ({wrong.msg} at {place})", "mend that place") from None
    except (ValueError, RecursionError):
        raise ListingFault(_WHAT, "text", "is nested too deep or holds a number without end", "shorten it") from None
    return listing(document)


def listing(document: Any) -> tuple[Listing, Form]:
    """The same for a document that is parsed already."""
    items = _items(document)
    if len(items) > MAX_TOOLS:
        raise ListingFault(_WHAT, "tools", f"holds {len(items):,} tools", f"keep to {MAX_TOOLS}")
    forms = [_form(f"Tool {number}", item) for number, item in enumerate(items, start=1)]
    entries = [_READERS[form](f"Tool {n}", item) for n, (form, item) in enumerate(zip(forms, items, strict=True), 1)]
    found = together(entries, what=_WHAT)
    if len(set(forms)) > 1:
        raise ListingFault(_WHAT, "tools", f"mixes the forms {' and '.join(sorted(set(forms)))}", "use one form")
    return found, forms[0]


def _items(document: Any) -> list[Any]:
    """The list of tools, also inside `tools` and inside a JSON-RPC `result`."""
    for _ in range(2):
        if isinstance(document, Mapping):
            document = document.get("result") if "result" in document else document.get("tools")
    if not isinstance(document, list):
        raise ListingFault(_WHAT, "tools", "is no list of tools", f"send {_FORMS}")
    return document


def _form(item: str, data: Any) -> Form:
    if isinstance(data, Mapping):
        if "inputSchema" in data:
            return "mcp"
        if "input_schema" in data:
            return "anthropic"
        if isinstance(data.get("function"), Mapping) or data.get("type") == "function":
            return "openai"
    raise ListingFault(item, "tool", f"is in none of the known forms ({_FORMS})", "give it its schema and its name")


def _openai(item: str, data: Mapping[str, Any]) -> Listed:
    inner = data["function"] if isinstance(data.get("function"), Mapping) else data
    return entry(item, name=inner.get("name"), description=inner.get("description"), schema=inner.get("parameters"))


def _mcp(item: str, data: Mapping[str, Any]) -> Listed:
    given: Any = data.get("annotations")
    notes: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    hints = Hints(_flag(notes.get("readOnlyHint")), _flag(notes.get("destructiveHint")))
    schema, description = data["inputSchema"], data.get("description")
    return entry(item, name=data.get("name"), description=description, schema=schema, hints=hints)


def _anthropic(item: str, data: Mapping[str, Any]) -> Listed:
    return entry(item, name=data.get("name"), description=data.get("description"), schema=data["input_schema"])


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


_READERS = {"openai": _openai, "mcp": _mcp, "anthropic": _anthropic}
