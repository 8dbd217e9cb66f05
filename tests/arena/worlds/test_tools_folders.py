from __future__ import annotations

from arena.worlds.world import Effect, World
from tests.arena.worlds.office import act, fresh, refusal


def with_settings(content: str) -> World:
    world = fresh()
    world.apply([Effect("create", "files", "config/test.json", {"path": "config/test.json", "content": content})])
    return world


def test_a_tree_counts_what_it_does_not_draw() -> None:
    answer = act(fresh(), "folder_tree", directory="src", depth=1)
    assert (answer["files"], answer["folders"]) == (27, 4)
    assert answer["tree"].splitlines()[:5] == [
        "mail/ (3)",
        "payments/ (3)",
        "styles/ (1)",
        "suppliers/ (2)",
        "address.ts",
    ]


def test_a_tree_indents_what_lies_deeper() -> None:
    lines = act(fresh(), "folder_tree", directory=".")["tree"].splitlines()
    assert "  mail/ (3)" in lines
    assert "    mailer.ts" in lines


def test_a_tree_of_an_unknown_folder_is_refused() -> None:
    assert "names no directory: 'lib'" in refusal(fresh(), "folder_tree", directory="lib")
    assert "depth is 0; send at least 1" in refusal(fresh(), "folder_tree", directory=".", depth=0)


def test_the_largest_files_come_first() -> None:
    answer = act(fresh(), "largest_files", directory="src", limit=2)
    assert answer["files"] == [{"path": "src/shipping.ts", "lines": 37}, {"path": "src/catalog.ts", "lines": 32}]
    assert answer["of"] == 27


def test_what_makes_a_file_large_can_be_chosen() -> None:
    answer = act(fresh(), "largest_files", directory="src", measure="bytes", limit=1)
    assert answer["files"] == [{"path": "src/catalog.ts", "bytes": 1550}]
    assert "send one of lines, characters, bytes" in refusal(fresh(), "largest_files", directory="src", measure="age")


def test_settings_are_compared_by_key() -> None:
    answer = act(fresh(), "compare_settings", left="config/staging.json", right="config/production.json")
    assert [row["key"] for row in answer["different"]] == ["apiBaseUrl", "logLevel", "mailGroupSize"]
    assert (answer["equal"], answer["only_left"], answer["only_right"]) == (3, {}, {})


def test_nested_settings_have_dotted_keys() -> None:
    world = with_settings('{"logLevel": "warn", "mail": {"from": "shop", "retries": 2}}')
    answer = act(
        world, "compare_settings", left="config/test.json", right="config/production.json", only_differences=False
    )
    assert answer["only_left"] == {"mail.from": "shop", "mail.retries": 2}
    assert answer["same"] == {"logLevel": "warn"}


def test_only_json_settings_are_compared() -> None:
    wanted = {"left": "src/tax.ts", "right": "config/production.json"}
    assert "left names no JSON settings: src/tax.ts" in refusal(fresh(), "compare_settings", **wanted)
    assert "right names no file" in refusal(fresh(), "compare_settings", left="package.json", right="config/prod.json")
