"""Tools on internal papers: find the right one, read it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.worlds import prose, records
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.world import Record, World

DOCUMENTS = "documents"
_TITLE_WEIGHT = 3


@handler("search_documents")
def search_documents(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Best first: a wanted word counts the more, the fewer papers hold it, and more in a title."""
    wanted = prose.stems(arguments["query"])
    if not wanted:
        raise ToolError("The argument query holds no word of three letters or more; name the subject.")
    documents = world.all(DOCUMENTS)
    weights = _weights(wanted, documents)
    ranked = sorted(
        ((_rank(document, weights), document) for document in documents if _of_kind(document, arguments)),
        key=lambda pair: (-pair[0], pair[1]["id"]),
    )
    found = [_brief(document, weights) for rank, document in ranked if rank]
    return ToolResult(records.capped("documents", found, arguments.get("limit", 5)))


@handler("read_document")
def read_document(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    key = arguments["document_id"]
    return ToolResult(records.required(world, DOCUMENTS, key, argument="document_id", noun="document"))


def _of_kind(document: Record, arguments: Mapping[str, Any]) -> bool:
    return "kind" not in arguments or document["kind"] == arguments["kind"]


def _weights(wanted: set[str], documents: list[Record]) -> dict[str, float]:
    stems = [prose.stems(f"{document['title']} {document['body']}") for document in documents]
    holders = {stem: sum(stem in each for each in stems) for stem in sorted(wanted)}
    return {stem: 1 / count for stem, count in holders.items() if count}


def _brief(document: Record, weights: Mapping[str, float]) -> dict[str, str]:
    passage = max(prose.sentences(document["body"]), key=lambda sentence: _weight(sentence, weights))
    return {"id": document["id"], "title": document["title"], "kind": document["kind"], "passage": passage}


def _rank(document: Record, weights: Mapping[str, float]) -> float:
    return _TITLE_WEIGHT * _weight(document["title"], weights) + _weight(document["body"], weights)


def _weight(text: str, weights: Mapping[str, float]) -> float:
    stems = prose.stems(text)
    return sum(weight for stem, weight in weights.items() if stem in stems)
