"""Whether a judge is asked at all, and whether a host may act on what comes of it (seed 000, Modes)."""

from __future__ import annotations

from enum import StrEnum

from policy.engine.profile import InvalidConfig


class Mode(StrEnum):
    """`off` asks nothing, `shadow` asks and must not be applied, `enforce` may narrow."""

    OFF = "off"
    SHADOW = "shadow"
    ENFORCE = "enforce"


# What a host gets that says nothing; a function of the engine that is called on its own enforces.
DEFAULT_MODE = Mode.SHADOW


def mode_of(value: object) -> Mode:
    """The mode as given by a host; raises `InvalidConfig` with the allowed words."""
    if isinstance(value, Mode):
        return value
    if value not in tuple(Mode):
        raise InvalidConfig(f"mode must be off, shadow or enforce; got {value!r:.80}")
    return Mode(str(value))
