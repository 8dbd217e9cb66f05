"""The form of a case: a document as fields that a person can write, and back again.

The form has rows for the usual checks; whatever else a case holds stays as it is and is shown as JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from django.http import QueryDict

from arena.own_cases import reading

KINDS = ("read", "change", "investigate", "ask")
LANGS = (("en", "English"), ("de", "German"))
ENDINGS = (
    ("answer", "with an answer"),
    ("question", "with a question: the task leaves something open"),
    ("decline", "by saying that no tool fits"),
)
CHECKS = (
    ("answer_is", "the answer is exactly", "the text", ""),
    ("answer_contains", "the answer contains", "one text a line", ""),
    ("answer_holds", "the answer names", "whole words or numbers, one a line", ""),
    ("answer_lacks", "the answer does not name", "whole words or numbers, one a line", ""),
    ("answer_matches", "the answer matches the pattern", "a regular expression", ""),
    ("json_path", "the answer has, as JSON", "a path such as $.items[0].name", "the value; empty: any"),
    ("json_path_result", "a tool's result has, as JSON", "a path such as $.text", "the value; empty: any"),
    ("returned", "a tool's result names", "whole words or numbers, one a line", ""),
    ("called", "one of these tools returned a result", "ids of tools, one a line", ""),
    ("not_called", "none of these tools is called", "ids of tools, one a line", ""),
    ("patch_applies", "a patch applies to", "the path of the file", "the text that it must give"),
    ("unchanged", "nothing is changed", "", ""),
    ("asked", "the agent asks a question", "words that it may name, one a line", ""),
    ("rubric", "a judge's suggestion, decides nothing", "what to ask about the answer", ""),
)
ROWS = 5
_TEXTS = ("title", "task", "kind", "lang", "ending", "world", "catalog")
_LINES = ("restrictions", "acceptable", "forbids", "values")


class Unreadable(Exception):
    """A field of the form that cannot be read: which, and the sentence beside it."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field
        self.sentence = sentence


def empty() -> dict[str, Any]:
    """The form of a new case."""
    return of_document({"kind": "read", "lang": "en", "ending": "answer", "world": "none"})


def of_document(document: Mapping[str, Any]) -> dict[str, Any]:
    """A case as the fields of the form."""
    shown: dict[str, Any] = {name: document.get(name, "") for name in _TEXTS}
    shown["restrictions"] = "\n".join(document.get("restrictions", ()))
    shown["forbids"] = "\n".join(document.get("forbids", ()))
    shown["acceptable"] = "\n".join(", ".join(tools) for tools in document.get("acceptable", ()))
    shown["values"] = "\n".join(f"{name} = {json.dumps(value)}" for name, value in document.get("values", {}).items())
    shown["real_arms"] = list(document.get("real_arms", ()))
    shown["files"] = [{"path": path, "text": text} for path, text in document.get("files", {}).items()]
    rows: list[dict[str, str]] = []
    rest: list[Any] = []
    for check in document.get("checks", ()):
        row = _row(check)
        if row is None:
            rest.append(check)
        else:
            rows.append(row)
    shown["checks"] = rows
    shown["more_checks"] = json.dumps(rest, indent=1, ensure_ascii=False) if rest else ""
    return _with_spare(shown)


def of_form(given: QueryDict) -> dict[str, Any]:
    """What was typed, as it is shown again."""
    shown: dict[str, Any] = {name: given.get(name, "") for name in (*_TEXTS, *_LINES, "more_checks", "version")}
    shown["real_arms"] = given.getlist("real_arms")
    pairs = zip(given.getlist("file_path"), given.getlist("file_text"), strict=False)
    shown["files"] = [{"path": path.strip(), "text": text} for path, text in pairs if path.strip() or text.strip()]
    rows = zip(given.getlist("check_kind"), given.getlist("check_what"), given.getlist("check_value"), strict=False)
    shown["checks"] = [{"kind": kind, "what": what, "value": value} for kind, what, value in rows if kind]
    return _with_spare(shown)


def document(shown: Mapping[str, Any], *, before: Mapping[str, Any] | None) -> dict[str, Any]:
    """The case that the form says; `wrong` of the version before is kept. Raises `Unreadable`."""
    made: dict[str, Any] = {name: shown[name] for name in _TEXTS if str(shown[name]).strip()}
    made["restrictions"] = _lines(shown["restrictions"])
    made["forbids"] = _lines(shown["forbids"])
    made["acceptable"] = [
        [tool.strip() for tool in line.split(",") if tool.strip()] for line in _lines(shown["acceptable"])
    ]
    made["values"] = dict(_value(line) for line in _lines(shown["values"]))
    made["real_arms"] = list(shown["real_arms"])
    made["files"] = {each["path"]: each["text"].replace("\r\n", "\n") for each in shown["files"] if each["path"]}
    if made["files"]:
        made.pop("world", None)
    elif made.get("world") == "own":
        made["world"] = "none"
    if before and "wrong" in before:
        made["wrong"] = before["wrong"]
    if before and before.get("summary") != reading.summary(before.get("task")):
        made["summary"] = before.get("summary")
    made["checks"] = [_check(row) for row in shown["checks"] if row["kind"]] + _more(shown["more_checks"])
    return made


def field_of(place: str) -> str:
    """The field of the form that a fault of a case belongs to."""
    name = re.split(r"[.\[]", place)[0]
    return name if name in (*_TEXTS, *_LINES, "files", "checks", "real_arms") else ""


def _with_spare(shown: dict[str, Any]) -> dict[str, Any]:
    checks, files = shown["checks"], shown["files"]
    blank = {"kind": "", "what": "", "value": ""}
    shown["checks"] = [*checks, *(dict(blank) for _ in range(max(ROWS - len(checks), 1)))]
    shown["files"] = [*files, {"path": "", "text": ""}]
    return shown


def _row(check: Mapping[str, Any]) -> dict[str, str] | None:
    """One check as a row of the form; None where the form has no place for all of it."""
    kind, rest = check["kind"], {name: value for name, value in check.items() if name != "kind"}
    match kind, sorted(rest):
        case "answer_is", ["text"]:
            return _shown(kind, rest["text"])
        case "rubric", ["text"]:
            return _shown(kind, rest["text"])
        case "answer_contains", ["texts"]:
            return _shown(kind, "\n".join(rest["texts"]))
        case "answer_matches", ["pattern"]:
            return _shown(kind, rest["pattern"])
        case (("answer_lacks" | "returned"), ["values"]):
            return _shown(kind, "\n".join(rest["values"]))
        case "answer_holds", (["values"] | ["mode", "values"]) if rest.get("mode", "all") == "all":
            return _shown(kind, "\n".join(rest["values"]))
        case (("called" | "not_called"), ["tools"]):
            return _shown(kind, "\n".join(rest["tools"]))
        case "unchanged", []:
            return _shown(kind, "")
        case "asked", ([] | ["least"] | ["least", "values"]) if rest.get("least", 1) == 1:
            return _shown(kind, "\n".join(rest.get("values", ())))
        case "patch_applies", ["equals", "lines", "path"]:
            return _shown(kind, rest["path"], rest["equals"])
        case "json_path", _:
            name = "json_path_result" if rest.get("source") == "result" else kind
            return _shown(name, rest["path"], "" if rest.get("equals") is None else json.dumps(rest["equals"]))
    return None


def _shown(kind: str, what: str, value: str = "") -> dict[str, str]:
    return {"kind": kind, "what": what, "value": value}


def _check(row: Mapping[str, str]) -> dict[str, Any]:
    kind, what, value = row["kind"], row["what"].replace("\r\n", "\n").strip(), row["value"].replace("\r\n", "\n")
    match kind:
        case "answer_is" | "rubric":
            return {"kind": kind, "text": what}
        case "answer_contains":
            return {"kind": kind, "texts": _lines(what)}
        case "answer_matches":
            return {"kind": kind, "pattern": what}
        case "json_path" | "json_path_result":
            source = "result" if kind == "json_path_result" else "answer"
            wanted = {"equals": _scalar(value.strip())} if value.strip() else {}
            return {"kind": "json_path", "path": what, "source": source, **wanted}
        case "called" | "not_called":
            return {"kind": kind, "tools": _lines(what)}
        case "patch_applies":
            # As many lines may change as the wanted text has: it is the whole text that counts.
            return {"kind": kind, "path": what, "equals": value, "lines": max(len(value.splitlines()), 1) * 2 + 100}
        case "unchanged":
            return {"kind": kind}
        case "asked":
            return {"kind": kind, "values": _lines(what)}
    return {"kind": kind, "values": _lines(what)}


def _more(text: str) -> list[Any]:
    if not text.strip():
        return []
    try:
        more = json.loads(text)
    except (ValueError, RecursionError):
        raise Unreadable("more_checks", "This is no JSON; mend it, or leave it empty.") from None
    if not isinstance(more, list):
        raise Unreadable("more_checks", "This is no list; write [{…}].")
    return more


def _value(line: str) -> tuple[str, Any]:
    name, sign, text = line.partition("=")
    if not sign or not name.strip():
        raise Unreadable("values", f"“{line[:60]}” is not name = value; mend that line.")
    return name.strip(), _scalar(text.strip())


def _scalar(text: str) -> Any:
    """A number, true, false or a quoted text as JSON says it; everything else is a text as it stands."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, str | int | float | bool | list) else text


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
