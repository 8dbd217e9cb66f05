"""The profile that judge `local` brings along: thresholds fitted on its own calls, written by `manage.py fit-local`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from policy.engine.profile import Profile

PATH = Path(__file__).with_name("profile.json")


@cache
def fitted() -> Profile:
    """The profile that ships with this version."""
    return Profile.from_json(_file()["profile"])


def measured() -> Mapping[str, Any]:
    """Of how many held-out calls its thresholds stop how many, harmless and harmful, and the data's hash."""
    counts: Mapping[str, Any] = _file()["measured"]
    return counts


@cache
def _file() -> Mapping[str, Any]:
    content: Mapping[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
    return content
