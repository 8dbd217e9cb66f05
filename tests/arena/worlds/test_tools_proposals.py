from __future__ import annotations

from typing import Any

import pytest

from arena.worlds.patches import apply_patch
from arena.worlds.world import World
from tests.arena.worlds.office import act, fresh, refusal
from tests.arena.worlds.test_calls import PATCH

WHY = "An empty cart costs nothing."


def content(world: World, path: str) -> str:
    record = world.find("files", path)
    assert record is not None
    text: str = record["content"]
    return text


def test_a_patch_is_recorded_and_never_applied() -> None:
    world = fresh()
    before = content(world, "src/total.ts")
    answer = act(world, "propose_patch", path="src/total.ts", patch=PATCH, rationale=WHY)
    assert (answer["status"], answer["applied"], answer["applies"]) == ("recorded_pending", False, True)
    assert content(world, "src/total.ts") == before
    assert world.all("proposals") == [
        {
            "id": "proposal_1",
            "kind": "patch",
            "path": "src/total.ts",
            "patch": PATCH,
            "rationale": WHY,
            "applied": False,
        }
    ]


def test_a_patch_that_does_not_fit_is_recorded_and_says_so() -> None:
    patch = PATCH.replace("-  return prices", "-  return costs")
    answer = act(fresh(), "propose_patch", path="src/total.ts", patch=patch, rationale=WHY)
    assert answer["applies"] is False
    assert "line 6" in answer["problem"]


@pytest.mark.parametrize(
    ("path", "patch", "cause"),
    [
        ("src/gone.ts", PATCH, "names no file"),
        ("src/sum.ts", PATCH, "is for 'src/total.ts'"),
        ("src/total.ts", "add a start value", "no unified diff"),
    ],
)
def test_a_wrong_patch_is_refused(path: str, patch: str, cause: str) -> None:
    assert cause in refusal(fresh(), "propose_patch", path=path, patch=patch, rationale=WHY)


def test_proposals_of_one_session_have_a_common_limit() -> None:
    world = fresh()
    big = {"content": "x" * 16_000}
    for number in range(15):
        act(world, "draft_test_proposal", path=f"tests/big{number}.test.ts", **big)
    assert "256000 bytes" in refusal(world, "draft_test_proposal", path="tests/more.test.ts", **big)


@pytest.mark.parametrize("path", ["tests/total.test.ts", "a.spec.js", "deep/er/x.y.test.mjs"])
def test_a_test_draft_may_take_a_new_test_path(path: str) -> None:
    world = fresh()
    assert act(world, "draft_test_proposal", path=path, content="test();")["path"] == path
    assert world.all("proposals")[0]["kind"] == "test"


@pytest.mark.parametrize(
    ("path", "cause"),
    [
        ("tests/total.ts", "must end in"),
        ("tests/.test.ts", "must end in"),
        ("tests/total.test.py", "must end in"),
        ("/tests/total.test.ts", "relative"),
        ("C:/total.test.ts", "relative"),
        ("tests\\total.test.ts", "relative"),
        ("tests/to\ttal.test.ts", "relative"),
        ("tests//total.test.ts", "segment"),
        ("./total.test.ts", "segment"),
        ("tests/../total.test.ts", "segment"),
        ("tests/sum.test.ts", "taken"),
        ("tests/SUM.test.ts", "taken"),
    ],
)
def test_a_test_draft_is_refused_elsewhere(path: str, cause: str) -> None:
    assert cause in refusal(fresh(), "draft_test_proposal", path=path, content="test();")


def test_a_blank_test_draft_is_refused() -> None:
    assert "blank" in refusal(fresh(), "draft_test_proposal", path="tests/a.test.ts", content=" \n")


def rename(old: str, new: str, path: str = "src/money.ts") -> dict[str, Any]:
    return {"path": path, "from": old, "to": new}


def test_a_rename_covers_the_declaration_and_every_importer() -> None:
    world = fresh()
    edits = act(world, "rename_symbol_proposal", **rename("percentOf", "shareOf"))["edits"]
    assert [edit["path"] for edit in edits] == ["src/money.ts", "src/discount.ts", "src/tax.ts", "tests/money.test.ts"]
    for edit in edits:
        after = apply_patch(content(world, edit["path"]), edit["patch"])
        assert after == content(world, edit["path"]).replace("percentOf", "shareOf")


def test_a_rename_leaves_comments_strings_and_members_alone() -> None:
    world = fresh()
    edit = act(world, "rename_symbol_proposal", **rename("sum", "added", "src/sum.ts"))["edits"][-1]
    after = apply_patch(content(world, "tests/sum.test.ts"), edit["patch"])
    assert 'import { added } from "../src/sum";' in after
    assert edit["mentions_left"] == [2]


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        (rename("percentage", "shareOf"), "that file has roundToFive, percentOf, formatPrice"),
        (rename("percentOf", "formatPrice"), "already in use in src/money.ts"),
        (rename("percentOf", "vouchers"), "already in use in src/discount.ts"),
        (rename("percentOf", "return"), "no usable name"),
        (rename("percentOf", "share of"), "no usable name"),
        (rename("percentOf", "shareOf", "src/gone.ts"), "names no file"),
    ],
)
def test_a_wrong_rename_is_refused(arguments: dict[str, Any], cause: str) -> None:
    assert cause in refusal(fresh(), "rename_symbol_proposal", **arguments)


def test_a_format_proposal_follows_the_editor_settings() -> None:
    world = fresh()
    patch = act(world, "format_proposal", path="src/labels.ts")["patch"]
    after = apply_patch(content(world, "src/labels.ts"), patch)
    assert "\t" not in after
    assert all(line == line.rstrip() for line in after.split("\n"))
    assert after.endswith(";\n")


def test_a_tidy_file_needs_no_format_proposal() -> None:
    world = fresh()
    assert act(world, "format_proposal", path="src/sum.ts")["status"] == "nothing_to_do"
    assert world.all("proposals") == []


def test_a_format_proposal_needs_a_file() -> None:
    assert "names no file" in refusal(fresh(), "format_proposal", path="src/label.ts")
