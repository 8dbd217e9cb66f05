from __future__ import annotations

import builtins
import io
import json
import os
from pathlib import Path
from typing import Any, NoReturn

import pytest

from arena.catalogs.tool import Tool
from arena.worlds import calls
from arena.worlds.handlers import ToolError, ToolResult
from arena.worlds.world import Effect, World
from tests.arena.worlds.office import act, catalog, fresh, refusal

PATCH = (
    "--- a/src/total.ts\n+++ b/src/total.ts\n@@ -6,1 +6,1 @@\n"
    "-  return prices.reduce((running, price) => running + price);\n"
    "+  return prices.reduce((running, price) => running + price, 0);\n"
)
GOOD: dict[str, dict[str, Any]] = {
    "read_file": {"path": "src/sum.ts"},
    "list_directory": {"directory": "src"},
    "file_stats": {"path": "src/sum.ts"},
    "compare_files": {"left": "config/staging.json", "right": "config/production.json"},
    "read_lines": {"path": "src/shipping.ts", "first": 14, "last": 18},
    "folder_tree": {"directory": ".", "depth": 2},
    "largest_files": {"directory": "src"},
    "compare_settings": {"left": "config/staging.json", "right": "config/production.json"},
    "search_text": {"query": "requestTimeoutMs"},
    "find_references": {"name": "percentOf"},
    "find_definition": {"name": "formatPrice"},
    "find_by_name": {"pattern": "*.test.ts"},
    "search_nearby": {"first": "stock", "second": "reserve"},
    "find_unused_exports": {"directory": "src"},
    "todo_scan": {"directory": "."},
    "propose_patch": {"path": "src/total.ts", "patch": PATCH, "rationale": "An empty cart costs nothing."},
    "draft_test_proposal": {"path": "tests/total.test.ts", "content": "test();"},
    "rename_symbol_proposal": {"path": "src/helper.ts", "from": "clean", "to": "trimmed"},
    "format_proposal": {"path": "src/labels.ts"},
    "inspect_agent": {"task": "Which timeout ends a request?", "path": "src/config.ts"},
    "api_signature_lookup": {"path": "src/tax.ts", "name": "withTax"},
    "complexity_estimate": {"path": "src/shipping.ts", "name": "shippingCents"},
    "explain_error": {"message": "ZeroDivisionError"},
    "translate_comment": {"text": "Preise", "language": "English"},
    "dependency_lookup": {"name": "zod"},
    "lint_rule_lookup": {"rule": "semi"},
    "license_lookup": {"path": "src/sum.ts"},
    "changelog_note": {"summary": "carts may be empty"},
    "issue_draft": {"title": "Umlauts", "body": "The form refuses them."},
}


def call(world: World, tool_id: str) -> ToolResult:
    return calls.call(catalog().tool(tool_id), world, GOOD[tool_id])


def test_every_code_tool_has_an_example_here() -> None:
    categories = ("files", "search", "proposals", "code", "project")
    assert sorted(GOOD) == sorted(tool.id for each in categories for tool in catalog().members(each))


@pytest.mark.parametrize("tool_id", GOOD)
def test_a_right_call_answers_json_and_changes_only_what_its_effect_says(tool_id: str) -> None:
    world = fresh()
    before = world.to_json()
    result = call(world, tool_id)
    assert json.loads(json.dumps(result.content)) == result.content
    assert (world.to_json() != before) == (catalog().tool(tool_id).effect == "modify") == bool(result.effects)


@pytest.mark.parametrize("tool_id", GOOD)
def test_a_call_is_deterministic(tool_id: str) -> None:
    assert call(fresh(), tool_id) == call(fresh(), tool_id)


@pytest.mark.parametrize("tool_id", GOOD)
@pytest.mark.parametrize("wrong", [{"colour": "red"}, {"path": 7}, {}])
def test_wrong_arguments_are_refused_and_change_nothing(tool_id: str, wrong: dict[str, Any]) -> None:
    text = refusal(fresh(), tool_id, **wrong)
    assert text.endswith(".")
    assert ";" in text


def test_a_world_is_its_snapshot_and_the_effects() -> None:
    live = fresh()
    snapshot = live.to_json()
    effects = [effect for tool_id in (*GOOD, *GOOD) for effect in call(live, tool_id).effects]
    stored = json.loads(json.dumps([effect.to_json() for effect in effects]))
    rebuilt = World.from_json(snapshot, [Effect.from_json(each) for each in stored])
    assert len(effects) == 12
    assert rebuilt.to_json() == live.to_json()


def test_effects_may_be_applied_twice() -> None:
    world = fresh()
    effects = call(world, "propose_patch").effects
    once = world.to_json()
    world.apply(effects)
    assert world.to_json() == once


def test_no_call_touches_the_real_file_system(monkeypatch: pytest.MonkeyPatch) -> None:
    world, tools = fresh(), catalog()

    def refuse(*arguments: object, **options: object) -> NoReturn:
        raise AssertionError(f"a tool reached for the file system: {arguments}")

    with monkeypatch.context() as blocked:
        for module, name in ((builtins, "open"), (io, "open"), (os, "open"), (os, "scandir"), (os, "stat")):
            blocked.setattr(module, name, refuse)
        for name in ("open", "read_text", "read_bytes", "exists", "iterdir", "glob"):
            blocked.setattr(Path, name, refuse)
        results = [calls.call(tools.tool(tool_id), world, arguments) for tool_id, arguments in GOOD.items()]
    assert len(results) == len(GOOD)


def test_a_tool_without_a_handler_says_so() -> None:
    tool = Tool("fly", "files", "Flies.", {"type": "object", "properties": {}, "required": []}, "observe")
    with pytest.raises(ToolError, match="fly has no handler"):
        calls.call(tool, fresh(), {})


def test_a_second_proposal_gets_its_own_id() -> None:
    world = fresh()
    ids = [act(world, "propose_patch", **GOOD["propose_patch"])["id"] for _ in range(2)]
    assert ids == ["proposal_1", "proposal_2"]
