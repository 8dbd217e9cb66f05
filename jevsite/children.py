"""The processes of a site, as `manage.py up` starts them: `python -m jevsite.children web|worker|measurer|reaper`.

Each ends by itself when its stdin ends: the supervisor holds the other end of that pipe.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import warnings

# Seconds between the polite and the final end of a process whose supervisor is gone.
_ORPHAN_GRACE_S = 3.0
WORKER_THREADS = 8
QUEUES = "lanes,judge"


def end_with_supervisor() -> None:
    """Watch stdin in a thread: at its end, stop this process, and soon after kill its whole group."""

    def watch() -> None:
        while os.read(0, 512):
            pass
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(_ORPHAN_GRACE_S)
        if os.getpgrp() == os.getpid():
            os.killpg(0, signal.SIGKILL)
        os._exit(1)

    threading.Thread(target=watch, name="supervisor-watch", daemon=True).start()


def web(fd: int) -> None:
    """Serve pages, API and sockets on an already listening socket."""
    import socket

    import uvicorn

    config = uvicorn.Config(
        "jevsite.asgi:application",
        access_log=False,
        log_config=None,
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=fd)])


def worker() -> None:
    """Work on lanes and routings, a thread each: a lane that waits holds a thread, never a process."""
    from celery import signals

    signals.worker_shutting_down.connect(_leave, weak=False)
    signals.worker_ready.connect(_warm, weak=False)
    _work("--pool=threads", f"--concurrency={WORKER_THREADS}", f"--queues={QUEUES}")


def measurer() -> None:
    """Measure judges in this process, one measurement at a time; start as many of these as there are idle cores.

    A process each and no pool: the signal to leave reaches the work itself, which ends after the fixture at hand.
    """
    from celery import signals

    signals.worker_shutting_down.connect(_stop_measuring, weak=False)
    _work("--pool=solo", "--queues=measure")


def _work(*options: str) -> None:
    from celery.exceptions import SecurityWarning

    from jevsite.celery import app

    # A container runs as root; the worker executes no code from messages, they carry ids only.
    warnings.simplefilter("ignore", SecurityWarning)
    app.conf.worker_enable_remote_control = False
    quiet = ["--loglevel=WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    app.worker_main(["--quiet", "worker", *options, *quiet])


def _warm(**facts: object) -> None:
    """Let the local judge read the catalog while nobody waits for it."""
    from arena.runs.warm import warm

    threading.Thread(target=warm, name="warm", daemon=True).start()


def _leave(**facts: object) -> None:
    """End the worker as soon as its lanes have noticed.

    Celery would first sit out its wait for the next message; nothing depends on it, the database is the queue.
    """
    from celery.worker import state

    from arena.runs import cancel

    def wait() -> None:
        while state.active_requests:
            time.sleep(0.05)
        os._exit(0)

    cancel.leaving.set()
    threading.Thread(target=wait, name="leave", daemon=True).start()


def _stop_measuring(**facts: object) -> None:
    """End as soon as the fixture at hand is written, or at once where there is none."""
    from celery.worker import state

    from policy.measurements import work

    def wait() -> None:
        while state.active_requests:
            time.sleep(0.05)
        os._exit(0)

    work.leaving.set()
    threading.Thread(target=wait, name="leave", daemon=True).start()


def reaper() -> None:
    """Look after leases, deadlines and unclaimed rows until told to stop."""
    import django

    django.setup()
    from jevsite import reaping

    reaping.forever()


def main(arguments: list[str]) -> None:
    end_with_supervisor()
    os.umask(0o077)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "jevsite.settings")
    match arguments:
        case ["web", fd]:
            web(int(fd))
        case ["worker"]:
            worker()
        case ["measurer"]:
            measurer()
        case ["reaper"]:
            reaper()
        case _:
            sys.exit("usage: python -m jevsite.children web FD | worker | measurer | reaper")


if __name__ == "__main__":
    main(sys.argv[1:])
