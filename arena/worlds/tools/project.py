"""Tools about the project around the code: versions, lint settings, licences, change notes, issues."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from arena.worlds import lexing, sources
from arena.worlds.handlers import ToolError, ToolResult, handler
from arena.worlds.world import Effect, World

PACKAGE, LINT, CHANGELOG = "package.json", ".eslintrc.json", "CHANGELOG.md"
DRAFTS = "drafts"
_SECTIONS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)\s*(?P<version>[=<>~!].*)$", re.MULTILINE)
_SPDX = re.compile(r"SPDX-License-Identifier:\s*(?P<id>[\w.+-]+)")
_COPYRIGHT = re.compile(r"Copyright\s+(?P<years>[\d, -]+)\s+(?P<holder>.+)")


@handler("dependency_lookup")
def dependency_lookup(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """A package that nobody declared is an answer, not a mistake."""
    name = arguments["name"].strip()
    for declared, version, section, path in _dependencies(world):
        if declared.lower() == name.lower():
            return ToolResult(
                {"name": declared, "declared": True, "version": version, "section": section, "path": path}
            )
    return ToolResult({"name": name, "declared": False, "version": None})


@handler("lint_rule_lookup")
def lint_rule_lookup(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    rule = arguments["rule"].strip()
    rules = _json(world, LINT).get("rules", {})
    if rule not in rules:
        return ToolResult({"rule": rule, "configured": False, "severity": None, "options": []})
    severity, *options = rules[rule] if isinstance(rules[rule], list) else [rules[rule]]
    return ToolResult({"rule": rule, "configured": True, "severity": severity, "options": options, "path": LINT})


@handler("license_lookup")
def license_lookup(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    path = arguments["path"]
    header = _header(sources.text(world, path), path)
    spdx, copyright_line = _SPDX.search(header), _COPYRIGHT.search(header)
    return ToolResult(
        {
            "path": path,
            "has_header": bool(spdx or copyright_line),
            "license": spdx["id"] if spdx else None,
            "copyright": copyright_line[0].strip() if copyright_line else None,
            "project_license": _json(world, PACKAGE).get("license"),
        }
    )


@handler("changelog_note")
def changelog_note(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    """One bullet for the section that is not released yet; the changelog itself stays as it is."""
    summary = " ".join(arguments["summary"].split())
    if not summary:
        raise ToolError("The argument summary is blank; say in a sentence what changes for users.")
    sentence = summary[0].upper() + summary[1:] + ("" if summary[-1] in ".!?" else ".")
    headings = re.findall(r"^## (.+)$", sources.text(world, CHANGELOG), re.MULTILINE)
    section = headings[0] if headings and "(" not in headings[0] else "Unreleased"
    return _drafted(world, {"kind": "changelog", "path": CHANGELOG, "section": section, "text": f"- {sentence}"})


@handler("issue_draft")
def issue_draft(world: World, arguments: Mapping[str, Any]) -> ToolResult:
    title, body = " ".join(arguments["title"].split()), arguments["body"].strip()
    for name, value in (("title", title), ("body", body)):
        if not value:
            raise ToolError(f"The argument {name} is blank; send the {name} of the issue.")
    return _drafted(world, {"kind": "issue", "title": title, "body": body})


def _drafted(world: World, fields: Mapping[str, Any]) -> ToolResult:
    key = world.next_id(DRAFTS, "draft_")
    record = {"id": key, **fields, "published": False}
    return ToolResult({"status": "drafted", **record}, (Effect("create", DRAFTS, key, record),))


def _dependencies(world: World) -> Iterator[tuple[str, str, str, str]]:
    package = _json(world, PACKAGE)
    for section in _SECTIONS:
        for name, version in package.get(section, {}).items():
            yield name, version, section, PACKAGE
    for path, content in sources.all_texts(world).items():
        if path.rpartition("/")[2] == "requirements.txt":
            for found in _PINNED.finditer(content):
                yield found["name"], found["version"].removeprefix("=="), "requirements", path


def _json(world: World, path: str) -> dict[str, Any]:
    try:
        data = json.loads(sources.text(world, path))
    except json.JSONDecodeError as error:
        raise ToolError(f"The project's {path} is no JSON: {error}; it has to be mended first.") from None
    return data if isinstance(data, dict) else {}


def _header(text: str, path: str) -> str:
    """The comments before the first line of code."""
    lines = []
    for code, comment in zip(
        lexing.code_only(text, path).split("\n"), lexing.comment_only(text, path).split("\n"), strict=True
    ):
        if code.strip():
            break
        lines.append(comment)
    return "\n".join(lines)
