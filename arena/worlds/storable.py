"""Whether a value can be stored as JSON in every database that we support."""

from __future__ import annotations

import json
from typing import Any


def problem(value: Any) -> str | None:
    """Why this cannot be stored, in words that follow "it"; None if it can."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode("utf-8")
    except UnicodeEncodeError:
        return "holds half a character (a lone surrogate)"
    except RecursionError:
        return "is nested too deep"
    except ValueError:
        return "holds a number that JSON does not have"
    return "holds a NUL character" if "\\u0000" in text else None
