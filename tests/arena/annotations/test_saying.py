"""What is said is kept whole, once, and with all that was said before."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.annotations import saying
from arena.annotations.models import Annotation, Assignment
from arena.annotations.saying import Said
from arena.errors import Conflict, Invalid
from arena.models import Run
from policy.people.models import User
from policy.people.services import NotAllowed

pytestmark = pytest.mark.django_db(transaction=True)
Verdicts = Callable[..., dict[str, Said]]


def test_every_lane_gets_its_verdict(settled: Run, raters: list[User], verdicts: Verdicts) -> None:
    saying.submit(settled, verdicts(settled, "meets", "does_not"), by=raters[0], tags=["Slow ", "slow", ""])
    place = Assignment.objects.get()
    assert [(said.lane.letter, said.verdict) for said in place.annotations.order_by("lane")] == [
        ("A", "meets"),
        ("B", "does_not"),
    ]
    assert place.tags == ["slow"]


def test_a_second_submission_is_refused_and_changes_nothing(
    settled: Run, raters: list[User], verdicts: Verdicts
) -> None:
    saying.submit(settled, verdicts(settled, "meets"), by=raters[0])
    with pytest.raises(Conflict, match="annotated run"):
        saying.submit(settled, verdicts(settled, "partly"), by=raters[0])
    assert set(Annotation.objects.values_list("verdict", flat=True)) == {"meets"}


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"verdict": "great"}, "There is no verdict 'great'"),
        ({"verdict": "meets", "note": "x" * 1001}, "1,001 characters"),
        ({"verdict": "meets", "note": "a\x00b"}, "NUL"),
    ],
)
def test_a_wrong_word_is_named_and_nothing_is_kept(
    wrong: dict[str, str], says: str, settled: Run, raters: list[User], verdicts: Verdicts
) -> None:
    said = verdicts(settled, "meets")
    said[next(iter(said))] = Said(**wrong)
    with pytest.raises(Invalid, match=says):
        saying.submit(settled, said, by=raters[0])
    assert not Assignment.objects.exists()


def test_half_an_annotation_is_none(settled: Run, raters: list[User], verdicts: Verdicts) -> None:
    said = verdicts(settled, "meets")
    said.popitem()
    with pytest.raises(Invalid, match="1 of 2 have no verdict"):
        saying.submit(settled, said, by=raters[0])


def test_a_reader_annotates_nothing(settled: Run, reader: User, verdicts: Verdicts) -> None:
    with pytest.raises(NotAllowed):
        saying.submit(settled, verdicts(settled, "meets"), by=reader)


def test_a_change_keeps_what_was_said_with_author_and_reason(
    settled: Run, raters: list[User], verdicts: Verdicts
) -> None:
    saying.submit(settled, verdicts(settled, "meets"), by=raters[0])
    said = Annotation.objects.all()[0]
    saying.change(said, Said("partly", "no tests"), by=raters[0], reason="read the patch again")
    said.refresh_from_db()
    edit = said.edits.get()
    assert (said.verdict, said.note) == ("partly", "no tests")
    assert (edit.verdict_before, edit.by, edit.reason) == ("meets", raters[0], "read the patch again")


def test_a_change_that_changes_nothing_leaves_no_trace(settled: Run, raters: list[User], verdicts: Verdicts) -> None:
    saying.submit(settled, verdicts(settled, "meets"), by=raters[0])
    said = Annotation.objects.all()[0]
    saying.change(said, Said("meets"), by=raters[0], reason="to be sure")
    assert not said.edits.exists()


def test_nobody_changes_the_words_of_another(settled: Run, raters: list[User], verdicts: Verdicts) -> None:
    saying.submit(settled, verdicts(settled, "meets"), by=raters[0])
    with pytest.raises(Invalid, match="Another rater"):
        saying.change(Annotation.objects.all()[0], Said("partly"), by=raters[1], reason="no")


def test_a_change_needs_a_reason(settled: Run, raters: list[User], verdicts: Verdicts) -> None:
    saying.submit(settled, verdicts(settled, "meets"), by=raters[0])
    with pytest.raises(Invalid, match="why it changes"):
        saying.change(Annotation.objects.all()[0], Said("partly"), by=raters[0], reason=" ")
