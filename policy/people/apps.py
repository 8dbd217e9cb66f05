"""People: the lowest room with models."""

from __future__ import annotations

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    name = "policy.people"
    label = "people"
