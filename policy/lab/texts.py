"""What people type into the lab, read and written: a tool, a category, a route or a restriction a line, or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from policy.engine.bounds import sendable
from policy.engine.model_routing import Route, RouteClass, Target
from policy.engine.selection import Candidate, Category
from policy.engine.skill_routing import Skill

MOST_LINES = 2000
# Far more than any call that is assessed has, and far from Python's own limit.
MOST_DEPTH = 100
TOO_DEEP = f"This JSON is nested too deeply to be read; {MOST_DEPTH} levels are the most."


class Unreadable(ValueError):
    """What is wrong with a text, where, and how to mend it."""


def lines(text: str) -> list[str]:
    """Every line that says something, trimmed; raises `Unreadable` above 2,000."""
    found = [line.strip() for line in text.splitlines() if line.strip()]
    if len(found) > MOST_LINES:
        raise Unreadable(f"{len(found):,} lines are too many; at most {MOST_LINES:,} are read.")
    return found


def parsed_object(text: str) -> dict[str, Any]:
    """A JSON object, empty for an empty text; raises `Unreadable` with line and column."""
    if not text.strip():
        return {}
    value = _parsed(text)
    if not isinstance(value, dict):
        raise Unreadable('This is not a JSON object; write {"name": "value"}.')
    return value


def as_json(value: Mapping[str, Any]) -> str:
    """As people read and edit it."""
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)


def read_tools(text: str, *, restricted: Iterable[str] = ()) -> list[Candidate]:
    """Tools as `category / id: description`, one a line, or a JSON list of objects with `id` (or `name`)."""
    hidden = set(restricted)
    if text.lstrip().startswith("["):
        return [_tool(number, item, hidden) for number, item in enumerate(_parsed(text), start=1)]
    return [_tool_line(number, line, hidden) for number, line in enumerate(lines(text), start=1)]


def write_tools(candidates: Sequence[Candidate]) -> str:
    """The form that `read_tools` reads; restricted marks are written elsewhere."""
    return "\n".join(_tool_text(candidate) for candidate in candidates)


def read_categories(text: str) -> list[Category]:
    """Categories as `id: description`, one a line."""
    return [Category(name, about) for name, about in read_pairs(text)]


def write_categories(categories: Sequence[Category]) -> str:
    return "\n".join(_line(each.id, each.description) for each in categories)


def read_pairs(text: str) -> list[tuple[str, str | None]]:
    """`name: words about it` a line; raises `Unreadable` where a line begins with a colon."""
    found = [_pair(line) for line in lines(text)]
    for number, (name, _) in enumerate(found, start=1):
        if not name:
            raise Unreadable(f"Line {number} has no name; write “name: description”.")
    return found


def _pair(line: str) -> tuple[str, str | None]:
    """Parted by a colon and a space: a name may hold colons of its own."""
    name, _, about = f"{line} ".partition(": ")
    return name.strip(), about.strip() or None


def _tool_line(number: int, line: str, hidden: set[str]) -> Candidate:
    head, about = _pair(line)
    category, slash, tool = f" {head}".rpartition(" / ")
    if not tool.strip() or (slash and not category.strip()):
        raise Unreadable(f"Line {number} names no tool; write “category / tool: description”.")
    groups = tuple(part.strip() for part in category.split(",") if part.strip())
    return Candidate(tool.strip(), groups, about, tool.strip() in hidden)


def _tool(number: int, item: Any, hidden: set[str]) -> Candidate:
    given = item if isinstance(item, dict) else {}
    tool = given.get("id", given.get("name"))
    if not isinstance(tool, str) or not tool.strip():
        raise Unreadable(f'Entry {number} of the list has no "id"; write {{"id": "…", "categories": ["…"]}}.')
    about, priority = given.get("description"), given.get("priority")
    groups = given.get("categories", [])
    if not isinstance(groups, list) or not all(isinstance(group, str) for group in groups):
        raise Unreadable(f'"categories" of entry {number} is not a list of texts.')
    if isinstance(priority, bool) or not isinstance(priority, int | None):
        raise Unreadable(f'"priority" of entry {number} is not a whole number.')
    if not isinstance(about, str | None):
        raise Unreadable(f'"description" of entry {number} is not a text.')
    if not isinstance(restricted := given.get("restricted", False), bool):
        raise Unreadable(f'"restricted" of entry {number} is neither true nor false.')
    return Candidate(tool, tuple(groups), about, tool in hidden or restricted, priority)


def _tool_text(candidate: Candidate) -> str:
    groups = ", ".join(candidate.categories)
    return _line(f"{groups} / {candidate.id}" if groups else candidate.id, candidate.description)


def _line(name: str, about: str | None) -> str:
    return f"{name}: {' '.join(about.split())}" if about else name


def _parsed(text: str) -> Any:
    """JSON that can be shown, sent and kept; of two fields of one name it is not for us to say which one counts."""
    try:
        value = json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise Unreadable(f"This is not JSON: {error.msg} in line {error.lineno}, column {error.colno}.") from error
    except RecursionError as error:
        raise Unreadable(TOO_DEEP) from error
    except Unreadable:
        raise
    except ValueError as error:
        raise Unreadable("This JSON holds a number of too many digits; write it as a text.") from error
    _check_depth(value)
    if not sendable(json.dumps(value, ensure_ascii=False)):
        raise Unreadable("This JSON holds half of a character (\\ud800 to \\udfff); write both halves or neither.")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Unreadable(f"The field {json.dumps(twice)[:80]} stands twice in one object; leave one of them out.")
    return found


def _check_depth(value: Any) -> None:
    level = [value]
    for _ in range(MOST_DEPTH):
        level = [item for each in level if isinstance(each, dict | list) for item in _items(each)]
    if any(isinstance(each, dict | list) for each in level):
        raise Unreadable(TOO_DEEP)


def _items(value: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value


def read_target(text: str) -> Target:
    """A model as `provider/model`; the model may hold further slashes."""
    provider, slash, model = text.strip().partition("/")
    if not slash:
        raise Unreadable(f"“{text.strip()[:80]}” names no model; write “provider/model”.")
    return Target(provider.strip(), model.strip())


def read_routes(text: str) -> dict[str, Route | None]:
    """Routes as `class = provider/model: what it is good for`, one a line; a class alone has no model."""
    found: dict[str, Route | None] = {}
    for number, line in enumerate(lines(text), start=1):
        name, route = _route(number, line)
        if name in found:
            raise Unreadable(f"Line {number} gives {name} a second time; leave one of them out.")
        found[name] = route
    return found


def read_skills(text: str) -> list[Skill]:
    """Skills as `name: description | when to use it`, one a line."""
    return [_skill(name, about) for name, about in read_pairs(text)]


def _route(number: int, line: str) -> tuple[str, Route | None]:
    name, _, rest = (part.strip() for part in line.partition("="))
    if name not in tuple(RouteClass):
        raise Unreadable(f"Line {number} begins with none of {', '.join(RouteClass)}; write “fast = provider/model”.")
    # A model may hold a colon of its own; what is said about it follows a colon and a space.
    target, _, about = rest.partition(": ")
    return name, Route(read_target(target), about.strip() or None) if target else None


def _skill(name: str, about: str | None) -> Skill:
    description, _, when = (part.strip() for part in (about or "").partition("|"))
    return Skill(name, description or None, when or None)
