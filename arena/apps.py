"""The Django app of comparing."""

from __future__ import annotations

from django.apps import AppConfig


class ArenaConfig(AppConfig):
    name = "arena"
    label = "arena"

    def ready(self) -> None:
        from arena import past, usage
        from arena.examples import Cases
        from arena.runs import codex_seat  # noqa: F401  takes its seat
        from arena.servers.models import OwnCatalog
        from policy.calibrating import past as time_machine
        from policy.lab import examples
        from policy.people import provider_keys
        from policy.usage import agents

        examples.register(Cases())
        provider_keys.also_seals(OwnCatalog)
        agents.register(usage.of_lanes)
        time_machine.register(past.of_runs)
