"""`manage.py up`: the whole site with one command, and with one Ctrl-C nothing of it."""

from __future__ import annotations

import argparse
import os
import socket
import sys
import threading
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import run_checks
from django.core.management.base import BaseCommand, CommandParser

from arena.runs import warm
from jevsite import address, lock, opening, prepare, tables
from jevsite.supervisor import Child, Supervisor
from jevsite.trouble import Refusal

# So many deaths before the first answer, and the site gives up instead of trying for ever.
_HOPELESS = 4


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"the port is {text!r}; it must be a number from 0 to 65535")
    return int(text)


def say(text: str) -> None:
    """Print for a person; a terminal that is gone must not end the site."""
    try:
        print(text, flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Command(BaseCommand):
    help = "Start everything: tables, web server, worker, reaper, and the first comparison. Ctrl-C ends all of it."
    # Run in `handle`, so that what they find ends with the exit code of bad input.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=_port, default=8000, help="default 8000; the next free one if it is taken")
        parser.add_argument("--host", default="127.0.0.1", help="127.0.0.1 (default), localhost or ::1")
        parser.add_argument("--no-first-run", action="store_true", help="start no comparison by itself")

    def handle(self, *args: Any, **options: Any) -> None:
        host = address.loopback(options["host"])
        _check_settings()
        say("Preparing folders, tables and fixtures ...")
        prepare.folders()
        held = lock.Lock.take(settings.VAR_DIR)
        try:
            held.tell()
            warm.mark().unlink(missing_ok=True)
            tables.prepare()
            prepare.queue()
            prepare.fixtures(say)
            with address.listen(host, options["port"]) as listening:
                _run(listening, held, wanted=options["port"], first_run=not options["no_first_run"])
        finally:
            held.release()


def _check_settings() -> None:
    for found in run_checks():
        words = f"{found.msg} {found.hint or ''}".strip()
        if found.is_serious():
            raise Refusal(words)
        say(words)


def _run(listening: socket.socket, held: lock.Lock, *, wanted: int, first_run: bool) -> None:
    where = address.url(listening)
    if wanted not in (0, listening.getsockname()[1]):
        say(f"Port {wanted} is taken; using {listening.getsockname()[1]}.")

    def tell() -> None:
        pids = {child.name: child.process.pid for child in children if child.process is not None}
        held.tell(address=where, children=pids)

    children = _children(listening)
    supervisor = Supervisor(children, say=say, changed=tell)
    silent = threading.Event()
    opener = threading.Thread(target=_open, args=(where, supervisor, silent, first_run), daemon=True)
    opener.start()
    supervisor.run()
    opener.join(1)
    if silent.is_set():
        log = children[0].log
        raise Refusal(f"The web server does not answer; {log} says why: {_last_line(log)}")
    say("Stopped. Nothing is left running.")


def _open(where: str, supervisor: Supervisor, silent: threading.Event, first_run: bool) -> None:
    web = supervisor.children[0]
    if not opening.ready(where, stopping=supervisor.stopping, hopeless=lambda: web.deaths >= _HOPELESS):
        if not supervisor.stopping.is_set():
            silent.set()
            supervisor.stop()
        return
    say(f"\nJev Arena is ready: {where}  (Ctrl-C ends it; data in {settings.VAR_DIR})\n")
    if first_run:
        opening.first_comparison(where, say=say, stopping=supervisor.stopping)


def _children(listening: socket.socket) -> list[Child]:
    # Absolute, since the children start in the project's folder.
    env = {**os.environ, "JEV_VAR": str(settings.VAR_DIR), "JEV_FIXTURES": str(settings.FIXTURES_DIR)}
    env["DJANGO_SETTINGS_MODULE"] = os.environ["DJANGO_SETTINGS_MODULE"]
    fd = listening.fileno()
    entries = {
        "web server": ("web", str(fd)),
        "worker": ("worker",),
        **dict.fromkeys(_measurers(), ("measurer",)),
        "reaper": ("reaper",),
    }
    return [
        Child(
            name=name,
            command=[sys.executable, "-m", "jevsite.children", *entry],
            log=settings.VAR_DIR / "log" / f"{entry[0]}.log",
            env=env,
            cwd=Path(settings.BASE_DIR),
            pass_fds=(fd,) if entry[0] == "web" else (),
        )
        for name, entry in entries.items()
    ]


def _measurers() -> list[str]:
    return [f"measurer {number}" for number in range(1, int(settings.MEASURE_PROCESSES) + 1)]


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "the log is empty")
