"""What the documents say about settings, dependencies and commands is compared with the files that decide it."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from jevsite.env import PROJECT

READERS = {"text", "flag", "number", "whole", "names", "secret", "concealed", "database"}
LISTS = sorted((PROJECT / "requirements").glob("*.txt"))


def _text(name: str) -> str:
    return (PROJECT / name).read_text(encoding="utf-8")


def _settings_read() -> set[str]:
    calls = [node for node in ast.walk(ast.parse(_text("jevsite/settings.py"))) if isinstance(node, ast.Call)]
    named = [call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr in READERS]
    return {str(call.args[0].value) for call in named if call.args and isinstance(call.args[0], ast.Constant)}


def _pinned() -> dict[str, str]:
    """The version of each package, or the two where a newer Python gets a newer one."""
    lines = "\n".join(file.read_text(encoding="utf-8") for file in LISTS)
    versions: dict[str, dict[str, None]] = {}
    for name, version in re.findall(r"^([a-z0-9-]+)(?:\[.*\])?==([^ ;]+)", lines, re.MULTILINE):
        versions.setdefault(name, {})[version] = None
    return {name: " (".join(found) + " from Python 3.12)" * (len(found) > 1) for name, found in versions.items()}


def _direct() -> set[str]:
    project: dict[str, Any] = tomllib.loads(_text("pyproject.toml"))
    extras = project["project"]["optional-dependencies"].values()
    wanted = [*project["project"]["dependencies"], *(line for extra in extras for line in extra)]
    wanted += [line for group in project["dependency-groups"].values() for line in group]
    return {str(re.match(r"[a-z0-9-]+", line)[0]) for line in wanted}  # type: ignore[index]


def test_every_variable_that_is_read_is_documented_and_no_other() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \|", _text("docs/operations.md"), re.MULTILINE)
    assert sorted(rows) == sorted(_settings_read())


def test_every_direct_dependency_has_a_line_with_its_pinned_version() -> None:
    document, pinned = _text("docs/dependencies.md"), _pinned()
    assert [name for name in sorted(_direct()) if f"| {name} | {pinned[name]} |" not in document] == []


def test_every_package_of_the_site_is_named() -> None:
    document = _text("docs/dependencies.md")
    names = re.findall(r"^([a-z0-9-]+)==", _text("requirements/run.txt"), re.MULTILINE)
    assert [name for name in names if not re.search(rf"(?<![a-z-]){name}(?![a-z-])", document)] == []


def test_every_vendored_package_is_named_with_its_version() -> None:
    document = _text("docs/dependencies.md")
    files = tomllib.loads(_text("static/vendor.toml"))["file"]
    pairs = {(file["package"].rpartition("/")[2], file["version"]) for file in files if "package" in file}
    missing = [name for name, version in pairs if not re.search(rf"{name}[^|]*\| {re.escape(version)} \|", document)]
    assert missing == []


@pytest.mark.parametrize("file", LISTS, ids=lambda file: file.name)
def test_a_list_holds_hashes_and_no_download_address(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert "://" not in text
    assert "index-url" not in text
    entries = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []


def test_the_lists_agree_on_every_version() -> None:
    versions: dict[str, set[str]] = {}
    for file in LISTS:
        for line in re.findall(r"^[a-z0-9-]+==.+$", file.read_text(encoding="utf-8"), re.MULTILINE):
            name, _, rest = line.partition("==")
            versions.setdefault(name + rest.partition(";")[2], set()).add(rest.split()[0])
    assert {name: found for name, found in versions.items() if len(found) > 1} == {}


def test_the_readme_fits_two_screens() -> None:
    text = _text("README.md")
    assert len(text.splitlines()) <= 120
    assert len(text.split()) <= 600


@pytest.mark.parametrize("document", ["README.md", "docs/operations.md", "docs/security.md", "docs/dependencies.md"])
def test_the_commands_that_documents_name_exist(document: str) -> None:
    targets = set(re.findall(r"^([a-z0-9]+):", _text("Makefile"), re.MULTILINE))
    named = set(re.findall(r"(?:`|\$ )make ([a-z0-9]+)", _text(document)))
    assert named <= targets
    commands = {file.stem for file in PROJECT.glob("*/management/commands/*.py")} | {"migrate"}
    assert set(re.findall(r"manage\.py ([a-z-]+)", _text(document))) <= commands


@pytest.mark.parametrize("document", ["README.md", "docs/operations.md", "docs/security.md", "docs/dependencies.md"])
def test_the_files_that_documents_link_to_exist(document: str) -> None:
    folder = (PROJECT / document).parent
    links = re.findall(r"\]\(([^)#:]+)\)", _text(document))
    assert [link for link in links if not (folder / link).exists()] == []
