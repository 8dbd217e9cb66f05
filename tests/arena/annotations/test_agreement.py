"""Agreement of people: blind words only, and what is left out is said."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from arena.annotations import agreement, saying, seen
from arena.annotations.saying import Said
from arena.models import Run
from policy.people.models import User

pytestmark = pytest.mark.django_db(transaction=True)
Verdicts = Callable[..., dict[str, Said]]


def test_without_words_the_figures_are_unknown_and_say_why(client: Client, db: None) -> None:
    between, check = agreement.of_site()
    assert (between.value, between.interval, check.value) == ("—", "", "—")
    assert "no item was rated" in check.figure.reason
    assert client.get("/annotations/").status_code == 200


def test_two_raters_get_cohens_kappa_and_more_krippendorffs_alpha(
    settled: Run, raters: list[User], verdicts: Verdicts, settings: object
) -> None:
    settings.RATERS_PER_RUN = 3  # type: ignore[attr-defined]
    saying.submit(settled, verdicts(settled, "meets", "does_not"), by=raters[0])
    saying.submit(settled, verdicts(settled, "meets", "does_not"), by=raters[1])
    between, _ = agreement.of_site()
    assert (between.figure.measure, between.value, between.figure.items) == ("Cohen's kappa", "1.00", 2)
    saying.submit(settled, verdicts(settled, "meets", "meets"), by=raters[2])
    between, _ = agreement.of_site()
    assert "alpha" in between.figure.measure
    assert between.figure.value is not None
    assert between.figure.value < 1


def test_people_and_check_leave_out_what_is_neither_yes_nor_no(
    settled: Run, raters: list[User], verdicts: Verdicts
) -> None:
    saying.submit(settled, verdicts(settled, "meets", "partly"), by=raters[0])
    _, check = agreement.of_site()
    assert check.figure.items == 1
    assert check.left_out == "left out: 1 partly, cannot tell, or no check"


def test_who_had_seen_the_run_does_not_count(settled: Run, raters: list[User], verdicts: Verdicts) -> None:
    seen.note(settled, by=raters[0], how="page")
    saying.submit(settled, verdicts(settled, "meets", "meets"), by=raters[0])
    between, check = agreement.of_site()
    assert between.figure.items == check.figure.items == 0
    assert "2 not blind" in between.left_out
