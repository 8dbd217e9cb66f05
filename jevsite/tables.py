"""Bringing the database up to this version, by one process at a time."""

from __future__ import annotations

import fcntl

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from jevsite.trouble import OUR_PACKAGES, Refusal

_OUR_LABELS = OUR_PACKAGES | {"people"}


def prepare() -> None:
    """Migrate where something is missing; raises `Refusal` where a newer version has been at the database."""
    if newer := _unknown_migrations():
        raise Refusal(
            f"The database was made by a newer version of this program ({newer[0]} is unknown here). "
            "Update the program, or set JEV_VAR to another folder."
        )
    settings.VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Two commands that start in one fresh folder would both make the same tables.
    with (settings.VAR_DIR / "migrate.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", verbosity=0, interactive=False)


def _unknown_migrations() -> list[str]:
    loader = MigrationLoader(connection)
    unknown = loader.applied_migrations.keys() - loader.disk_migrations.keys()
    return sorted(f"{label}.{name}" for label, name in unknown if label in _OUR_LABELS)
