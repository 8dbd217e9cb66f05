"""The source files of a world as tools see them: find one, list some, say what is near a wrong path."""

from __future__ import annotations

import difflib

from arena.worlds.handlers import ToolError
from arena.worlds.load import FILES
from arena.worlds.world import World


def text(world: World, path: str, *, argument: str = "path") -> str:
    """The content of one file; raises ToolError that names `argument` and near paths."""
    record = world.find(FILES, path)
    if record is None:
        raise ToolError(f"The argument {argument} names no file of this project: {shown(path)}; {_near(world, path)}.")
    content: str = record["content"]
    return content


def all_texts(world: World) -> dict[str, str]:
    """Every file's content by path, sorted by path."""
    return {record["path"]: record["content"] for record in sorted(world.all(FILES), key=lambda each: each["path"])}


def below(world: World, directory: str) -> dict[str, str]:
    """The files in a directory and its subdirectories; raises ToolError if there are none."""
    prefix = directory_prefix(directory)
    found = {path: content for path, content in all_texts(world).items() if path.startswith(prefix)}
    if not found:
        known = ", ".join(directories(world))
        raise ToolError(f"The argument directory names no directory: {shown(directory)}; use one of {known}.")
    return found


def directory_prefix(directory: str) -> str:
    """The start of every path in a directory; the root may be written as `.`, `./` or `/`."""
    cleaned = directory.strip().removeprefix("./").strip("/")
    return "" if cleaned in ("", ".") else f"{cleaned}/"


def directories(world: World) -> list[str]:
    """Every directory of the world, the root as `.` first."""
    parents = {path.rpartition("/")[0] for path in all_texts(world)}
    steps = {"/".join(parent.split("/")[:depth]) for parent in parents for depth in range(1, parent.count("/") + 2)}
    return [".", *sorted(steps - {""})]


def shown(value: str) -> str:
    """A foreign value in quotes, cut to what fits into a sentence."""
    return repr(value if len(value) <= 80 else value[:77] + "...")


def _near(world: World, path: str) -> str:
    paths = list(all_texts(world))
    name = path.rpartition("/")[2]
    same_name = [known for known in paths if known.rpartition("/")[2] == name]
    near = same_name or difflib.get_close_matches(path, paths, n=3, cutoff=0.6)
    return f"did you mean {', '.join(near)}" if near else "use a path as the project lists it, like README.md"
