from __future__ import annotations

import re
from itertools import combinations, pairwise

from arena.catalogs.tool import Tool
from tests.arena.worlds.office import catalog

CODE_TOOLS = {
    "files": {"read_file", "list_directory", "file_stats", "compare_files"}
    | {"read_lines", "folder_tree", "largest_files", "compare_settings"},
    "search": {"search_text", "todo_scan", "search_nearby", "find_by_name"}
    | {"find_references", "find_definition", "find_unused_exports"},
    "proposals": {"propose_patch", "draft_test_proposal", "rename_symbol_proposal", "format_proposal"},
    "code": {
        "inspect_agent",
        "api_signature_lookup",
        "complexity_estimate",
        "explain_error",
        "translate_comment",
    },
    "project": {"dependency_lookup", "lint_rule_lookup", "license_lookup", "changelog_note", "issue_draft"},
}
COSTS = {"read_file": 1, "propose_patch": 3, "inspect_agent": 9, "search_text": 2, "complexity_estimate": 2}


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower()))


def test_the_code_tools_are_there_in_their_categories() -> None:
    assert {each: {tool.id for tool in catalog().members(each)} for each in CODE_TOOLS} == CODE_TOOLS


def test_costs_and_prerequisites_are_those_of_the_reference() -> None:
    assert {tool_id: catalog().tool(tool_id).cost_units for tool_id in COSTS} == COSTS
    assert catalog().with_prerequisites(["propose_patch", "draft_test_proposal"]) == (("read_file",), ())


def test_no_two_tools_share_more_than_half_of_their_words() -> None:
    def share(one: Tool, other: Tool) -> float:
        first, second = words(one.description), words(other.description)
        return len(first & second) / min(len(first), len(second))

    assert [(a.id, b.id) for a, b in combinations(catalog().tools, 2) if share(a, b) > 0.5] == []


def test_no_description_gives_away_an_id() -> None:
    told = [
        tool.id
        for tool in catalog().tools
        if any("_" in known and known in tool.description for known in catalog().ids)
    ]
    assert told == []


def test_descriptions_are_sentences() -> None:
    texts = [tool.description for tool in catalog().tools] + [each.description for each in catalog().categories]
    for text in texts:
        assert re.fullmatch(r"[A-Z].{30,200}\.", text), text


def test_categories_stay_together() -> None:
    row = [tool.category for tool in catalog().tools]
    changes = sum(one != other for one, other in pairwise(row))
    assert changes == len(set(row)) - 1
