from __future__ import annotations

import pytest

from arena.worlds.world import Effect, World
from tests.arena.worlds.office import act, fresh, refusal


def with_file(path: str, content: str) -> World:
    world = fresh()
    world.apply([Effect("create", "files", path, {"path": path, "content": content})])
    return world


def test_references_are_the_calls_and_not_the_imports() -> None:
    answer = act(fresh(), "find_references", name="percentOf")
    places = [(use["path"], use["line"]) for use in answer["uses"]]
    assert answer["declared_in"] == "src/money.ts"
    assert places == [("src/discount.ts", 29), ("src/tax.ts", 28), ("tests/money.test.ts", 9)]


def test_references_in_tests_may_be_left_out() -> None:
    answer = act(fresh(), "find_references", name="percentOf", include_tests=False)
    assert answer["files"] == ["src/discount.ts", "src/tax.ts"]


def test_a_name_of_several_files_needs_its_path() -> None:
    world = with_file("src/other.ts", "export function sum(): number {\n  return 0;\n}\n")
    assert "is declared in src/other.ts, src/sum.ts; add the path" in refusal(world, "find_references", name="sum")
    assert act(world, "find_references", name="sum", path="src/other.ts")["count"] == 0


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        ({"name": "percentOff"}, "declared nowhere: 'percentOff'; the nearest are percentOf"),
        (
            {"name": "percentOf", "path": "src/tax.ts"},
            "not declared in src/tax.ts: 'percentOf'; it is declared in src/money",
        ),
        ({"name": "percentOf", "path": "src/taxes.ts"}, "did you mean src/tax.ts"),
    ],
)
def test_a_reference_to_nothing_is_refused(arguments: dict[str, str], cause: str) -> None:
    assert cause in refusal(fresh(), "find_references", **arguments)


def test_a_definition_has_its_place_and_head() -> None:
    found = act(fresh(), "find_definition", name="formatPrice")["definitions"]
    assert [(each["path"], each["line"], each["kind"]) for each in found] == [("src/money.ts", 19, "function")]
    assert found[0]["signature"] == "export function formatPrice(cents: number): string"


def test_every_definition_of_a_name_is_told() -> None:
    world = with_file("src/other.ts", "interface sum {\n  of: number;\n}\n")
    assert len(act(world, "find_definition", name="sum")["definitions"]) == 2
    assert len(act(world, "find_definition", name="sum", kind="interface")["definitions"]) == 1


def test_a_name_without_definition_is_refused() -> None:
    assert "the nearest are checkAddress" in refusal(fresh(), "find_definition", name="checkAdress")
    assert "declared nowhere" in refusal(fresh(), "find_definition", name="formatPrice", kind="class")


def test_exports_that_nobody_imports_are_listed() -> None:
    answer = act(fresh(), "find_unused_exports", directory="src/payments")
    unused = {each["name"]: each["used_inside"] for each in answer["unused"]}
    assert unused["secondAttemptAfterMs"] is True
    assert unused["needsApproval"] is False
    assert "authorise" not in unused


def test_types_are_examined_on_demand() -> None:
    names = [
        {each["name"] for each in act(fresh(), "find_unused_exports", directory="src/mail", **more)["unused"]}
        for more in ({}, {"include_types": True})
    ]
    assert names[1] - names[0] == {"Mail", "Send"}


def test_dead_code_of_an_unknown_folder_is_refused() -> None:
    assert "names no directory" in refusal(fresh(), "find_unused_exports", directory="source")
