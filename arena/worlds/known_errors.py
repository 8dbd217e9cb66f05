"""Error messages that the explaining tool knows: a pattern, what it means, what usually causes it, what to look at."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnownError:
    """Named groups of `pattern` may stand in braces in the sentences."""

    name: str
    pattern: str
    meaning: str
    causes: tuple[str, ...]
    look_at: str


KNOWN = (
    KnownError(
        "reduce of an empty list",
        r"Reduce of empty array with no initial value",
        "reduce was called on an empty list and had no start value to return",
        ("no second argument was given to reduce", "the list is empty when the caller did not expect it"),
        "the call of reduce: give it a start value such as 0",
    ),
    KnownError(
        "property of nothing",
        r"Cannot read propert(?:y '\w+'|ies) of (?P<what>undefined|null)",
        "the code reads a property of {what}, so the value before the dot is missing",
        ("a lookup found nothing", "an optional value was used without a check", "an answer has another shape"),
        "where that value comes from, and a check before it is used",
    ),
    KnownError(
        "not a function",
        r"(?P<name>[\w.$]+) is not a function",
        "{name} was called but holds something that cannot be called",
        ("a wrong import", "a misspelt method", "a value that replaced the function"),
        "the import and the declaration of {name}",
    ),
    KnownError(
        "unknown name",
        r"(?:(?P<name>[\w$]+) is not defined|NameError: name '(?P<python>\w+)')",
        "the code uses a name that was never declared in this scope",
        ("a missing import", "a spelling mistake", "a declaration in another block"),
        "the spelling of the name and the imports of that file",
    ),
    KnownError(
        "missing module",
        r"(?:Cannot find (?:module|package) ['\"][^'\"]+|No module named ['\"][^'\"]+)['\"]?",
        "an import names a module that is not installed or not at that path",
        ("the dependency is not installed", "the relative path or its ending is wrong"),
        "the list of dependencies and the path in the import",
    ),
    KnownError(
        "connection refused",
        r"ECONNREFUSED(?: (?P<name>[\w.:\[\]]+))?",
        "nothing listens at the address that was called",
        ("the service is not running", "host or port is wrong"),
        "whether the service runs, and the address in the configuration",
    ),
    KnownError(
        "timeout",
        r"(?i:ETIMEDOUT|TimeoutError|timed out|operation was aborted due to timeout)",
        "an answer did not arrive before the time limit",
        ("the other side is slow or down", "the limit is too short", "a network drops packets"),
        "the time limit of this request and the load of the service",
    ),
    KnownError(
        "port in use",
        r"EADDRINUSE(?:.*?:(?P<name>\d+))?",
        "another process already listens on that port",
        ("an earlier start still runs", "two services share a port"),
        "which process holds the port",
    ),
    KnownError(
        "file not found",
        r"(?:ENOENT|FileNotFoundError)",
        "a file or folder was opened that is not there",
        ("a wrong working folder", "a misspelt path", "a file that was not deployed"),
        "the path in the message and where the process was started",
    ),
    KnownError(
        "broken JSON",
        r"(?:Unexpected token|Unexpected end of JSON input|JSONDecodeError)",
        "text was read as JSON but is not JSON",
        ("an error page came instead of data", "the text was cut", "a comma or quote is wrong"),
        "the raw text just before it is parsed",
    ),
    KnownError(
        "endless recursion",
        r"(?:Maximum call stack size exceeded|RecursionError)",
        "functions call each other without ever coming to an end",
        ("the end condition is missing or never true", "two modules import each other"),
        "the function that repeats in the stack trace",
    ),
    KnownError(
        "type mismatch",
        r"(?:TS(?:2322|2345)|Type '(?P<what>[^']+)' is not assignable to (?:type|parameter of type) '(?P<name>[^']+)')",
        "a value of one type stands where the compiler expects another",
        ("an optional value was not narrowed", "a field is missing or named otherwise"),
        "the two types in the message, from the innermost line on",
    ),
    KnownError(
        "division by zero",
        r"ZeroDivisionError",
        "a number was divided by zero",
        ("the mean of an empty list", "a counter that is still 0"),
        "what the divisor can be, and a check for 0",
    ),
    KnownError(
        "missing key",
        r"KeyError: ['\"]?(?P<name>[^'\"\s]+)",
        "a dictionary was asked for the key {name}, which it does not have",
        ("the key is spelt otherwise", "the data has another shape"),
        "where the dictionary is filled",
    ),
    KnownError(
        "attribute of nothing",
        r"'NoneType' object has no attribute '(?P<name>\w+)'",
        "the code reads {name} of None, so the value before the dot is missing",
        ("a function returned nothing", "a search found nothing"),
        "the call that gave None",
    ),
    KnownError(
        "bad gateway",
        r"\b502\b",
        "a server in between got no usable answer from the service behind it",
        ("the service behind is down or restarting", "it closed the connection"),
        "the state of the service behind; trying once more after a pause often helps",
    ),
)


def explain(message: str) -> dict[str, object] | None:
    """The first known error in the message with its parts filled in; None when we do not know it."""
    for known in KNOWN:
        found = re.search(known.pattern, message)
        if found:
            parts = {key: value or "the value" for key, value in found.groupdict().items()}
            return {
                "error": known.name,
                "matched": found[0],
                "meaning": known.meaning.format(**parts),
                "usual_causes": list(known.causes),
                "look_at": known.look_at.format(**parts),
            }
    return None
