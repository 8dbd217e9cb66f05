"""The Django app of comparing."""

from __future__ import annotations

from django.apps import AppConfig


class ArenaConfig(AppConfig):
    name = "arena"
    label = "arena"

    def ready(self) -> None:
        from arena import past, usage
        from arena.examples import Cases
        from policy.calibrating import past as time_machine
        from policy.lab import examples
        from policy.usage import agents

        examples.register(Cases())
        agents.register(usage.of_lanes)
        time_machine.register(past.of_runs)
