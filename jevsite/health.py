"""What `manage.py doctor` looks at: each part of a site as one finding with a state and a sentence."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from importlib import metadata
from pathlib import Path
from typing import Literal

from django.conf import settings
from django.core.checks import run_checks
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models.functions import Now
from kombu.exceptions import KombuError

from arena.errors import ArenaError
from arena.library import library
from arena.live import figures
from arena.models import Lane, LaneState, Run, RunState
from jevsite import lock, trouble
from jevsite.celery import app
from policy.engine.judge import JudgeRequest
from policy.engine.questions import Noul
from policy.judges import registry
from policy.measurements.models import Measurement, MeasurementState

State = Literal["ok", "note", "problem"]
PACKAGES = ("django", "django-ninja", "channels", "celery", "kombu", "uvicorn")
# Bytes. Below the first the site runs, but not for long.
_ROOM_NOTE, _ROOM_PROBLEM = 500_000_000, 50_000_000
_UNTAKEN_AFTER_S = 30
_JUDGE_WITHIN_S = 30.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One part of the site: a problem needs a hand, a note is worth knowing."""

    part: str
    state: State
    text: str


def python() -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    packages = ", ".join(f"{name} {metadata.version(name)}" for name in PACKAGES)
    yield Finding("python", "ok" if sys.version_info >= (3, 11) else "problem", f"Python {version}; {packages}")


def settings_fit() -> Iterator[Finding]:
    for found in run_checks():
        state: State = "problem" if found.is_serious() else "note"
        yield Finding("settings", state, f"{found.msg} {found.hint or ''}".strip())


def folders() -> Iterator[Finding]:
    folder = settings.VAR_DIR
    if not os.access(folder, os.W_OK | os.X_OK):
        yield Finding("folder", "problem", f"{folder} cannot be written. Give this user the right to, or set JEV_VAR.")
        return
    free = shutil.disk_usage(folder).free
    state: State = "problem" if free < _ROOM_PROBLEM else "note" if free < _ROOM_NOTE else "ok"
    yield Finding("folder", state, f"{folder} can be written; {free / 1e9:.1f} GB are free")


def secret() -> Iterator[Finding]:
    file = settings.VAR_DIR / "secret-key"
    if file.exists() and not stat.S_IMODE(file.stat().st_mode) & 0o077:
        yield Finding("secret", "ok", f"{file} is readable by its owner alone")
    elif not file.exists():
        yield Finding("secret", "ok", "the secret key comes from JEV_SECRET_KEY")


def database() -> Iterator[Finding]:
    name = settings.DATABASES["default"]["NAME"]
    if connection.vendor == "sqlite" and not Path(name).exists():
        yield Finding("database", "note", f"{name} is not there yet; `manage.py up` makes it")
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        text = _sqlite_settings(cursor, name) if connection.vendor == "sqlite" else f"PostgreSQL, database {name}"
    yield Finding("database", "ok", text)
    executor = MigrationExecutor(connection)
    if missing := executor.migration_plan(executor.loader.graph.leaf_nodes()):
        text = f"{len(missing)} migrations are not applied, the last is {missing[-1][0]}. Run: manage.py migrate"
        yield Finding("database", "problem", text)


def _sqlite_settings(cursor: object, name: str) -> str:
    def pragma(what: str) -> object:
        return cursor.execute(f"PRAGMA {what}").fetchone()[0]  # type: ignore[attr-defined]

    size = Path(name).stat().st_size / 1e6
    wait_s = int(str(pragma("busy_timeout"))) / 1000
    return f"SQLite {name} ({size:.1f} MB), journal {pragma('journal_mode')}, waits {wait_s:g} s for a lock"


def broker() -> Iterator[Finding]:
    with app.connection_for_write() as wire:
        wire.ensure_connection(max_retries=1, interval_start=0, timeout=3)
        where = wire.as_uri()
    if not settings.BROKER_URL.startswith("box:"):
        yield Finding("broker", "ok", f"{where} answers")
        return
    queue = settings.VAR_DIR / "broker" / "queue"
    if not queue.is_dir():
        yield Finding("broker", "note", f"{queue} is not there yet; `manage.py up` makes it")
        return
    waiting = sum(file.suffix == ".msg" for file in queue.iterdir())
    yield Finding("broker", "ok", f"embedded, in {queue.parent}; {waiting} messages wait")


def processes() -> Iterator[Finding]:
    """The site of this folder by the lock of its supervisor, and its children by their process numbers."""
    facts = lock.holder(settings.VAR_DIR)
    if facts is None:
        yield Finding("site", "note", "no `manage.py up` runs from this folder")
        return
    yield Finding("site", "ok", f"{facts.get('address', 'starting')}, process {facts.get('pid', 'unknown')}")
    for name, pid in facts.get("children", {}).items():
        alive = _alive(pid)
        text = f"runs as process {pid}" if alive else f"process {pid} is gone; the supervisor starts it again"
        yield Finding(name, "ok" if alive else "problem", text)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def queue() -> Iterator[Finding]:
    """Work that nobody takes is how a missing worker shows, wherever workers run."""
    if Run._meta.db_table not in connection.introspection.table_names():
        return
    old = Now() - timedelta(seconds=_UNTAKEN_AFTER_S)
    runs = Run.objects.filter(state=RunState.QUEUED, owner="", created_at__lt=old).count()
    running = Lane.objects.filter(run__state=RunState.RUNNING, state=LaneState.WAITING, owner="")
    lanes = running.filter(run__started_at__lt=old).count()
    measurements = Measurement.objects.filter(state=MeasurementState.QUEUED, owner="", created_at__lt=old).count()
    if measurements:
        text = f"{measurements} measurements have waited for more than {_UNTAKEN_AFTER_S} s. Is a measurer running?"
        yield Finding("measuring", "problem", text)
    if runs or lanes:
        waiting = f"{figures.plural(runs, 'run')} and {figures.plural(lanes, 'lane')}"
        text = f"{waiting} have waited for more than {_UNTAKEN_AFTER_S} s. Is a worker running?"
        yield Finding("queue", "problem", text)
    else:
        yield Finding("queue", "ok", "nothing waits for a worker")


def judge() -> Iterator[Finding]:
    """Asks judge `local` one question, since only that shows whether its vectors can be computed here."""
    from policy.judges.local import LocalJudge

    local = registry.get("local")
    request = JudgeRequest("The parcel is late.", {"late": Noul("Is the parcel late?")}, "doctor")
    reply = local.ask(request, timeout_s=_JUDGE_WITHIN_S)
    reason = local.describe().lexical_reason if isinstance(local, LocalJudge) else None
    model = reply.body["model"]
    if reason:
        yield Finding("judge", "note", f"local compares words only, because {reason} ({model})")
    else:
        yield Finding("judge", "ok", f"local answers with sentence vectors and word overlap ({model})")


def fixtures() -> Iterator[Finding]:
    shelf = library()
    counts = (len(shelf.cases), "case"), (len(shelf.catalog.tools), "tool"), (len(shelf.worlds), "world")
    found = ", ".join(figures.plural(count, noun) for count, noun in counts)
    yield Finding("fixtures", "ok" if shelf.cases else "problem", f"{found} in files; people's own are not looked at")
    for broken in shelf.broken:
        yield Finding("fixtures", "problem", f"case {broken.id} is broken: {broken.sentence}")


PARTS: tuple[Callable[[], Iterator[Finding]], ...] = (
    python,
    settings_fit,
    folders,
    secret,
    database,
    broker,
    processes,
    queue,
    judge,
    fixtures,
)


def examine() -> Iterator[Finding]:
    """Every finding; a part that fails is a problem with its own words, and the others are looked at all the same."""
    for part in PARTS:
        try:
            yield from part()
        except (OSError, Error, KombuError, ArenaError) as error:
            yield Finding(part.__name__, "problem", trouble.sentence(error) or str(error))
