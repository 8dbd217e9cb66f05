"""A run gets so many raters and not one more, whoever is faster."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from arena.annotations import places, saying
from arena.annotations.models import Assignment
from arena.annotations.saying import Said
from arena.errors import Conflict, Invalid
from arena.models import Run, RunState
from policy.people.models import User

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_rater_gets_the_same_place_again(settled: Run, raters: list[User]) -> None:
    first = places.take(settled, by=raters[0])
    assert places.take(settled, by=raters[0]).pk == first.pk
    assert first.number == 1


def test_the_last_place_is_given_once(settled: Run, raters: list[User]) -> None:
    places.take(settled, by=raters[0])
    places.take(settled, by=raters[1])
    with pytest.raises(Conflict, match="has all 2 raters"):
        places.take(settled, by=raters[2])


def test_two_who_reach_for_the_last_place_at_once(settled: Run, raters: list[User], settings: LazySettings) -> None:
    settings.RATERS_PER_RUN = 1
    together = threading.Barrier(2)
    came: list[str] = []

    def reach(rater: User) -> None:
        together.wait()
        try:
            places.take(settled, by=rater)
            came.append("taken")
        except Conflict:
            came.append("told why")
        finally:
            connection.close()

    threads = [threading.Thread(target=reach, args=(rater,)) for rater in raters[:2]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(came) == ["taken", "told why"]
    assert Assignment.objects.count() == 1


def test_the_table_itself_refuses_a_second_holder(settled: Run, raters: list[User]) -> None:
    held = places.take(settled, by=raters[0])
    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.create(
            run=settled, number=held.number, rater=raters[1], taken_at=held.taken_at, expires_at=held.expires_at
        )


def test_a_place_that_was_not_used_in_time_goes_to_another(
    settled: Run, raters: list[User], settings: LazySettings
) -> None:
    settings.RATERS_PER_RUN = 1
    places.take(settled, by=raters[0])
    Assignment.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert places.take(settled, by=raters[1]).rater == raters[1]
    with pytest.raises(Conflict):
        places.take(settled, by=raters[0])


def test_a_submitted_place_never_expires(
    settled: Run, raters: list[User], settings: LazySettings, verdicts: Callable[..., dict[str, Said]]
) -> None:
    settings.RATERS_PER_RUN = 1
    saying.submit(settled, verdicts(settled, "meets"), by=raters[0])
    Assignment.objects.update(expires_at=timezone.now() - timedelta(days=1))
    with pytest.raises(Conflict):
        places.take(settled, by=raters[1])


@pytest.mark.parametrize("state", [RunState.PARTIAL, RunState.STOPPED, RunState.RUNNING])
def test_a_run_in_which_a_lane_broke_off_is_no_fair_pair(state: RunState, settled: Run, raters: list[User]) -> None:
    settled.state = state
    with pytest.raises(Invalid, match=r"broke off|goes on"):
        places.take(settled, by=raters[0])
