"""What a source file looks like when it follows the world's own `.editorconfig`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from arena.worlds import lexing

CONFIG_PATH = ".editorconfig"
_SECTION = re.compile(r"^\[(?P<glob>[^\]]+)\]$")
_SETTING = re.compile(r"^(?P<name>[a-z_]+)\s*=\s*(?P<value>\S+)$")


def settings(config: str, path: str) -> dict[str, str]:
    """The settings that hold for a path; later sections win. Sections are `*` or `*.ending`, as in the fixture."""
    found: dict[str, str] = {}
    holds = False
    for raw in config.splitlines():
        line = raw.strip()
        section, setting = _SECTION.match(line), _SETTING.match(line)
        if section:
            holds = PurePosixPath(path).match(section["glob"])
        elif setting and holds:
            found[setting["name"]] = setting["value"]
    return found


def formatted(text: str, path: str, rules: Mapping[str, str]) -> str:
    """Indentation in blanks, no trailing blanks, one newline at the end; strings that span lines stay as they are."""
    width = int(rules.get("indent_size", "2"))
    trim = rules.get("trim_trailing_whitespace") == "true"
    kinds = lexing.kinds(text, path)
    lines = []
    position = 0
    for line in text.split("\n"):
        end = position + len(line)
        inside = position > 0 and kinds[position - 1] == lexing.STRING
        continues = end < len(text) and kinds[end] == lexing.STRING
        if not inside and rules.get("indent_style") == "space":
            body = line.lstrip("\t ")
            line = line[: len(line) - len(body)].replace("\t", " " * width) + body
        if trim and not continues:
            line = line.rstrip()
        lines.append(line)
        position = end + 1
    whole = "\n".join(lines)
    return whole.rstrip("\n") + "\n" if rules.get("insert_final_newline") == "true" and whole.strip() else whole
