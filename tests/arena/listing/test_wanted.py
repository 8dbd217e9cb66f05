"""What somebody asks of the history, by address."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from arena.annotations import saying
from arena.annotations.saying import Said
from arena.errors import Invalid
from arena.listing import marking
from arena.listing.wanted import SORTS, Wanted
from arena.models import Run, RunState
from policy.people.models import User

pytestmark = pytest.mark.django_db
Many = Callable[..., list[Run]]


def found(**wanted: str) -> set[int]:
    return set(Wanted.read(wanted).rows().values_list("pk", flat=True))


def keys(runs: list[Run]) -> set[int]:
    return {run.pk for run in runs}


def test_each_filter_keeps_what_fits(many: Many, pattern: Run) -> None:
    other = {**pattern.setup, "agent": "llm", "judge": "openrouter"}
    mine = many(2, case_id="mine", case_title="A patch for the cart", setup=other, state=RunState.FAILED)
    many(2)
    mine[0].lanes.filter(position=1).update(arm="bm25")
    assert found(state="failed") == found(case="mine") == found(agent="llm") == found(judge="openrouter") == keys(mine)
    assert found(arm="bm25") == {mine[0].pk}
    assert found(arm="full", state="failed", agent="llm") == keys(mine)


def test_words_of_a_search_must_all_fit_and_numbers_and_ids_count(many: Many, owner: User) -> None:
    cart, mail = many(1, case_title="A patch for the cart")[0], many(1, case_title="A mail about the cart")[0]
    marking.tag([mail.public_id], "weekly", by=owner)
    assert found(q="CART patch") == {cart.pk}
    assert found(q=f"#{mail.pk}") == found(q=str(mail.pk)) == found(q=mail.public_id) == found(q="weekly") == {mail.pk}
    assert found(q="cart zebra") == set()


def test_days_are_both_included(many: Many) -> None:
    run = many(1)[0]
    Run.objects.filter(pk=run.pk).update(created_at=datetime(2026, 3, 5, 23, 59, tzinfo=UTC))
    assert found(since="2026-03-05", until="2026-03-05") == {run.pk}
    assert found(until="2026-03-04") == found(since="2026-03-06", until="2026-03-07") == set()


def test_runs_by_how_many_have_annotated_them(many: Many, pattern: Run, owner: User) -> None:
    none, some, full = many(3)
    raters = [owner, User.objects.create(username="ada"), User.objects.create(username="grace")]
    for run, people in ((some, raters[:1]), (full, raters[:2])):
        for rater in people:
            saying.submit(run, {lane.public_id: Said("meets") for lane in run.lanes.all()}, by=rater)
    assert found(annotated="none") == {none.pk, pattern.pk}
    assert found(annotated="some") == {some.pk, full.pk}
    assert found(annotated="full") == {full.pk}


def test_what_was_put_away_is_left_out_unless_asked(many: Many, pattern: Run, owner: User) -> None:
    away = many(1)[0]
    marking.archive([away.public_id], by=owner)
    assert found() == {pattern.pk}
    assert found(archived="with") == {pattern.pk, away.pk}
    assert found(archived="only") == {away.pk}


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ({"state": "asleep"}, "There is no state 'asleep'. Allowed: abandoned"),
        ({"arm": "both"}, "There is no arm 'both'"),
        ({"sort": "best"}, "Allowed: case, newest, oldest"),
        ({"since": "yesterday"}, "must be a day such as"),
        ({"until": "0000-01-01"}, "must be a day such as"),
        ({"until": "9999-12-31"}, "must be a day such as"),
        ({"q": "x" * 201}, "up to 200"),
    ],
)
def test_a_wrong_filter_is_named(wanted: dict[str, str], says: str) -> None:
    with pytest.raises(Invalid, match=says):
        Wanted.read(wanted)


def test_a_nul_is_looked_for_nowhere(pattern: Run) -> None:
    assert found(q="a\x00b") == found(case="a\x00b") == set()


@given(
    st.builds(
        Wanted, q=st.text(max_size=20), case=st.text(max_size=9), tag=st.text(max_size=9), sort=st.sampled_from(SORTS)
    )
)
def test_an_address_reads_back_as_it_was_written(wanted: Wanted) -> None:
    tidy = Wanted(**{name: getattr(wanted, name).strip() for name in Wanted.__dataclass_fields__})
    assert Wanted.read(QueryDict(tidy.query()).dict()) == tidy
