from __future__ import annotations

from typing import Any

import pytest

from tests.arena.worlds.office import act, fresh, ids, refusal

ELEVENTH = {"since": "2026-03-11", "until": "2026-03-11"}


def test_lines_are_counted_by_day_in_their_order() -> None:
    found = act(fresh(), "count_log_lines", group_by="day", service="checkout", level="error")
    assert [(row["day"], row["count"]) for row in found["groups"]][2:] == [
        ("2026-03-10", 3),
        ("2026-03-11", 8),
        ("2026-03-12", 3),
    ]
    assert found["of"] == 16


def test_messages_that_differ_in_numbers_are_one_group() -> None:
    found = act(fresh(), "count_log_lines", group_by="message", service="payments", level="error", **ELEVENTH)
    assert [row["count"] for row in found["groups"]] == [10, 4, 3]
    assert found["groups"][0]["message"] == "card provider answered # for capture of order #"


def test_groups_add_up_to_the_lines() -> None:
    for group_by in ("service", "level", "day", "hour", "message"):
        found = act(fresh(), "count_log_lines", group_by=group_by, text="basket")
        assert sum(row["count"] for row in found["groups"]) == found["of"] > 0


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        ({"group_by": "word"}, "send one of service, level, day, hour, message"),
        ({"group_by": "day", "since": "spring"}, "since is no date"),
        ({}, "group_by is missing"),
    ],
)
def test_a_count_of_nothing_is_refused(arguments: dict[str, str], cause: str) -> None:
    assert cause in refusal(fresh(), "count_log_lines", **arguments)


def test_a_sample_spreads_from_the_first_to_the_last_line() -> None:
    found = act(fresh(), "sample_log_lines", size=3, service="payments", level="error")
    assert ids(found["lines"]) == ["l_0056", "l_0099", "l_0128"]
    assert found["of"] == 24


@pytest.mark.parametrize(("size", "shown"), [(1, 1), (2, 2), (12, 12), (20, 12)])
def test_a_sample_is_never_larger_than_asked_or_than_there_is(size: int, shown: int) -> None:
    found = act(fresh(), "sample_log_lines", size=size, service="mailer")
    assert len(set(ids(found["lines"]))) == shown


def test_a_sample_of_nothing_is_refused() -> None:
    assert "size is 0; send at least 1" in refusal(fresh(), "sample_log_lines", size=0)
    assert "send one of checkout" in refusal(fresh(), "sample_log_lines", size=2, service="kitchen")


def test_a_timeline_weaves_deployments_into_the_trouble() -> None:
    found = act(fresh(), "log_timeline", around="2026-03-11T17:00:00Z", minutes=30)
    times = [event["at"] for event in found["events"]]
    assert (found["of"], times) == (6, sorted(times))
    assert [event["kind"] for event in found["events"]][2:4] == ["deployment", "error"]


def test_a_timeline_may_be_of_some_services() -> None:
    found = act(fresh(), "log_timeline", around="2026-03-10T15:00:00Z", services=["checkout", "mailer"])
    assert [event["text"][:5] for event in found["events"]] == ["d_118", "addre"]


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        ({"around": "noon"}, "around is no date: 'noon'"),
        ({"around": "2026-03-11", "minutes": 0}, "send at least 1"),
        ({"around": "2026-03-11", "services": ["kitchen"]}, "services holds an entry that is 'kitchen'"),
    ],
)
def test_a_timeline_needs_an_instant(arguments: dict[str, Any], cause: str) -> None:
    assert cause in refusal(fresh(), "log_timeline", **arguments)


def test_a_number_is_followed_through_the_lines() -> None:
    found = act(fresh(), "trace_request", reference="order 4830")
    assert (found["services"], found["errors"], found["of"]) == (["payments"], 5, 5)


def test_a_number_is_not_found_inside_another() -> None:
    assert act(fresh(), "trace_request", reference="483")["of"] == 0
    assert act(fresh(), "trace_request", reference="basket 77218")["of"] == 1
    assert act(fresh(), "trace_request", reference="D_118")["of"] == 1


def test_a_reference_without_a_number_is_refused() -> None:
    assert "holds no number: 'basket'" in refusal(fresh(), "trace_request", reference="basket")
