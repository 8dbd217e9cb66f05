"""`manage.py tables`: bring the database up to this version; nothing happens where it is."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from jevsite import tables


class Command(BaseCommand):
    help = "Bring the database up to this version, one process at a time; refuse one that a newer version has made."

    def handle(self, *args: Any, **options: Any) -> None:
        tables.prepare()
