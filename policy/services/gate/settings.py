"""How a gate works."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from policy.engine.assessment import RISK_LEVELS, assess_call
from policy.engine.assessment.run import Steps
from policy.engine.loops import MAX_REPEATS, MAX_SUBJECTS, LoopDetector
from policy.engine.mode import Mode, mode_of
from policy.engine.profile import Profile


@dataclass(frozen=True, slots=True)
class Settings:
    """The same for all agents of a gate. Raises `InvalidConfig`, or `TypeError` for loops, that names what is unusable.

    `assess` and `guard_loops` switch the two parts; repeats are counted either way, so a guard that is switched on
    later knows of them. `exempt` names tools that may be called again and again.
    """

    profile: Profile
    mode: Mode = Mode.SHADOW
    restrictions: tuple[str, ...] = ()
    assess: bool = True
    include_risk: bool = False
    risk_levels: tuple[str, ...] = RISK_LEVELS
    redact_keys: tuple[str, ...] = ()
    guard_loops: bool = True
    max_repeats: int = MAX_REPEATS
    max_subjects: int = MAX_SUBJECTS
    exempt: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "mode", mode_of(self.mode))
        self.detector()
        self.assessing(task="", step=None, tool="", arguments={}, schema=None)

    def detector(self) -> LoopDetector:
        return LoopDetector(max_repeats=self.max_repeats, max_subjects=self.max_subjects, exempt=self.exempt)

    def assessing(
        self, *, task: str, step: str | None, tool: str, arguments: Any, schema: Mapping[str, Any] | None
    ) -> Steps:
        """The assessment of one call by these settings."""
        return assess_call(
            task=task,
            tool=tool,
            arguments=arguments,
            step=step,
            restrictions=self.restrictions,
            schema=schema,
            profile=self.profile,
            mode=self.mode,
            include_risk=self.include_risk,
            risk_levels=self.risk_levels,
            redact_keys=self.redact_keys,
        )
