"""Raters and a settled comparison to look at."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.annotations.saying import Said
from arena.models import Run
from policy.people.models import Role, User


@pytest.fixture
def raters(db: None) -> list[User]:
    return [User.objects.create(username=name, role=Role.MEMBER) for name in ("ada", "grace", "mary")]


@pytest.fixture
def settled(compare: Callable[..., Run]) -> Run:
    return compare("patch")


@pytest.fixture
def verdicts() -> Callable[..., dict[str, Said]]:
    """The same words about every lane, or a list of them in the order of the lanes."""

    def say(run: Run, *said: str) -> dict[str, Said]:
        lanes = list(run.lanes.all())
        words = said if len(said) > 1 else said * len(lanes)
        return {lane.public_id: Said(verdict) for lane, verdict in zip(lanes, words, strict=True)}

    return say
