"""Tools on what stands in papers: two held together, one against its earlier wording, its dates and periods."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from datetime import date
from typing import Any

from arena.worlds import dates, prose, records
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.sources import shown
from arena.worlds.tools.documents import DOCUMENTS
from arena.worlds.world import Record, World

VERSIONS = "document_versions"
_ALIKE = 0.2
_PAIRS_SHOWN = 5


@handler("compare_documents")
def compare_documents(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Figures that one or both papers name, and the sentences that deal with the same matter, closest first."""
    first, second = (_paper(world, arguments, name) for name in ("first_id", "second_id"))
    if first["id"] == second["id"]:
        raise ToolError(f"The arguments first_id and second_id are both {first['id']}; name two papers.")
    one, other = (_on_subject(paper, arguments.get("subject")) for paper in (first, second))
    if not one and not other:
        cause = f"Neither paper says anything on the subject {shown(arguments['subject'])}"
        raise ToolError(f"{cause}; name another one, or leave it out.")
    figures, others = (list(dict.fromkeys(prose.figures(" ".join(each)))) for each in (one, other))
    return ToolResult(
        {
            "figures": {
                "in_both": [each for each in figures if each in others],
                f"only_in_{first['id']}": [each for each in figures if each not in others],
                f"only_in_{second['id']}": [each for each in others if each not in figures],
            },
            "alike": _pairs(one, other),
        }
    )


@handler("document_changes")
def document_changes(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Against the wording before the last revision, or the one that held on the day `since`."""
    paper = _paper(world, arguments, "document_id")
    earlier = sorted(
        (each for each in world.all(VERSIONS) if each["document_id"] == paper["id"]),
        key=lambda each: each["valid_from"],
    )
    if not earlier:
        known = sorted({each["document_id"] for each in world.all(VERSIONS)})
        raise ToolError(f"No earlier wording of {paper['id']} is kept; there is one of {', '.join(known)}.")
    base = _base(earlier, arguments)
    head = {"id": paper["id"], "title": paper["title"], "updated_on": paper["updated_on"]}
    if base is None:
        return ToolResult({**head, "compared_with": None, "changes": []})
    span = {name: base[name] for name in ("id", "valid_from", "replaced_on")}
    return ToolResult({**head, "compared_with": span, "changes": _changes(base["body"], paper["body"])})


@handler("extract_deadlines")
def extract_deadlines(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """Dates by day, then periods as they stand; a date without a year is the one nearest to the last revision."""
    paper = _paper(world, arguments, "document_id")
    written_on, kind = date.fromisoformat(paper["updated_on"]), arguments.get("kind")
    today = dates.parse(world.now).date()
    found, spans = [], []
    for sentence in prose.sentences(paper["body"]):
        for words, day in prose.dates(sentence, written_on):
            if day >= today or not arguments.get("ahead_only", False):
                found.append({"kind": "date", "words": words, "day": day.isoformat(), "sentence": sentence})
        spans += [
            {"kind": "period", "words": words, "day": None, "sentence": sentence} for words in prose.periods(sentence)
        ]
    found.sort(key=lambda each: str(each["day"]))
    rows = [*(found if kind != "period" else ()), *(spans if kind != "date" else ())]
    return ToolResult({"id": paper["id"], **records.capped("deadlines", rows, 50)})


def _paper(world: World, arguments: Mapping[str, Any], name: str) -> Record:
    return records.required(world, DOCUMENTS, arguments[name], argument=name, noun="document")


def _on_subject(paper: Record, subject: str | None) -> list[str]:
    wanted = prose.stems(subject or "")
    return [each for each in prose.sentences(paper["body"]) if not wanted or wanted & prose.stems(each)]


def _pairs(one: list[str], other: list[str]) -> list[dict[str, str]]:
    ranked = sorted(
        ((_likeness(first, second), first, second) for first in one for second in other),
        key=lambda ranked: (-ranked[0], ranked[1], ranked[2]),
    )
    return [{"first": first, "second": second} for share, first, second in ranked[:_PAIRS_SHOWN] if share >= _ALIKE]


def _likeness(first: str, second: str) -> float:
    one, other = prose.stems(first), prose.stems(second)
    return len(one & other) / len(one | other) if one and other else 0.0


def _base(earlier: list[Record], arguments: Mapping[str, Any]) -> Record | None:
    """The wording to compare with; None where the present one held already."""
    if "since" not in arguments:
        return earlier[-1]
    day = dates.moment(arguments, "since").date().isoformat()
    return next((each for each in earlier if day < each["replaced_on"]), None)


def _changes(before: str, after: str) -> list[dict[str, str]]:
    old, new = prose.sentences(before), prose.sentences(after)
    rows: list[dict[str, str]] = []
    for code, a, b, c, d in difflib.SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        if code != "equal":
            # Sentences that were only reworded are told one by one.
            pairs = (
                zip(old[a:b], new[c:d], strict=True) if b - a == d - c else [(" ".join(old[a:b]), " ".join(new[c:d]))]
            )
            rows += [{"was": was, "now": now} for was, now in pairs]
    return rows
