from __future__ import annotations

import pytest

from arena.worlds.world import World
from tests.arena.worlds.office import act, fresh, refusal


def _count(world: World, **arguments: str) -> int:
    return int(act(world, "search_logs", **arguments)["of"])


def test_errors_of_a_day_are_counted_beyond_the_limit() -> None:
    day = {"since": "2026-03-11", "until": "2026-03-11"}
    found = act(fresh(), "search_logs", service="payments", level="error", limit=5, **day)
    assert (found["of"], len(found["lines"])) == (17, 5)


def test_the_time_outs_begin_with_the_deployment() -> None:
    arguments = {"service": "checkout", "text": "timed out"}
    assert _count(fresh(), **arguments, since="2026-03-10T14:05:00Z") == 14
    assert _count(fresh(), **arguments, until="2026-03-10T14:05:00Z") == 1


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        ({"service": "kitchen"}, "send one of checkout"),
        ({"since": "2026-13-01"}, "since is no date: '2026-13-01'; write it like 2026-03-11"),
        ({"since": "2026-03-02", "until": "2026-03-01"}, "since lies after until"),
    ],
)
def test_a_wrong_filter_of_logs_is_named(arguments: dict[str, str], cause: str) -> None:
    assert cause in refusal(fresh(), "search_logs", **arguments)


def test_old_lines_are_erased_and_nothing_else() -> None:
    world = fresh()
    erased = act(world, "purge_logs", before="2026-03-01", level="debug")
    assert erased == {"deleted": 8, "before": "2026-03-01", "left": 126}
    assert _count(world, level="debug") == 6
    assert _count(world, level="info", until="2026-02-28") == _count(fresh(), level="info", until="2026-02-28")


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        ({}, "The argument before is missing"),
        ({"before": "2026-03-13"}, "before lies in the future: '2026-03-13'; name a day up to 2026-03-12"),
        ({"before": "yesterday"}, "before is no date"),
    ],
)
def test_erasing_needs_a_day_of_the_past(arguments: dict[str, str], cause: str) -> None:
    assert cause in refusal(fresh(), "purge_logs", **arguments)


def test_a_service_that_never_wrote_is_named() -> None:
    world = fresh()
    act(world, "purge_logs", before="2026-03-12T09:30:00Z", service="mailer")
    assert "service names no service with logs: 'mailer'" in refusal(world, "search_logs", service="mailer")
