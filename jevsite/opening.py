"""What a person sees in the terminal once the site is up: its address, and the first comparison."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Callable

from django.db import DatabaseError, connection
from django.urls import reverse

from arena.errors import ArenaError
from arena.exchange.table import lane_table
from arena.library import library
from arena.models import Run
from arena.runs import history, start, warm
from policy.people.services import local_user

FIRST_CASE = "patch"
FIRST_MENU = 60
# Somebody waits for the table.
FIRST_PAUSE_S = 0.1
# Seconds.
_READY_WITHIN_S = 60.0
_ANSWER_WITHIN_S = 5.0
_FIRST_WITHIN_S = 180.0
_WARM_WITHIN_S = 30.0
_LOOK_EVERY_S = 0.1

Say = Callable[[str], None]


def ready(address: str, *, stopping: threading.Event, hopeless: Callable[[], bool]) -> bool:
    """Wait until the web process answers; False after a minute, when the site is stopping, or when it is hopeless."""
    place = address.removeprefix("http://")
    deadline = time.monotonic() + _READY_WITHIN_S
    while time.monotonic() < deadline and not stopping.is_set() and not hopeless():
        # The supervisor's socket takes the call even while there is no web process to answer it.
        caller = http.client.HTTPConnection(place, timeout=_ANSWER_WITHIN_S)
        try:
            caller.request("GET", "/")
            caller.getresponse().read()
        except (OSError, http.client.HTTPException):
            stopping.wait(_LOOK_EVERY_S)
        else:
            return True
        finally:
            caller.close()
    return False


def first_comparison(address: str, *, say: Say, stopping: threading.Event) -> None:
    """Run a comparison by itself where there is none yet, else name the latest; trouble is said, never raised."""
    try:
        run = None
        if not Run.objects.exists():
            _await_judge(say=say, stopping=stopping)
            run = _started()
        if run is None:
            _name_latest(address, say=say)
        else:
            _follow(run, address, say=say, stopping=stopping)
    except ArenaError as refused:
        say(f"The first comparison was not started: {refused.message}")
    except DatabaseError as error:
        say(f"The first comparison cannot be read ({error}). Its page is in the list of runs.")
    finally:
        connection.close()


def _await_judge(*, say: Say, stopping: threading.Event) -> None:
    """A judge that reads the catalog for the first time would make the first figures say nothing about later ones."""
    say("The judge reads the catalog once, then the first comparison starts ...")
    deadline = time.monotonic() + _WARM_WITHIN_S
    while not warm.mark().exists() and time.monotonic() < deadline and not stopping.wait(_LOOK_EVERY_S):
        pass


def _started() -> Run | None:
    cases = [case.id for case in library().cases]
    if not cases:
        return None
    case = FIRST_CASE if FIRST_CASE in cases else cases[0]
    return start.start(case, by=local_user(), origin="first", menu_size=FIRST_MENU, pause_s=FIRST_PAUSE_S)


def _follow(run: Run, address: str, *, say: Say, stopping: threading.Event) -> None:
    say(f"First comparison: {run.case_title}, the full menu of {FIRST_MENU} tools beside the selected one.")
    say(f"Watch it live: {page(run, address)}")
    deadline = time.monotonic() + _FIRST_WITHIN_S
    while not run.is_final and time.monotonic() < deadline:
        if stopping.wait(_LOOK_EVERY_S):
            return
        run.refresh_from_db(fields=["state", "message"])
    if not run.is_final:
        say("It is still running; its page goes on showing it.")
        return
    say(f"\n{lane_table(history.find(run.public_id))}\n")
    say(f"Run {run.number} is {run.state}{f' ({run.message})' if run.message else ''}: {page(run, address)}")


def _name_latest(address: str, *, say: Say) -> None:
    if (run := history.latest()) is not None:
        say(f"Latest run: {run.number}, {run.case_title}, {run.state}: {page(run, address)}")


def page(run: Run, address: str) -> str:
    return address + reverse("arena:run", args=[run.public_id])
