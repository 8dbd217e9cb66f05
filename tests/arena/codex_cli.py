"""A person whose Codex CLI is a program of the tests, with a provider."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from django.conf import LazySettings

from arena.codex import access
from policy.people.models import User
from tests.arena.agents.codex.playing import Step, program

KEY = "sk-codex-8c1f0a7be5d94f26"


def seat(place: Path, plan: Sequence[Step], *, by: User, settings: LazySettings, model: str = "gpt-6-sol") -> None:
    """Codex CLI plays `plan` for this person."""
    settings.CODEX_BIN = program(place, plan)
    access.save(way="provider", sign_in="", address="http://127.0.0.1:9/v1", model=model, key=KEY, by=by)
