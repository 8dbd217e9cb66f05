"""The Django app of judging and deciding."""

from __future__ import annotations

from django.apps import AppConfig
from django.conf import settings

from policy.judges.gguf import file


class PolicyConfig(AppConfig):
    name = "policy"
    label = "policy"

    def ready(self) -> None:
        file.use(settings.GGUF_FILE)
