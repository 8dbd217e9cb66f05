"""What a real tool gives back, as an agent may read it: bounded, without pictures, a stranger's words."""

from __future__ import annotations

import json
from typing import Any

import mcp_types

from arena.worlds import storable

MAX_CHARS = 48_000
MAX_BLOCKS = 200


def content(result: mcp_types.CallToolResult) -> Any:
    """The structured result where there is one that fits, else `{"text": …}`; what is left out is said."""
    structured = result.structured_content
    if isinstance(structured, dict) and structured:
        size = _size(structured)
        if size is not None and size <= MAX_CHARS and storable.problem(structured) is None:
            return structured
    texts, others = _parts(result.content)
    whole = "\n".join(texts)
    given: dict[str, Any] = {"text": whole[:MAX_CHARS]}
    if len(whole) > MAX_CHARS:
        given["cut"] = f"{len(whole):,} characters came; the first {MAX_CHARS:,} are here."
    if others:
        given["left_out"] = others
    return given


def words(result: mcp_types.CallToolResult) -> str:
    """The text of a result that says it is an error."""
    texts, _ = _parts(result.content)
    return " ".join(" ".join(texts).split())[:2_000] or "The tool says that it failed, and not why."


def _parts(blocks: list[Any]) -> tuple[list[str], list[str]]:
    """The texts, and a word for each block that is none."""
    texts: list[str] = []
    others: list[str] = []
    for block in blocks[:MAX_BLOCKS]:
        resource = getattr(block, "resource", None)
        text = getattr(block, "text", None) or getattr(resource, "text", None)
        if isinstance(text, str):
            texts.append(text)
        elif isinstance(getattr(block, "data", None), str):
            others.append(f"{block.type} {block.mime_type}, about {len(block.data) * 3 // 4:,} bytes"[:120])
        elif block.type != "text":
            others.append(f"{block.type} {getattr(block, 'uri', '')}".strip()[:120])
    if len(blocks) > MAX_BLOCKS:
        others.append(f"{len(blocks) - MAX_BLOCKS:,} more parts")
    return texts, others


def _size(value: Any) -> int | None:
    try:
        return len(json.dumps(value, ensure_ascii=False))
    except (ValueError, RecursionError):
        return None
