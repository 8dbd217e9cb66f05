"""`manage.py reap`: the reaper alone, for sites whose web and worker processes are run by something else."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from jevsite import reaping


class Command(BaseCommand):
    help = "Look after leases, deadlines and unclaimed rows until Ctrl-C. `up` does this by itself."

    def handle(self, *args: Any, **options: Any) -> None:
        reaping.forever()
