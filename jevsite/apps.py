"""The site's own app: commands and system checks."""

from __future__ import annotations

from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "jevsite"
    label = "site"

    def ready(self) -> None:
        from jevsite import checks  # noqa: F401
