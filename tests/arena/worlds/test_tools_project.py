from __future__ import annotations

import pytest

from arena.worlds.world import Effect
from tests.arena.worlds.office import act, fresh, refusal


@pytest.mark.parametrize(
    ("name", "version", "section"),
    [
        ("zod", "3.24.2", "dependencies"),
        ("Vitest", "3.0.6", "devDependencies"),
        ("openpyxl", "3.1.5", "requirements"),
    ],
)
def test_a_declared_version_is_told_with_its_place(name: str, version: str, section: str) -> None:
    answer = act(fresh(), "dependency_lookup", name=name)
    assert (answer["declared"], answer["version"], answer["section"]) == (True, version, section)


def test_a_package_that_nobody_declared_has_no_version() -> None:
    assert act(fresh(), "dependency_lookup", name="lodash") == {"name": "lodash", "declared": False, "version": None}
    assert "0 characters" in refusal(fresh(), "dependency_lookup", name="")


def test_a_lint_rule_has_severity_and_options() -> None:
    answer = act(fresh(), "lint_rule_lookup", rule="max-len")
    assert (answer["severity"], answer["options"]) == ("error", [{"code": 110, "ignoreUrls": True}])
    assert act(fresh(), "lint_rule_lookup", rule="eqeqeq")["severity"] == "error"


def test_a_rule_that_is_not_configured_is_told_so() -> None:
    assert act(fresh(), "lint_rule_lookup", rule="no-var")["configured"] is False
    assert "rule is missing" in refusal(fresh(), "lint_rule_lookup")


def test_broken_lint_settings_are_named() -> None:
    world = fresh()
    world.apply([Effect("update", "files", ".eslintrc.json", {"content": "{"})])
    assert ".eslintrc.json is no JSON" in refusal(world, "lint_rule_lookup", rule="semi")


@pytest.mark.parametrize(
    ("path", "licence", "holder"),
    [
        ("src/suppliers/feed.ts", "Apache-2.0", "Copyright 2021 Glimmer Supplies"),
        ("scripts/import_stock.py", "MIT", "Copyright 2025 Lamplight Works"),
        ("src/helper.ts", None, None),
    ],
)
def test_the_licence_comes_from_the_header(path: str, licence: str | None, holder: str | None) -> None:
    answer = act(fresh(), "license_lookup", path=path)
    assert (answer["license"], answer["copyright"]) == (licence, holder)
    assert answer["has_header"] == (licence is not None)


def test_a_licence_needs_a_file() -> None:
    assert "names no file" in refusal(fresh(), "license_lookup", path="src")


def test_a_changelog_note_is_a_bullet_for_the_next_release() -> None:
    world = fresh()
    answer = act(world, "changelog_note", summary=" empty carts\nare fine ")
    assert (answer["section"], answer["text"]) == ("Unreleased", "- Empty carts are fine.")
    assert world.all("drafts")[0]["published"] is False


def test_an_issue_is_drafted_and_not_published() -> None:
    world = fresh()
    act(world, "issue_draft", title="Umlauts", body="The form refuses them.\n")
    assert world.all("drafts") == [
        {
            "id": "draft_1",
            "kind": "issue",
            "title": "Umlauts",
            "body": "The form refuses them.",
            "published": False,
        }
    ]


def test_blank_drafts_are_refused() -> None:
    assert "summary is blank" in refusal(fresh(), "changelog_note", summary="  ")
    assert "body is blank" in refusal(fresh(), "issue_draft", title="Umlauts", body=" ")
